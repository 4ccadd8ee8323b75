import { decodeCharacterString, encodeCharacterString } from "./character-string.ts";
import type { Data, DataValue } from "./record-types.ts";
import { parseTargetAsSent, parseTargetOrRoot, targetOctets } from "./name.ts";
import { errorCodes } from "../../error-codes.ts";
import type { AppError } from "../../error.ts";
import { dnsError } from "./dns-error.ts";

/** Whether a field of an untrusted body is given; null means that it is not. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const decimal = /^-?\d{1,20}(?:\.\d{1,20})?$/;

/** A JSON number, or one in a text, as shell scripts and dns-lexicon send it; undefined for anything else. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && decimal.test(value) ? Number(value) : undefined;
}

const whiteSpace = /\s+/g;
const hexadecimal = /^(?:[0-9A-F]{2})+$/;
// RFC 4648 section 3.5: the unused bits of the last character are zero, so that octets have one text.
const base64Digits =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)$/;

/** One or more octets in hexadecimal, in upper case and without white space; undefined if the text is not that. */
export function parseHex(text: string): string | undefined {
  const digits = text.replace(whiteSpace, "").toUpperCase();
  return hexadecimal.test(digits) ? digits : undefined;
}

/** One or more octets in padded base64 (RFC 4648), without white space; undefined if the text is not that. */
export function parseBase64(text: string): string | undefined {
  const digits = text.replace(whiteSpace, "");
  return base64Digits.test(digits) ? digits : undefined;
}

/** The number of octets in a result of `parseHex`. */
function hexOctets(digits: string): number {
  return digits.length / 2;
}

/** The number of octets in a result of `parseBase64`. */
export function base64Octets(digits: string): number {
  return (digits.length / 4) * 3 - (digits.match(/=/g)?.length ?? 0);
}

/** The values of a field of `data`, and their presentation format. */
interface FieldKind {
  /** Completes "{field} must be …". */
  readonly expectation: string;
  readonly isNumber?: true;
  /** The canonical value of untrusted JSON; undefined if it is not valid. */
  readonly read: (value: unknown, zoneName: string) => DataValue | undefined;
  /** The JSON value that corresponds to this token of content. `read` refuses invalid ones. */
  readonly fromToken: (token: string) => unknown;
  readonly toToken: (value: DataValue) => string;
  /** Octets on the wire of a value that was read. */
  readonly octets: (value: DataValue) => number;
}

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** The field may be left out, and then has this value. */
  readonly fallback?: DataValue;
  /** The last field of a type may be written as more than one token. */
  readonly takesRest?: true;
}

/** The refusal of a field; without `expectation`, the field is missing. */
export interface FieldProblem {
  readonly field: string;
  readonly expectation?: string;
}

type FieldsResult = { readonly data: Data } | { readonly problems: readonly FieldProblem[] };

/** The values of `fields` in alphabetical order, or what is wrong with each. */
export function readFields(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
  zoneName: string,
): FieldsResult {
  const entries: [string, DataValue][] = [];
  const problems: FieldProblem[] = [];
  for (const { name, kind, fallback } of fields) {
    const given = values[name] ?? fallback;
    const value = given === undefined ? undefined : kind.read(given, zoneName);
    if (value !== undefined) entries.push([name, value]);
    else
      problems.push(given === undefined ? { field: name } : { field: name, expectation: kind.expectation });
  }
  if (problems.length > 0) return { problems };
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return { data: Object.fromEntries(entries) };
}

// A token that no kind of field can read.
const unreadable = Symbol("unreadable");

/** An integer from 0 to `max`, which is 255 for one octet and 65535 for two. */
export function wholeNumber(max: number): FieldKind {
  return {
    ...numberKind((value) => (Number.isInteger(value) && value >= 0 && value <= max ? value : undefined)),
    expectation: `a whole number from 0 to ${max}`,
    octets: () => (max > 255 ? 2 : 1),
  };
}

/** A number from `min` to `max`, rounded to `decimals` places; four octets. */
export function decimalNumber(min: number, max: number, decimals: number): FieldKind {
  const scale = 10 ** decimals;
  return {
    ...numberKind((value) => (value >= min && value <= max ? Math.round(value * scale) / scale : undefined)),
    expectation: `a number from ${min} to ${max}`,
    octets: () => 4,
  };
}

function numberKind(
  parse: (value: number) => number | undefined,
): Pick<FieldKind, "isNumber" | "read" | "fromToken" | "toToken"> {
  return {
    isNumber: true,
    read: (value) => {
      const given = readNumber(value);
      const number = given === undefined ? undefined : parse(given);
      // JSON knows -0; adding 0 makes it the 0 that its text is read back as.
      return number === undefined ? undefined : number + 0;
    },
    fromToken: (token) => (/^\d+$/.test(token) ? Number(token) : unreadable),
    toToken: String,
  };
}

/** One of `choices`, exactly as written. */
export function oneOf(...choices: readonly string[]): FieldKind {
  return bareText(`one of ${choices.join(", ")}`, (text) => (choices.includes(text) ? text : undefined));
}

/**
 * Text that is written in content without quotes. `parse` answers the canonical text or undefined; `octets` is its
 * length on the wire.
 */
export function bareText(
  expectation: string,
  parse: (text: string, zoneName: string) => string | undefined,
  octets: (text: string) => number = (text) => text.length + 1,
): FieldKind {
  return {
    expectation,
    read: (value, zoneName) => (typeof value === "string" ? parse(value, zoneName) : undefined),
    fromToken: (token) => token,
    toToken: String,
    octets: (value) => octets(String(value)),
  };
}

/**
 * Text of printable ASCII that is quoted in content; `data` holds it without quotes and escapes. Quotes that are sent
 * nevertheless, as dns-lexicon does, are removed.
 */
export function quotedText(pattern: RegExp, expectation: string): FieldKind {
  const parse = (text: string): string | undefined => {
    const unquoted = text.startsWith('"') ? (decodeCharacterString(text) ?? text) : text;
    return pattern.test(unquoted) ? unquoted : undefined;
  };
  return {
    ...bareText(expectation, parse),
    fromToken: (token) => decodeCharacterString(token) ?? unreadable,
    toToken: (value) => encodeCharacterString(String(value)),
  };
}

export const octet = wholeNumber(255);
export const twoOctets = wholeNumber(65535);
export const hex = bareText("octets in hexadecimal", parseHex, hexOctets);
export const base64 = bareText("octets in base64", parseBase64, base64Octets);
export const targetOrRoot = bareText('a hostname or "."', parseTargetOrRoot, targetOctets);
export const targetAsSent = bareText('a hostname or "."', parseTargetAsSent, targetOctets);

/** The top-level priority of a record, 0 to 65535, or its error. */
export function readPriority(value: unknown): number | AppError {
  if (!isGiven(value)) return priorityError(undefined);
  const priority = twoOctets.read(value, "");
  return priority === undefined ? priorityError(twoOctets.expectation) : Number(priority);
}

/** The error for a top-level priority: 9100 if it is absent, 9102 if it is not as expected. */
export function priorityError(expectation: string | undefined): AppError {
  return expectation === undefined
    ? dnsError(errorCodes.dnsRecords.missingPriority, "priority is a required field.", "/priority")
    : dnsError(errorCodes.dnsRecords.invalidField, `priority must be ${expectation}.`, "/priority");
}
