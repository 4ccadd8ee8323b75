import { errorCodes } from "../error-codes.ts";
import { AppError, invalidRequest, notFound } from "../error.ts";

const codes = errorCodes.rulesets;
const shownLengthMax = 200;

/**
 * `'x' is not a valid value for kind because ...`, as the public API words it. The name is the pointer's last field.
 */
export function invalidValue(
  pointer: string,
  value: unknown,
  reason: string,
  code:
    | "invalidValue"
    | "invalidExpression"
    | "duplicate"
    | "skipInAccount"
    | "reservedHeader"
    | "tooManyEntryPoints" = "invalidValue",
): AppError {
  const message = `'${shown(value)}' is not a valid value for ${nameAt(pointer)} because ${reason}`;
  return invalidRequest(codes[code], message, pointer);
}

export function unknownField(pointer: string, name: string): AppError {
  return invalid("unknownField", `invalid JSON: unknown field ${JSON.stringify(name)}`, pointer);
}

export function missingField(pointer: string): AppError {
  return invalid("missingField", `${nameAt(pointer)} is required`, pointer);
}

export function parametersMissing(pointer: string, action: string): AppError {
  return invalid("parametersMissing", `action parameters are required for the ${action} action`, pointer);
}

export function loggingWithoutSkip(pointer: string): AppError {
  return invalid(
    "loggingWithoutSkip",
    "logging can only be configured for rules with the skip action",
    pointer,
  );
}

export function limitExceeded(pointer: string, what: string, most: number): AppError {
  return invalid("limitExceeded", `exceeded maximum number of ${what} (${most})`, pointer);
}

export function notEntitledToManaged(): AppError {
  const message =
    "'' is not a valid value for ShareableEntitlementName because required for managed rulesets";
  return invalid("invalidValue", message, "/kind");
}

/** The error for changing a managed ruleset or the latest version. */
export function readOnly(message: string): AppError {
  return invalidRequest(codes.readOnly, message);
}

export function inUse(message: string): AppError {
  return invalidRequest(codes.inUse, message);
}

export function noEntryPoint(phase: string): AppError {
  return notFound(codes.noEntryPoint, `could not find entrypoint ruleset in the ${phase} phase`);
}

export function noRuleset(): AppError {
  return notFound(codes.unknownRuleset, "could not find ruleset");
}

export function noVersion(version: string): AppError {
  return notFound(codes.unknownVersion, `could not find version ${version} of the ruleset`);
}

export function noRule(): AppError {
  return notFound(codes.unknownRule, "could not find rule in the ruleset");
}

export function noTag(): AppError {
  return notFound(codes.unknownTag, "could not find rules with the tag in the ruleset");
}

function invalid(code: keyof typeof codes, message: string, pointer: string): AppError {
  return invalidRequest(codes[code], message, pointer);
}

/** The last name of a pointer, without indexes. */
function nameAt(pointer: string): string {
  const names = pointer.split("/").filter((part) => part !== "" && !/^\d+$/.test(part));
  return names.at(-1) ?? "body";
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text;
}
