import { isNestedDeeperThan } from "../core/json-scan.ts";
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

const levelsMax = 64;

/**
 * Reads the body of a request (JSON-RPC 2.0, sections 4 and 6). Throws `RpcError` if one error answers the whole body.
 */
export function readBody(text: string): ReceivedBody {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RpcError(codes.parseError, "Parse error");
  }
  if (isNestedDeeperThan(levelsMax, text)) {
    throw new RpcError(codes.invalidRequest, `Invalid request: nested more than ${levelsMax} levels deep`);
  }
  if (!Array.isArray(value)) return { isBatch: false, entries: [readEntry(value, text)] };
  if (value.length === 0) throw new RpcError(codes.invalidRequest, "Invalid request: the batch is empty");
  const texts = elementTexts(text);
  return { isBatch: true, entries: value.map((entry, index) => readEntry(entry, texts[index] ?? "")) };
}

function readEntry(entry: unknown, text: string): Call | Malformed {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    return malformed("null", codes.invalidRequest, "Invalid request: not an object");
  }
  const { jsonrpc, method, params = [], id } = entry as Record<string, unknown>;
  const texts = memberTexts(text);
  const isIdValid = id === undefined || id === null || typeof id === "string" || typeof id === "number";
  const idText = isIdValid ? texts.get("id") : "null";
  const refuse = (code: number, message: string): Malformed => malformed(idText ?? "null", code, message);

  if (!isIdValid)
    return refuse(codes.invalidRequest, "Invalid request: `id` must be a string, a number or null");
  if (jsonrpc !== "2.0") return refuse(codes.invalidRequest, 'Invalid request: `jsonrpc` must be "2.0"');
  if (typeof method !== "string")
    return refuse(codes.invalidRequest, "Invalid request: `method` must be a string");
  if (typeof params !== "object" || params === null)
    return refuse(codes.invalidRequest, "Invalid request: `params` must be an array");
  if (!Array.isArray(params)) {
    // Named parameters are legal JSON-RPC, though no Ethereum method has any.
    const message = "Invalid params: named parameters are not supported, send an array";
    return { id: idText, error: new RpcError(codes.invalidParams, message) };
  }
  return { id: idText, method, params, paramsText: texts.get("params") ?? "[]" };
}

function malformed(id: string, code: number, message: string): Malformed {
  return { id, error: new RpcError(code, message) };
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
