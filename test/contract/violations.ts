import { isIPv4, isIPv6 } from "node:net";

import { Ajv, type ErrorObject } from "ajv";

import type { Schema } from "./references.ts";

const label = String.raw`(?!-)[\w-]{1,63}(?<!-)`;

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  verbose: true,
  formats: {
    "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
    hostname: new RegExp(String.raw`^(?:\*\.)?${label}(?:\.${label})*$`),
    ipv4: isIPv4,
    ipv6: isIPv6,
  },
});

/**
 * Places where an answer does not fit a schema without references, each once: `/result/*\/paused must be boolean`. Of
 * alternatives, the nearest one counts.
 */
export function violations(schema: Schema, answer: unknown): string[] {
  const validate = ajv.compile(schema);
  if (validate(answer)) return [];
  return [...new Set(nearest(validate.errors ?? [], ""))];
}

function nearest(errors: readonly ErrorObject[], schemaPath: string): string[] {
  const own = errors.filter((error) => !error.schemaPath.slice(schemaPath.length).includes("/anyOf/"));
  return own.flatMap((error) => (error.keyword === "anyOf" ? ofAlternatives(error, errors) : [told(error)]));
}

function ofAlternatives(error: ErrorObject, errors: readonly ErrorObject[]): string[] {
  const ofItem = errors.filter((other) => isWithin(other.instancePath, error.instancePath));
  const sameKind = (error.schema as readonly unknown[]).flatMap((_, index) => {
    const path = `${error.schemaPath}/${index}/`;
    const within = ofItem.filter((other) => other.schemaPath.startsWith(path));
    return within.some((other) => saysKind(other, error.instancePath)) ? [] : [nearest(within, path)];
  });
  const [best] = sameKind.toSorted((one, other) => one.length - other.length);
  return best ?? [`${placeOf(error)}${kindOf(error.data)} fits no alternative`];
}

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}/`);

/** Whether the alternative is for an item of another `id` or `type`. */
const saysKind = ({ keyword, instancePath }: ErrorObject, item: string): boolean =>
  keyword === "enum" && [`${item}/id`, `${item}/type`].includes(instancePath);

function kindOf(data: unknown): string {
  const { id, type } = data as { id?: unknown; type?: unknown };
  const kind = type ?? id;
  return typeof kind === "string" ? ` (${kind})` : "";
}

const placeOf = ({ instancePath }: ErrorObject): string => instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/*");

function told(error: ErrorObject): string {
  const allowed = error.keyword === "enum" ? ` ${JSON.stringify(error.params["allowedValues"])}` : "";
  return `${placeOf(error)} ${error.message}${allowed}`;
}
