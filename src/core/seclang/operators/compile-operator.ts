import { PatternError } from "../../expression/regex-engine.ts";
import { lowerAscii } from "../../expression/byte-string.ts";
import { LruMap } from "../../lru-map.ts";
import { parseIpAddress } from "../../net/ip-address.ts";
import { isInRange, parseIpRange, type IpRange } from "../../net/ip-range.ts";
import { compileMacro } from "../evaluate/macro.ts";
import { SecLangError, type Place } from "../parse/seclang-error.ts";
import { findSqlInjection } from "../sql-injection/find.ts";
import { isScriptInjection } from "../script-injection/judge.ts";
import { validateByteRange, validateUrlEncoding, validateUtf8Encoding } from "./octets.ts";
import { requiredLiterals } from "./literals.ts";
import type { CompiledOperator, Found, Operator } from "./operator.ts";
import type { Pattern, PatternEngine } from "./pattern-engine.ts";
import { translatePcre } from "./pcre.ts";
import { Phrases } from "./phrases.ts";

/** What operators need from outside of the core. */
export interface OperatorEnvironment {
  readonly patterns: PatternEngine;
  /** The hash of a byte string (FIPS 180-4). */
  readonly sha1: (bytes: string) => string;
  /** The text of a file that a rule of `place` names, as a byte string. Throws SecLangError. */
  readonly readData: (place: Place, name: string) => string;
}

type Compile = (
  argument: string,
  place: Place,
  environment: OperatorEnvironment,
) => Operator | CompiledOperator;

/** It matched, and found nothing in particular. */
const matched: Found = [];
/** How many forms of a pattern with variables in it are kept. */
const expandedMax = 16;
const never: Operator = () => undefined;

const compilers: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ["rx", compilePattern],
  ["pm", (argument) => findPhrases(argument.split(/\s+/))],
  ["pmfromfile", compilePhraseFiles],
  ["pmf", compilePhraseFiles],
  ["streq", texts((value, argument) => value === argument)],
  ["contains", texts((value, argument) => value.includes(argument))],
  ["containsword", texts((value, argument) => containsWord(value, argument))],
  ["beginswith", texts((value, argument) => value.startsWith(argument))],
  ["endswith", texts((value, argument) => value.endsWith(argument))],
  ["within", texts((value, argument) => argument.includes(value))],
  ["strmatch", texts((value, argument) => value.includes(argument))],
  ["eq", numbers((value, argument) => value === argument)],
  ["lt", numbers((value, argument) => value < argument)],
  ["le", numbers((value, argument) => value <= argument)],
  ["gt", numbers((value, argument) => value > argument)],
  ["ge", numbers((value, argument) => value >= argument)],
  ["validatebyterange", compileByteRange],
  ["validateurlencoding", () => validateUrlEncoding],
  ["validateutf8encoding", () => validateUtf8Encoding],
  ["ipmatch", (argument, place) => compileAddresses(argument.split(","), place)],
  ["ipmatchfromfile", compileAddressFiles],
  ["ipmatchf", compileAddressFiles],
  ["detectsqli", () => (value) => findSqlInjection(value)],
  ["detectxss", () => (value) => (isScriptInjection(value) ? matched : undefined)],
  ["unconditionalmatch", () => () => matched],
  ["nomatch", () => never],
  // No request waits for an answer of the network, and nothing here knows where addresses are.
  ["rbl", () => never],
  ["geolookup", () => never],
]);

/** Throws SecLangError for an unknown operator or a wrong argument. */
export function compileOperator(
  place: Place,
  name: string,
  argument: string,
  environment: OperatorEnvironment,
): CompiledOperator {
  const compile = compilers.get(name.toLowerCase());
  if (compile === undefined) throw new SecLangError(place, `the operator "@${name}" is not supported`);
  const compiled = compile(argument, place, environment);
  return typeof compiled === "function" ? { judge: compiled, literals: undefined } : compiled;
}

function compilePattern(
  argument: string,
  place: Place,
  { patterns }: OperatorEnvironment,
): Operator | CompiledOperator {
  if (!argument.includes("%{")) {
    return {
      judge: operatorOf(compileText(argument, place, patterns)),
      literals: requiredLiterals(argument),
    };
  }
  const macro = compileMacro(argument);
  const compiled = new LruMap<string, Operator>(expandedMax);
  return (value, read) => {
    const text = macro(read);
    let operator = compiled.get(text);
    if (operator === undefined) {
      operator = operatorOf(compileText(text, place, patterns));
      compiled.set(text, operator);
    }
    return operator(value, read);
  };
}

function compileText(text: string, place: Place, patterns: PatternEngine): Pattern {
  const { pattern, needsBacktracking } = translatePcre(text);
  try {
    return needsBacktracking ? patterns.compileBacktracking(pattern) : patterns.compile(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new SecLangError(place, error.message);
    throw error;
  }
}

function operatorOf(pattern: Pattern): Operator {
  return (value) => (pattern.isMatch(value) ? pattern.find(value) : undefined);
}

function findPhrases(list: readonly string[]): CompiledOperator {
  const literals = list.filter((phrase) => phrase !== "").map(lowerAscii);
  const phrases = new Phrases(literals);
  const judge: Operator = (value) => {
    const found = phrases.find(value);
    return found === undefined ? undefined : [found];
  };
  return { judge, literals };
}

function compilePhraseFiles(
  argument: string,
  place: Place,
  environment: OperatorEnvironment,
): CompiledOperator {
  return findPhrases(linesOfFiles(argument, place, environment));
}

function linesOfFiles(argument: string, place: Place, { readData }: OperatorEnvironment): string[] {
  const files = argument.split(/\s+/).filter((name) => name !== "");
  return files
    .flatMap((name) => readData(place, name).split(/\r?\n/))
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

function compileByteRange(argument: string, place: Place): Operator {
  const operator = validateByteRange(argument);
  if (operator === undefined) throw new SecLangError(place, `"${argument}" is no range of octets`);
  return operator;
}

function compileAddressFiles(argument: string, place: Place, environment: OperatorEnvironment): Operator {
  return compileAddresses(linesOfFiles(argument, place, environment), place);
}

function compileAddresses(list: readonly string[], place: Place): Operator {
  const ranges = list.map((text): IpRange => {
    const range = parseIpRange(text.trim());
    if (range === undefined) throw new SecLangError(place, `"${text}" is no address`);
    return range;
  });
  return (value) => {
    const address = parseIpAddress(value);
    return address !== undefined && ranges.some((range) => isInRange(address, range)) ? [value] : undefined;
  };
}

function texts(isMatch: (value: string, argument: string) => boolean): Compile {
  return (argument) => {
    const macro = compileMacro(argument);
    return (value, read) => (isMatch(value, macro(read)) ? [value] : undefined);
  };
}

function numbers(isMatch: (value: number, argument: number) => boolean): Compile {
  return (argument) => {
    const macro = compileMacro(argument);
    return (value, read) => (isMatch(toNumber(value), toNumber(macro(read))) ? [value] : undefined);
  };
}

/** As C's `atoi` reads it: 0 where the text begins with no number. */
export function toNumber(text: string): number {
  const [digits = "0"] = /^\s*[+-]?\d{1,15}/.exec(text) ?? [];
  return Number(digits);
}

function containsWord(value: string, word: string): boolean {
  const [text, searched] = [lowerAscii(value), lowerAscii(word)];
  for (let at = text.indexOf(searched); at >= 0; at = text.indexOf(searched, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + searched.length);
    if (!/\w/.test(before) && !/\w/.test(after)) return true;
  }
  return false;
}
