import { isUtf8 } from "node:buffer";
import { isJsonObject, isNestedTooDeep, jsonLevelsMax } from "../core/json.ts";
import { transportErrors } from "./errors.ts";

/**
 * Parses a body; undefined if it is empty. Members that reach for a prototype are dropped.
 * Errors: 400 code 6007 for other encodings than UTF-8 (RFC 8259, section 8.1), which would be stored as wrong
 * characters, for what is nested too deep and for what is not JSON.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw transportErrors.malformedJson();
  const text = body.toString();
  if (isNestedTooDeep(text)) throw transportErrors.nestedTooDeep(jsonLevelsMax);
  try {
    return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text, reachOf(text));
  } catch {
    throw transportErrors.malformedJson();
  }
}

/** The reviver that drops members; undefined for a text that needs none, as it makes parsing slow. */
function reachOf(text: string): ((name: string, value: unknown) => unknown) | undefined {
  const mayReach = text.includes("__proto__") || text.includes('"constructor"') || text.includes("\\u");
  return mayReach ? (name, value) => (reachesPrototype(name, value) ? undefined : value) : undefined;
}

function reachesPrototype(name: string, value: unknown): boolean {
  if (name === "__proto__") return true;
  return name === "constructor" && isJsonObject(value) && Object.hasOwn(value, "prototype");
}
