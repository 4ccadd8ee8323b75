import { splitTokens } from "../content/character-string.ts";
import { type Entry, ZoneFileError } from "./entries.ts";

/** Counts down the records and characters that `$GENERATE` may still make in a file. */
export interface GenerateBudget {
  records: number;
  characters: number;
}

const recordsMax = 65_536;
const charactersMax = 8 * 1024 * 1024;
const numberMax = 0x7fff_ffff;
const widthMax = 255;

export function newGenerateBudget(): GenerateBudget {
  return { records: recordsMax, characters: charactersMax };
}

/**
 * The entries that a `$GENERATE` of BIND stands for: `$GENERATE START-STOP[/STEP] OWNER [TTL] [CLASS] TYPE DATA`,
 * where `$` in owner and data is the number, and `${OFFSET,WIDTH,RADIX}` another format of it. Data in one pair of
 * quotes is what the quotes hold. Throws ZoneFileError for a malformed one, and for more than 65,536 records or
 * 8,388,608 characters in a file (https://bind9.readthedocs.io/en/stable/chapter3.html#the-generate-directive).
 */
export function* generatedEntries(
  entry: Entry,
  typeAtOf: (made: Entry) => number,
  budget: GenerateBudget,
): Generator<Entry, void, undefined> {
  const [, range = "", owner, ...rest] = entry.tokens;
  if (owner === undefined) throw malformed(entry);
  const { start, stop, step } = readRange(entry, range);
  const made = (tokens: readonly string[]): Entry => ({
    ...entry,
    hasOwner: true,
    tokens,
    source: tokens.join(" "),
  });
  const typeAt = typeAtOf(made([owner, ...rest]));
  const head = rest.slice(0, typeAt);
  const data = rest.slice(typeAt);
  if (head.length < typeAt || data.length === 0) throw malformed(entry);
  for (let number = start; number <= stop; number += step) {
    const tokens = [substitute(entry, owner, number), ...head, ...dataFor(entry, data, number)];
    budget.records -= 1;
    budget.characters -= tokens.reduce((sum, token) => sum + token.length, 0);
    if (budget.records < 0 || budget.characters < 0) {
      throw new ZoneFileError(
        entry.line,
        `$GENERATE makes more than ${recordsMax} records or ${charactersMax} characters.`,
      );
    }
    yield made(tokens);
  }
}

function dataFor(entry: Entry, data: readonly string[], number: number): readonly string[] {
  const [only = "", ...more] = data;
  if (more.length > 0 || !/^".*"$/s.test(only)) {
    return data.map((token) => substitute(entry, token, number));
  }
  const held = substitute(entry, only.slice(1, -1).replaceAll('\\"', '"'), number);
  return held.trim() === "" ? [only] : (splitTokens(held) ?? [held]);
}

function readRange(entry: Entry, text: string): Record<"start" | "stop" | "step", number> {
  const match = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text);
  const [start, stop, step] = [match?.[1], match?.[2], match?.[3] ?? "1"].map(Number);
  if (start === undefined || stop === undefined || step === undefined) throw malformed(entry);
  // NaN where the range is malformed.
  if (!(start <= stop) || stop > numberMax || step < 1 || step > numberMax) {
    throw new ZoneFileError(entry.line, "The range of $GENERATE is malformed.");
  }
  return { start, stop, step };
}

const placeholders = /\\\$|\\.|\$\$|\$\{([^}]*)\}|\$/gs;
const numberFormat = /^\s*([+-]?\d{1,10})(?:,\s*(\d{1,3})(?:,\s*([doxXnN]))?)?$/;

function substitute(entry: Entry, text: string, number: number): string {
  return text.replace(placeholders, (found, format?: string) => {
    if (found === "$") return String(number);
    if (found === "$$" || found === "\\$") return "$";
    return format === undefined ? found : formatted(entry, format, number);
  });
}

function formatted(entry: Entry, format: string, number: number): string {
  const [, offset, width = "0", radix = "d"] = numberFormat.exec(format) ?? [];
  if (offset === undefined || Number(width) > widthMax) throw malformed(entry);
  const value = number + Number(offset);
  if (value < 0 || value > numberMax) {
    throw new ZoneFileError(entry.line, "$GENERATE makes a number out of range.");
  }
  switch (radix) {
    case "n":
      return nibbles(value.toString(16), Number(width));
    case "N":
      return nibbles(value.toString(16).toUpperCase(), Number(width));
    case "x":
      return value.toString(16).padStart(Number(width), "0");
    case "X":
      return value.toString(16).toUpperCase().padStart(Number(width), "0");
    case "o":
      return value.toString(8).padStart(Number(width), "0");
    default:
      return String(value).padStart(Number(width), "0");
  }
}

/** The digits as labels, the last one first; the dots between them count for the width. */
function nibbles(digits: string, width: number): string {
  const labels = digits.split("").toReversed();
  while (2 * labels.length < width) labels.push("0");
  const text = labels.join(".");
  return text.length < width ? `${text}.` : text;
}

function malformed({ line }: Entry): ZoneFileError {
  return new ZoneFileError(line, "$GENERATE is malformed.");
}
