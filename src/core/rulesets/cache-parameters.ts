import {
  described,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  record,
  required,
  text,
  uniqueList,
  type Shape,
  type ShapeValue,
  headerName,
} from "./shapes.ts";
import { rulesetLimits } from "./limits.ts";
import { invalidValue, missingField } from "./ruleset-error.ts";

const names = uniqueList(text(), rulesetLimits.parametersMax);
const seconds = integer(0, Number.MAX_SAFE_INTEGER);
const statusCode = integer(100, 999);
const queryObject = object({ all: optional(oneOf([true])), list: optional(names) }, 1);
const everyName = oneOf(["*"]);

/** Earlier clients write the names alone, or `*` for all of them. What was sent is answered. */
const queryNames: Shape<string | readonly string[] | ShapeValue<typeof queryObject>> = described(
  (value, pointer, context) => {
    if (Array.isArray(value)) return names(value, pointer, context);
    return (typeof value === "string" ? everyName : queryObject)(value, pointer, context);
  },
  queryObject.schema,
);

const customKey = object({
  cookie: optional(object({ check_presence: optional(names), include: optional(names) })),
  header: optional(
    object({
      check_presence: optional(names),
      contains: optional(record(text(), names, rulesetLimits.parametersMax)),
      exclude_origin: optional(flag),
      include: optional(names),
    }),
  ),
  host: optional(object({ resolved: optional(flag) })),
  query_string: optional(object({ exclude: optional(queryNames), include: optional(queryNames) })),
  user: optional(object({ device_type: optional(flag), geo: optional(flag), lang: optional(flag) })),
});

const cacheKey = object({
  cache_by_device_type: optional(flag),
  cache_deception_armor: optional(flag),
  custom_key: optional(customKey),
  ignore_query_strings_order: optional(flag),
});

const statusCodeTtl = object({
  status_code: optional(statusCode),
  // The name of 2024.
  status_code_value: optional(statusCode),
  status_code_range: optional(object({ from: optional(statusCode), to: optional(statusCode) }, 1)),
  value: required(integer(-1, Number.MAX_SAFE_INTEGER)),
});

const variation = { action: required(oneOf(["bypass", "passthrough", "normalize"])) };

const vary = object({
  default: optional(object(variation)),
  headers: optional(
    record(
      text(),
      object({ ...variation, languages: optional(names), media_types: optional(names) }),
      rulesetLimits.parametersMax,
    ),
  ),
});

/** Parameters of caching. Stored and answered without effect, as there is no cache. */
export const cacheParameters = object(
  {
    additional_cacheable_ports: optional(uniqueList(integer(1, 65_535), rulesetLimits.parametersMax)),
    browser_ttl: optional(
      object({
        mode: required(oneOf(["respect_origin", "bypass_by_default", "override_origin", "bypass"])),
        default: optional(seconds),
      }),
    ),
    cache: optional(flag),
    cache_key: optional(cacheKey),
    cache_reserve: optional(
      object({
        eligible: required(flag),
        minimum_file_size: optional(seconds),
        // The name of 2024.
        min_file_size: optional(seconds),
      }),
    ),
    edge_ttl: optional(
      object({
        mode: required(oneOf(["respect_origin", "bypass_by_default", "override_origin"])),
        default: optional(seconds),
        status_code_ttl: optional(list(statusCodeTtl, rulesetLimits.parametersMax, 0)),
      }),
    ),
    origin_cache_control: optional(flag),
    origin_error_page_passthru: optional(flag),
    origin_range_requests: optional(object({ mode: required(oneOf(["on", "off", "default"])) })),
    read_timeout: optional(integer(1, 6000)),
    respect_strong_etags: optional(flag),
    serve_stale: optional(object({ disable_stale_while_updating: optional(flag) })),
    shared_dictionary: optional(object({ match_pattern: required(text()) })),
    strip_etags: optional(flag),
    strip_last_modified: optional(flag),
    strip_set_cookie: optional(flag),
    vary: optional(vary),
  },
  1,
);

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
const forSeconds = optional(described(readTimed, timed.schema));

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
const ofFields = optional(described(readNamed, named.schema));

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
