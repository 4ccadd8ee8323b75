import { isJsonObject } from "../../core/json-object.ts";
import { isNestedTooDeep } from "../../core/json-scan.ts";
import { RpcError, rpcErrors } from "./errors.ts";
import { elementTexts, memberTexts } from "./json-slices.ts";

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

export interface RpcBody {
  readonly isBatch: boolean;
  readonly entries: readonly (Call | MalformedCall)[];
}

/**
 * Parses the body of a request (JSON-RPC 2.0, sections 4 and 6). A body that cannot be parsed, and a batch of no calls or
 * of more than `callsMax`, is one malformed call.
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

/** A response with a result, which is JSON already. */
export function resultResponse(id: string, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${resultText}}`;
}

/** A response with an error object, which is JSON already. */
export function errorResponse(id: string, errorText: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${errorText}}`;
}
