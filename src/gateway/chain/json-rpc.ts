import {
  isJsonObject,
  isNestedTooDeep,
  closingBrace,
  closingBracket,
  comma,
  endOfString,
  isClosing,
  isOpening,
  quote,
} from "../../core/json.ts";
import { RpcError, rpcErrors } from "./errors.ts";

/**
 * Parts of a JSON text, byte for byte: a number above 2^53 or an escape would change if it were parsed and rendered.
 * All functions expect a text that `JSON.parse` accepts.
 */

/** A well-formed call. */
export interface Call {
  /** Its JSON text; undefined in a notification, which gets no response. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: readonly unknown[];
  /** The JSON text of the parameters, an array. */
  readonly paramsText: string;
}

/** An entry of a body that is not a well-formed call. */
export interface MalformedCall {
  /** Undefined in a notification. */
  readonly id: string | undefined;
  readonly error: RpcError;
}

interface RpcBody {
  readonly isBatch: boolean;
  readonly entries: readonly (Call | MalformedCall)[];
}

/**
 * Parses the body of a request (JSON-RPC 2.0, sections 4 and 6). A body that cannot be parsed, and a batch of no calls
 * or of more than `callsMax`, is one malformed call.
 */
export function parseBody(text: string, callsMax: number): RpcBody {
  if (isNestedTooDeep(text)) return malformedBody(rpcErrors.nestedTooDeep);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformedBody(rpcErrors.malformedJson);
  }
  if (!Array.isArray(value)) return { isBatch: false, entries: [parseEntry(value, text)] };
  if (value.length === 0) return malformedBody(rpcErrors.emptyBatch);
  if (value.length > callsMax) return malformedBody(rpcErrors.batchTooLong(value.length, callsMax));
  const texts = elementTexts(text);
  return { isBatch: true, entries: value.map((entry, index) => parseEntry(entry, texts[index] ?? "")) };
}

function malformedBody(error: RpcError): RpcBody {
  return { isBatch: false, entries: [{ id: "null", error }] };
}

function parseEntry(entry: unknown, text: string): Call | MalformedCall {
  if (!isJsonObject(entry)) return { id: "null", error: rpcErrors.notAnObject };
  // Some clients send null for no params, as go-ethereum takes it.
  const { jsonrpc, method, id } = entry;
  const params = entry["params"] ?? [];
  const texts = memberTexts(text);
  const isIdValid = id === undefined || id === null || typeof id === "string" || typeof id === "number";
  const idText = isIdValid ? texts.get("id") : "null";
  const malformed = (error: RpcError): MalformedCall => ({ id: idText ?? "null", error });

  if (!isIdValid) return malformed(rpcErrors.invalidId);
  if (jsonrpc !== "2.0") return malformed(rpcErrors.invalidVersion);
  if (typeof method !== "string") return malformed(rpcErrors.invalidMethod);
  if (typeof params !== "object") return malformed(rpcErrors.invalidParams);
  if (!Array.isArray(params)) return { id: idText, error: rpcErrors.namedParams };
  const paramsText = entry["params"] === null ? undefined : texts.get("params");
  return { id: idText, method, params, paramsText: paramsText ?? "[]" };
}

export function resultResponse(id: string, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${resultText}}`;
}

/** A response with an error object, which is JSON already. */
export function errorResponse(id: string, errorText: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${errorText}}`;
}

const space = 0x20;

/**
 * The members of an object with the text of each value. Of members with the same name the last one counts, as in
 * `JSON.parse`.
 */
export function memberTexts(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = afterSpace(text, text.indexOf("{") + 1);
  while (text.charCodeAt(at) !== closingBrace) {
    const nameEnd = endOfString(text, at);
    const name = stringOf(text.slice(at, nameEnd));
    const start = afterSpace(text, text.indexOf(":", nameEnd) + 1);
    const end = endOfValue(text, start);
    members.set(name, text.slice(start, end));
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === comma) at = afterSpace(text, at + 1);
  }
  return members;
}

function stringOf(text: string): string {
  return text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1);
}

export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let at = afterSpace(text, text.indexOf("[") + 1);
  while (text.charCodeAt(at) !== closingBracket) {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === comma) at = afterSpace(text, at + 1);
  }
  return elements;
}

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  if (!isOpening(first)) return endOfLiteral(text, start);
  let depth = 0;
  for (let at = start; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (isOpening(code)) depth += 1;
    else if (isClosing(code)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
}

/** The end of a number, `true`, `false` or `null`. */
function endOfLiteral(text: string, start: number): number {
  let at = start;
  while (at < text.length && isInLiteral(text.charCodeAt(at))) at += 1;
  return at;
}

function isInLiteral(code: number): boolean {
  return code > space && code !== comma && !isClosing(code);
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= space) at += 1;
  return at;
}
