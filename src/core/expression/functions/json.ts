import { isJsonObject } from "../../json-object.ts";
import { decodeText, encodeText } from "../byte-string.ts";
import type { RequestContext, Value } from "../context.ts";
import type { CallSite, Implementation } from "./call-site.ts";

export const jsonFunctions: Readonly<Record<string, Implementation>> = {
  lookup_json_integer: (site) => (first, context) => {
    const found = lookUp(parseDocument(first, keepNumbers), site, context);
    if (!(found instanceof NumberText) || !/^-?[0-9]+$/.test(found.text)) return undefined;
    const value = Number(found.text);
    return Number.isSafeInteger(value) ? value : undefined;
  },
  lookup_json_string: (site) => (first, context) => {
    const found = lookUp(parseDocument(first), site, context);
    return typeof found === "string" ? encodeText(found) : undefined;
  },
};

type Reviver = (key: string, value: unknown, source: { readonly source?: string }) => unknown;

/** The source text of a number: `42.0` is not an integer for `lookup_json_integer`. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const keepNumbers: Reviver = (_key, value, { source = "" }) =>
  typeof value === "number" ? new NumberText(source) : value;

function parseDocument(bytes: Value | undefined, reviver?: Reviver): unknown {
  const text = bytes === undefined ? undefined : decodeText(bytes as string);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text, reviver as (this: unknown, key: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}

function lookUp(document: unknown, { rest }: CallSite, context: RequestContext): unknown {
  let found = document;
  for (const evaluate of rest) {
    const key = evaluate(context);
    if (typeof key === "number") found = Array.isArray(found) ? found[key] : undefined;
    else if (typeof key === "string" && isJsonObject(found)) found = member(found, decodeText(key) ?? key);
    else return undefined;
  }
  return found;
}

function member(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
