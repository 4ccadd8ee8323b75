import { described } from "./form.ts";
import { rulesetLimits } from "./limits.ts";
import { invalidValue, missingField } from "./ruleset-error.ts";
import { flag, headerName, integer, list, object, oneOf, optional, required, type Shape } from "./shapes.ts";

const operation = required(oneOf(["set", "remove"]));
const cloudflareOnly = optional(flag);

const plain = optional(object({ operation, cloudflare_only: cloudflareOnly }));

const timed = object({
  operation,
  value: optional(integer(0, 2 ** 31 - 1)),
  cloudflare_only: cloudflareOnly,
});

/** A directive with a number of seconds, which is required to set it and refused to remove it. */
const readTimed: Shape<object> = (value, pointer, context) => {
  const read = timed(value, pointer, context);
  if (read.operation === "set" && read.value === undefined) throw missingField(`${pointer}/value`);
  if (read.operation === "remove" && read.value !== undefined) throw removed(`${pointer}/value`, read.value);
  return read;
};
const forSeconds = optional(described(readTimed, timed.form));

const named = object({
  operation,
  qualifiers: optional(list(headerName, rulesetLimits.parametersMax)),
  cloudflare_only: cloudflareOnly,
});

/** A directive that may be limited to some header fields. */
const readNamed: Shape<object> = (value, pointer, context) => {
  const read = named(value, pointer, context);
  if (read.operation === "remove" && read.qualifiers !== undefined) {
    throw removed(`${pointer}/qualifiers`, read.qualifiers);
  }
  return read;
};
const ofFields = optional(described(readNamed, named.form));

function removed(pointer: string, value: unknown) {
  return invalidValue(pointer, value, "a directive that is removed takes none");
}

/** Changes of the header `Cache-Control` of a response, by directive. They are stored and answered. */
export const cacheControlParameters: Shape<object> = object(
  {
    immutable: plain,
    "max-age": forSeconds,
    "must-revalidate": plain,
    "must-understand": plain,
    "no-cache": ofFields,
    "no-store": plain,
    "no-transform": plain,
    private: ofFields,
    "proxy-revalidate": plain,
    public: plain,
    "s-maxage": forSeconds,
    "stale-if-error": forSeconds,
    "stale-while-revalidate": forSeconds,
  },
  1,
);
