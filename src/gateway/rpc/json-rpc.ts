import { isNestedTooDeep, jsonLevelsMax } from "../../core/json-scan.ts";
import { elementTexts, memberTexts } from "./json-slices.ts";

/** Error codes of JSON-RPC 2.0 and EIP-1474, and 3 of the execution APIs. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverError: -32000,
  notFound: -32001,
  unavailable: -32002,
  rejected: -32003,
  notSupported: -32004,
  limitExceeded: -32005,
  reverted: 3,
} as const;

interface RpcErrorOptions {
  /** The status of a single call that is refused so; a batch is always answered with 200. */
  readonly status?: number;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is an error: `text` is the JSON of the error object. Its message holds nothing private. */
export class RpcError extends Error {
  readonly code: number;
  readonly text: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: number, message: string, { status = 200, data, headers = {} }: RpcErrorOptions = {}) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.text = JSON.stringify({ code, message, ...(data !== undefined && { data }) });
    this.status = status;
    this.headers = headers;
  }
}

/** A well-formed call. */
export interface Call {
  /** As it is written in the request; undefined in a notification, which is never answered. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: readonly unknown[];
  /** The parameters as they are written, an array. */
  readonly paramsText: string;
}

/** What stands where a call should. */
export interface Malformed {
  /** Undefined in a notification. */
  readonly id: string | undefined;
  readonly error: RpcError;
}

export interface ReceivedBody {
  readonly isBatch: boolean;
  readonly entries: readonly (Call | Malformed)[];
}

/**
 * Reads the body of a request (JSON-RPC 2.0, sections 4 and 6). Throws `RpcError` if one error answers the whole body, as
 * it does a batch of more than `callsMax`.
 */
export function readBody(text: string, callsMax: number): ReceivedBody {
  if (isNestedTooDeep(text)) {
    throw new RpcError(
      codes.invalidRequest,
      `Invalid request: nested more than ${jsonLevelsMax} levels deep`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RpcError(codes.parseError, "Parse error");
  }
  if (!Array.isArray(value)) return { isBatch: false, entries: [readEntry(value, text)] };
  if (value.length === 0) throw new RpcError(codes.invalidRequest, "Invalid request: the batch is empty");
  if (value.length > callsMax) throw batchTooLong(value.length, callsMax);
  const texts = elementTexts(text);
  return { isBatch: true, entries: value.map((entry, index) => readEntry(entry, texts[index] ?? "")) };
}

/** Each made once: a stack trace for every entry of a batch would cost more than to answer it. */
const entryErrors = {
  entry: new RpcError(codes.invalidRequest, "Invalid request: not an object"),
  id: new RpcError(codes.invalidRequest, "Invalid request: `id` must be a string, a number or null"),
  version: new RpcError(codes.invalidRequest, 'Invalid request: `jsonrpc` must be "2.0"'),
  method: new RpcError(codes.invalidRequest, "Invalid request: `method` must be a string"),
  params: new RpcError(codes.invalidRequest, "Invalid request: `params` must be an array"),
  // Named parameters are legal JSON-RPC, though no Ethereum method has any.
  named: new RpcError(
    codes.invalidParams,
    "Invalid params: named parameters are not supported, send an array",
  ),
} as const;

function readEntry(entry: unknown, text: string): Call | Malformed {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    return { id: "null", error: entryErrors.entry };
  }
  const { jsonrpc, method, params = [], id } = entry as Record<string, unknown>;
  const texts = memberTexts(text);
  const isIdValid = id === undefined || id === null || typeof id === "string" || typeof id === "number";
  const idText = isIdValid ? texts.get("id") : "null";
  const refuse = (error: RpcError): Malformed => ({ id: idText ?? "null", error });

  if (!isIdValid) return refuse(entryErrors.id);
  if (jsonrpc !== "2.0") return refuse(entryErrors.version);
  if (typeof method !== "string") return refuse(entryErrors.method);
  if (typeof params !== "object" || params === null) return refuse(entryErrors.params);
  if (!Array.isArray(params)) return { id: idText, error: entryErrors.named };
  return { id: idText, method, params, paramsText: texts.get("params") ?? "[]" };
}

function batchTooLong(calls: number, limit: number): RpcError {
  return new RpcError(codes.invalidRequest, `A batch of ${calls} calls exceeds the limit of ${limit}`, {
    data: { limit, requested: calls, unit: "calls" },
  });
}

/** A response around a result that is JSON already. */
export function resultResponse(id: string, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${resultText}}`;
}

/** A response around an error object that is JSON already. */
export function errorResponse(id: string, errorText: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${errorText}}`;
}

/** What a client learns of an answer that is larger than `gateway_response_bytes_max`. */
export function responseTooLarge(bytesMax: number): RpcError {
  return new RpcError(codes.invalidParams, `The response exceeds ${bytesMax} bytes; ask for less`, {
    data: { limit: bytesMax, unit: "bytes" },
  });
}
