import { isJsonObject } from "../../../json.ts";
import { decodeText, encodeText } from "../../byte-string.ts";
import type { RequestContext, Value } from "../../context.ts";
import type { CallSite, Implementation } from "./call-site.ts";

export const jsonFunctions: Readonly<Record<string, Implementation>> = {
  lookup_json_integer: (site) => (first, context) => {
    const path = pathOf(site, context);
    const document = documentOf(first, context);
    const found = path && lookUp(document, path);
    if (path === undefined || document === undefined || !Number.isSafeInteger(found)) return undefined;
    return /^-?[0-9]+$/.test(sourceOf(document.text, path)) ? (found as number) : undefined;
  },
  lookup_json_string: (site) => (first, context) => {
    const path = pathOf(site, context);
    const found = path && lookUp(documentOf(first, context), path);
    return typeof found === "string" ? encodeText(found) : undefined;
  },
};

interface Document {
  readonly text: string;
  readonly value: unknown;
}

type Path = readonly (string | number)[];

function documentOf(bytes: Value | undefined, context: RequestContext): Document | undefined {
  return bytes === undefined ? undefined : context.readOnce(bytes as string, readDocument);
}

function readDocument(bytes: string): Document | undefined {
  const text = decodeText(bytes);
  if (text === undefined) return undefined;
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The path that the arguments give; undefined where a key is missing. */
function pathOf({ rest }: CallSite, context: RequestContext): Path | undefined {
  const path: (string | number)[] = [];
  for (const evaluate of rest) {
    const key = evaluate(context);
    if (typeof key === "number") path.push(key);
    else if (typeof key === "string") path.push(decodeText(key) ?? key);
    else return undefined;
  }
  return path;
}

function lookUp(document: Document | undefined, path: Path): unknown {
  let found = document?.value;
  for (const key of path) {
    if (typeof key === "number") found = Array.isArray(found) ? found[key] : undefined;
    else found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

const blanks = /[\t\n\r ]*/y;
const stringToken = /"(?:[^"\\]|\\.)*"/y;
/** Anything up to the next string or bracket: a number, `true`, `false` or `null` where a value begins. */
const plainToken = /[^"[\]{}]+/y;
const scalarToken = /[^",:[\]{}\t\n\r ]+/y;

/**
 * The notation of the value at a path of a JSON text: `42.0` is not an integer for `lookup_json_integer`. A
 * reviver of `JSON.parse` knows it too, but takes 200 ms for 128 KiB of numbers.
 */
function sourceOf(text: string, path: Path): string {
  let at = 0;
  for (const key of path) at = typeof key === "number" ? elementAt(text, at, key) : memberAt(text, at, key);
  at = after(blanks, text, at);
  return text.slice(at, after(scalarToken, text, at));
}

function elementAt(text: string, array: number, index: number): number {
  let at = after(blanks, text, array) + 1;
  for (let skipped = 0; skipped < index; skipped += 1) at = after(blanks, text, afterValue(text, at)) + 1;
  return at;
}

/** Finds a member of an object. Of several with the same name the last one counts. */
function memberAt(text: string, object: number, name: string): number {
  let found = -1;
  for (let at = after(blanks, text, object); text[at] !== "}";) {
    const start = after(blanks, text, at + 1);
    if (text[start] !== '"') break;
    const end = after(stringToken, text, start);
    const value = after(blanks, text, end) + 1;
    if (JSON.parse(text.slice(start, end)) === name) found = value;
    at = after(blanks, text, afterValue(text, value));
  }
  return found;
}

function afterValue(text: string, start: number): number {
  let at = after(blanks, text, start);
  if (text[at] !== "{" && text[at] !== "[")
    return after(text[at] === '"' ? stringToken : scalarToken, text, at);
  let depth = 0;
  do {
    const character = text[at];
    if (character === '"') at = after(stringToken, text, at);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else at = after(plainToken, text, at);
    if (character !== '"' && "{}[]".includes(character ?? "")) at += 1;
  } while (depth > 0);
  return at;
}

function after(token: RegExp, text: string, at: number): number {
  token.lastIndex = at;
  return token.test(text) ? token.lastIndex : at;
}
