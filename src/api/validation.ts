import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Ajv, type ErrorObject, type FuncKeywordDefinition, type Options, type ValidateFunction } from "ajv";
import type { Query } from "./query.ts";
import { unsetMembers } from "./unset-members.ts";
import { errorCodes } from "../core/error-codes.ts";
import {
  escapePointer,
  invalidBody,
  invalidParameter,
  invalidRequest,
  type AppError,
} from "../core/error.ts";
import type { FormBody } from "../core/forms/multipart.ts";
import { notAForm } from "../core/forms/upload.ts";
import { isJsonObject } from "../core/json.ts";

/** Marks a schema of a list whose body may be a single item. */
const acceptsOne = "x-accepts-one";

/** The keyword that says in words, for errors, what a `pattern` asks for. */
export const patternRule = "x-pattern-rule";

/** PostgreSQL cannot store it, and no text of the API needs it. */
const noNul = "must not hold the character U+0000";
/** The store would replace it by another character. */
const noLoneSurrogate = "must not hold half of a surrogate pair";

const bodies = compiler({
  useDefaults: true,
  keywords: [
    textRule("holdsNoNul", noNul, (text) => !text.includes("\0")),
    textRule("holdsNoLoneSurrogate", noLoneSurrogate, (text) => text.isWellFormed()),
  ],
});
const queries = compiler({ coerceTypes: true });

function textRule(
  keyword: string,
  message: string,
  accepts: (text: string) => boolean,
): FuncKeywordDefinition {
  return { keyword, type: "string", error: { message }, validate: (_: true, text: string) => accepts(text) };
}

/** Compiles schemas. Ajv is set up with the first one, which most commands never need. */
function compiler(options: Options): (schema: Part) => ValidateFunction {
  let ajv: Ajv | undefined;
  return (schema) => {
    // Unknown properties are permitted, as clients send read-only ones back.
    // Our own schemas are checked by a test, not at each start.
    ajv ??= new Ajv({ strict: false, allErrors: false, validateSchema: false, verbose: true, ...options });
    return ajv.compile(schema);
  };
}

/**
 * Validates a parsed body without coercion; a null that an optional member does not take is taken out of it. Texts of
 * the schema must not hold U+0000 or half of a surrogate pair; what the schema leaves open has rules of its own.
 * Errors: those of `toError`, by default 400 code 1003 with a JSON pointer into the body.
 */
export function bodyValidator<Schema extends TSchema>(
  schema: Schema,
  toError: ToError = invalidBody,
): (value: unknown) => Static<Schema> {
  const validate = validator(bodies, schema, { toError, completed: withTextRules });
  let unset: ReturnType<typeof unsetMembers> | undefined;
  return (value) => {
    const sent = schema[acceptsOne] === true ? asList(value) : value;
    unset ??= unsetMembers(schema);
    unset(sent);
    return validate(sent);
  };
}

/** A list of one for a single item. */
function asList(value: unknown): unknown {
  return isJsonObject(value) ? [value] : value;
}

type Part = Readonly<Record<string, unknown>>;

/** The schema with the rules for texts added to every text. */
function withTextRules(schema: Part): Part {
  const within = (parts: unknown): unknown =>
    Object.fromEntries(
      Object.entries(parts as Record<string, Part>).map(([key, part]) => [key, withTextRules(part)]),
    );
  const each = (parts: unknown): unknown => (parts as readonly Part[]).map(withTextRules);
  const inner: Record<string, (parts: unknown) => unknown> = {
    properties: within,
    patternProperties: within,
    items: (part) => withTextRules(part as Part),
    anyOf: each,
    allOf: each,
  };
  const isFreeText = schema["type"] === "string" && schema["const"] === undefined;
  const entries = Object.entries(schema).map(([key, part]) => [key, inner[key]?.(part) ?? part]);
  return {
    ...Object.fromEntries(entries),
    ...(isFreeText && { holdsNoNul: true, holdsNoLoneSurrogate: true }),
  };
}

/**
 * Validates the parameters of a query that the schema names, and coerces them to its types.
 * Errors: 400 code 1003 with `/name` of the parameter.
 */
export function queryValidator<Schema extends TObject>(schema: Schema): (value: Query) => Static<Schema> {
  const validate = validator(queries, schema, { toError: invalidQuery });
  const mayBeEmpty = schema.required === undefined;
  return (query) => {
    const known: Record<string, string> = {};
    let isEmpty = true;
    for (const [name, value] of Object.entries(query)) {
      if (!Object.hasOwn(schema.properties, name)) continue;
      if (value.includes("\0")) throw invalidParameter(name, noNul);
      known[name] = value;
      isEmpty = false;
    }
    // Most requests name none of them: there is nothing to check, and no schema to compile.
    return isEmpty && mayBeEmpty ? known : validate(known);
  };
}

/** The error for what breaks a rule; the JSON pointer is empty for the whole. */
export type ToError = (pointer: string, rule: string) => AppError;

/** Parameters of some lists are objects, so that the place may be deeper than the name of a parameter. */
function invalidQuery(pointer: string, rule: string): AppError {
  const message = `Invalid query parameter \`${pointer.slice(1)}\`: ${rule}`;
  return invalidRequest(errorCodes.request.invalid, message, pointer);
}

interface Validation {
  readonly toError: ToError;
  readonly completed?: (schema: Part) => Part;
}

function validator<Schema extends TSchema>(
  compile: (schema: Part) => ValidateFunction,
  schema: Schema,
  { toError, completed = (complete) => complete }: Validation,
): (value: unknown) => Static<Schema> {
  // Compiled with the first request: most processes never need most routes.
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= compile(completed(schema));
    if (validate(value)) return value;
    const { pointer, rule } = describeFirst(validate.errors ?? []);
    throw toError(pointer, rule);
  };
}

/** Describes the first error, which is the deepest one of the first alternative. */
function describeFirst([error, ...others]: readonly ErrorObject[]): { pointer: string; rule: string } {
  const missing: unknown = error?.params["missingProperty"];
  const unknown: unknown = error?.params["additionalProperty"];
  const path = error?.instancePath ?? "";
  const property = missing ?? unknown;
  const pointer = typeof property === "string" ? `${path}/${escapePointer(property)}` : path;
  const rule =
    missing !== undefined ? "is required" : unknown !== undefined ? "is not known" : describe(error, others);
  return { pointer, rule };
}

/** Rules about the size of a value, by the keyword of the schema. */
const sizeRules: Readonly<Record<string, (limit: number) => string>> = {
  minItems: (limit) => `must hold at least ${limit} item${limit === 1 ? "" : "s"}`,
  maxItems: (limit) => `must hold at most ${limit} item${limit === 1 ? "" : "s"}`,
  minLength: (limit) => (limit === 1 ? "must not be empty" : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
};

function describe(error: ErrorObject | undefined, others: readonly ErrorObject[]): string {
  if (error === undefined) return "is not valid";
  const sizeRule = sizeRules[error.keyword];
  if (sizeRule !== undefined) return sizeRule(Number(error.params["limit"]));
  const patternWords: unknown = error.keyword === "pattern" ? error.parentSchema?.[patternRule] : undefined;
  if (typeof patternWords === "string") return patternWords;
  if (error.keyword !== "const") return error.message ?? "is not valid";
  // Each literal of a union is an alternative with an error of its own.
  const choices = [error, ...others]
    .filter(({ keyword, instancePath }) => keyword === "const" && instancePath === error.instancePath)
    .map(({ params }) => String(params["allowedValue"]));
  return `must be one of: ${choices.join(", ")}`;
}

/** The form in a body. It owns its memory, which can therefore be transferred to a worker. Errors: 400 code 1003. */
export function formOf(body: unknown, contentType = ""): FormBody {
  if (!Buffer.isBuffer(body)) throw notAForm();
  const { buffer, byteLength } = body as Buffer<ArrayBuffer>;
  const isOwner = buffer.byteLength === byteLength;
  return { bytes: isOwner ? new Uint8Array(buffer) : new Uint8Array(body), contentType };
}
