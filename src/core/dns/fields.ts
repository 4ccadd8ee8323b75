import { decodeCharacterString, encodeCharacterString } from "./character-string.ts";
import { base64Octets, hexOctets, parseBase64, parseHex } from "./encodings.ts";
import { readNumber } from "./json.ts";
import type { Data, DataValue } from "./record-types.ts";
import { parseTargetAsSent, parseTargetOrRoot, targetOctets } from "./targets.ts";

/** What a field of `data` may hold, and how it is written in presentation form. */
export interface FieldKind {
  /** Completes "{field} must be …". */
  readonly expectation: string;
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

/** Why a field is refused; without `expectation`, because it is missing. */
export interface FieldProblem {
  readonly field: string;
  readonly expectation?: string;
}

export type FieldsResult = { readonly data: Data } | { readonly problems: readonly FieldProblem[] };

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
): Pick<FieldKind, "read" | "fromToken" | "toToken"> {
  return {
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
 * Text that is written in content without quotes. `parse` answers the canonical text or undefined;
 * `octets` is its length on the wire.
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
export function quotedText(form: RegExp, expectation: string): FieldKind {
  const parse = (text: string): string | undefined => {
    const unquoted = text.startsWith('"') ? (decodeCharacterString(text) ?? text) : text;
    return form.test(unquoted) ? unquoted : undefined;
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
