import { PatternError } from "../../expression/engines.ts";
import { lowerAscii, decodeText } from "../../expression/byte-string.ts";
import { LruMap } from "../../lru-map.ts";
import { parseIpAddress } from "../../net/ip-address.ts";
import { isInRange, parseIpRange, type IpRange } from "../../net/ip-range.ts";
import { compileMacro, type ReadVariable, type Found, type Operator } from "./operator.ts";
import { compilePattern, type Pattern, type PatternFacts } from "../patterns/pattern.ts";
import { SecLangError, type Location } from "../parse/directives.ts";
import { findSqlInjection } from "../sql-injection/find.ts";
import { isScriptInjection } from "../script-injection/find.ts";

/** The functions that operators need from outside of `src/core`. */
export interface OperatorEnvironment {
  /** The hash of a byte string (FIPS 180-4). */
  readonly sha1: (bytes: string) => string;
  /** The facts that parsing a pattern gives, or gave before. Throws PatternError. */
  readonly factsOf: (pattern: string) => PatternFacts;
  /** The content, as a byte string, of a data file that the rule at `location` names. Throws SecLangError. */
  readonly readData: (location: Location, name: string) => string;
}

type Compile = (argument: string, location: Location, environment: OperatorEnvironment) => Operator;

const nothing: Found = [];
/** Number of expansions of a pattern with macros that are kept compiled. */
const expandedMax = 16;
const never = finding(() => false);

const compilers: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ["rx", compileExpression],
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
  ["validateurlencoding", () => finding(hasWrongUrlEncoding)],
  ["validateutf8encoding", () => finding(hasWrongUtf8)],
  ["ipmatch", (argument, location) => compileAddresses(argument.split(","), location)],
  ["ipmatchfromfile", compileAddressFiles],
  ["ipmatchf", compileAddressFiles],
  ["detectsqli", compileSqlDetection],
  ["detectxss", () => finding(isScriptInjection)],
  ["unconditionalmatch", () => finding(() => true)],
  ["nomatch", () => never],
  // Evaluation makes no network requests, and there is no geolocation data.
  ["rbl", () => never],
  ["geolookup", () => never],
]);

/** Throws SecLangError for an unknown operator or a wrong argument. */
export function compileOperator(
  location: Location,
  name: string,
  argument: string,
  environment: OperatorEnvironment,
): Operator {
  const compile = compilers.get(name.toLowerCase());
  if (compile === undefined) throw new SecLangError(location, `the operator "@${name}" is not supported`);
  return compile(argument, location, environment);
}

/** Throws SecLangError for an invalid pattern. */
export function compileText(
  text: string,
  location: Location,
  factsOf?: OperatorEnvironment["factsOf"],
): Pattern {
  try {
    return compilePattern(text, factsOf?.(text));
  } catch (error) {
    if (error instanceof PatternError) throw new SecLangError(location, error.message);
    throw error;
  }
}

function compileExpression(argument: string, location: Location, { factsOf }: OperatorEnvironment): Operator {
  if (!argument.includes("%{")) return operatorOf(compileText(argument, location, factsOf));
  const macro = compileMacro(argument);
  const compiled = new LruMap<string, Operator>(expandedMax);
  const expanded = (read: ReadVariable): Operator => {
    const text = macro(read);
    const known = compiled.get(text);
    if (known !== undefined) return known;
    const operator = operatorOf(compileText(text, location));
    compiled.set(text, operator);
    return operator;
  };
  return {
    isMatch: (value, read) => expanded(read).isMatch(value, read),
    find: (value, read) => expanded(read).find(value, read),
  };
}

function operatorOf({ isMatch, find, literals }: Pattern): Operator {
  return { isMatch, find: (value) => find(value) ?? nothing, literals };
}

function finding(isMatch: Operator["isMatch"]): Operator {
  return { isMatch, find: () => nothing };
}

function findingAll(isMatch: Operator["isMatch"]): Operator {
  return { isMatch, find: (value) => [value] };
}

function compileSqlDetection(): Operator {
  // A rule that captures asks a second time about the value that matched.
  let last = { value: "", shape: findSqlInjection("") };
  const find = (value: string): string | undefined => {
    if (value !== last.value) last = { value, shape: findSqlInjection(value) };
    return last.shape;
  };
  return { isMatch: (value) => find(value) !== undefined, find: (value) => [find(value)] };
}

function findPhrases(list: readonly string[]): Operator {
  const literals = list.filter((phrase) => phrase !== "").map(lowerAscii);
  let made: Phrases | undefined;
  // The lists are made when they are first asked: the filter of all literals rules most of them out.
  const phrases = (): Phrases => (made ??= new Phrases(literals));
  return {
    isMatch: (value) => phrases().find(value) !== undefined,
    find: (value) => [phrases().find(value)],
    literals,
  };
}

function compilePhraseFiles(
  argument: string,
  location: Location,
  environment: OperatorEnvironment,
): Operator {
  return findPhrases(linesOfFiles(argument, location, environment));
}

function linesOfFiles(argument: string, location: Location, { readData }: OperatorEnvironment): string[] {
  const files = argument.split(/\s+/).filter((name) => name !== "");
  return files
    .flatMap((name) => readData(location, name).split(/\r?\n/))
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

function compileByteRange(argument: string, location: Location): Operator {
  const isOutside = outsideOfRanges(argument);
  if (isOutside === undefined) throw new SecLangError(location, `"${argument}" is no range of octets`);
  return finding(isOutside);
}

function compileAddressFiles(
  argument: string,
  location: Location,
  environment: OperatorEnvironment,
): Operator {
  return compileAddresses(linesOfFiles(argument, location, environment), location);
}

function compileAddresses(list: readonly string[], location: Location): Operator {
  const ranges = list.map((text): IpRange => {
    const range = parseIpRange(text.trim());
    if (range === undefined) throw new SecLangError(location, `"${text}" is no address`);
    return range;
  });
  return findingAll((value) => {
    const address = parseIpAddress(value);
    return address !== undefined && ranges.some((range) => isInRange(address, range));
  });
}

function texts(isMatch: (value: string, argument: string) => boolean): Compile {
  return (argument) => {
    const macro = compileMacro(argument);
    return findingAll((value, read) => isMatch(value, macro(read)));
  };
}

function numbers(isMatch: (value: number, argument: number) => boolean): Compile {
  return (argument) => {
    if (!argument.includes("%{")) {
      const number = toNumber(argument);
      return findingAll((value) => isMatch(toNumber(value), number));
    }
    const macro = compileMacro(argument);
    return findingAll((value, read) => isMatch(toNumber(value), toNumber(macro(read))));
  };
}

/** Reads a number as C's `atoi` does: 0 if the text does not begin with one. */
export function toNumber(text: string): number {
  if (text.length === 1) {
    const digit = text.charCodeAt(0) - 0x30;
    return digit >= 0 && digit <= 9 ? digit : 0;
  }
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

function outsideOfRanges(ranges: string): ((value: string) => boolean) | undefined {
  const permitted = new Uint8Array(256);
  for (const range of ranges.split(",")) {
    const [, first, last = first] = /^\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*$/.exec(range) ?? [];
    if (first === undefined || Number(last) > 255) return undefined;
    permitted.fill(1, Number(first), Number(last) + 1);
  }
  return (value) => {
    for (let index = 0; index < value.length; index += 1) {
      if (permitted[value.charCodeAt(index)] === 0) return true;
    }
    return false;
  };
}

/** Whether a value has a `%` without two hexadecimal digits after it. */
function hasWrongUrlEncoding(value: string): boolean {
  return /%(?![0-9a-fA-F]{2})/.test(value);
}

/** Whether a value is invalid UTF-8 (RFC 3629 section 4). */
function hasWrongUtf8(value: string): boolean {
  return decodeText(value) === undefined;
}

interface Node {
  readonly next: Map<number, Node>;
  fallback: Node | undefined;
  phrase: string | undefined;
}

/** Finds the first of many phrases in one pass over a text, ignoring letter case (Aho and Corasick, 1975). */
export class Phrases {
  readonly #root: Node = newNode();

  constructor(phrases: Iterable<string>) {
    for (const phrase of phrases) this.#add(lowerAscii(phrase));
    this.#link();
  }

  find(bytes: string): string | undefined {
    let node = this.#root;
    for (let index = 0; index < bytes.length; index += 1) {
      node = this.#step(node, lowerCode(bytes.charCodeAt(index)));
      if (node.phrase !== undefined) return bytes.slice(index + 1 - node.phrase.length, index + 1);
    }
    return undefined;
  }

  #step(from: Node, code: number): Node {
    for (let node: Node | undefined = from; node !== undefined; node = node.fallback) {
      const next = node.next.get(code);
      if (next !== undefined) return next;
    }
    return this.#root;
  }

  #add(phrase: string): void {
    if (phrase === "") return;
    let node = this.#root;
    for (let index = 0; index < phrase.length; index += 1) {
      const code = phrase.charCodeAt(index);
      let next = node.next.get(code);
      if (next === undefined) node.next.set(code, (next = newNode()));
      node = next;
    }
    node.phrase = phrase;
  }

  #link(): void {
    const waiting: Node[] = [...this.#root.next.values()];
    for (const node of waiting) node.fallback = this.#root;
    // The loop appends to the list that it iterates.
    for (const node of waiting) {
      for (const [code, next] of node.next) {
        next.fallback = this.#step(node.fallback ?? this.#root, code);
        next.phrase ??= next.fallback.phrase;
        waiting.push(next);
      }
    }
  }
}

function newNode(): Node {
  return { next: new Map(), fallback: undefined, phrase: undefined };
}

function lowerCode(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}
