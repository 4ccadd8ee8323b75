import type { AppError } from "../../core/error.ts";
import { jsonLevelsMax } from "../../core/json.ts";

/** Error codes of JSON-RPC 2.0 and EIP-1474, and 3 of the Ethereum execution APIs. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverError: -32000,
  notFound: -32001,
  unavailable: -32002,
  notSupported: -32004,
  limitExceeded: -32005,
  reverted: 3,
} as const;

const errorClasses: Readonly<Record<number, string>> = {
  [codes.reverted]: "reverted",
  [codes.parseError]: "malformed",
  [codes.invalidRequest]: "malformed",
  [codes.methodNotFound]: "method",
  [codes.notSupported]: "method",
  [codes.invalidParams]: "params",
  [codes.unavailable]: "unavailable",
  [codes.limitExceeded]: "limit",
  [codes.internalError]: "internal",
};

/** The class of an error code, a label in metrics; `node` for the codes that nodes define themselves. */
export function errorClass(code: number): string {
  return errorClasses[code] ?? "node";
}

interface RpcErrorOptions {
  /** HTTP status of the answer to a single call; a batch is always answered with 200. */
  readonly status?: number;
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that a client is answered with. Its message holds nothing private. */
export class RpcError extends Error {
  readonly code: number;
  /** The JSON of the error object. */
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

/**
 * Every error that the gateway makes. Those without parameters exist once, as a stack trace costs more than an answer.
 */
export const rpcErrors = {
  malformedJson: new RpcError(codes.parseError, "Parse error"),
  notUtf8: new RpcError(codes.parseError, "Parse error: not UTF-8"),
  nestedTooDeep: new RpcError(
    codes.invalidRequest,
    `Invalid request: nested more than ${jsonLevelsMax} levels deep`,
  ),
  emptyBatch: new RpcError(codes.invalidRequest, "Invalid request: the batch is empty"),
  batchTooLong: (calls: number, limit: number) =>
    new RpcError(codes.invalidRequest, `A batch of ${calls} calls exceeds the limit of ${limit}`, {
      data: { limit, requested: calls, unit: "calls" },
    }),
  notAnObject: new RpcError(codes.invalidRequest, "Invalid request: not an object"),
  invalidId: new RpcError(codes.invalidRequest, "Invalid request: `id` must be a string, a number or null"),
  invalidVersion: new RpcError(codes.invalidRequest, 'Invalid request: `jsonrpc` must be "2.0"'),
  invalidMethod: new RpcError(codes.invalidRequest, "Invalid request: `method` must be a string"),
  invalidParams: new RpcError(codes.invalidRequest, "Invalid request: `params` must be an array"),
  // Legal in JSON-RPC, but no Ethereum method has named parameters.
  namedParams: new RpcError(
    codes.invalidParams,
    "Invalid params: named parameters are not supported, send an array",
  ),

  invalidHost: new RpcError(codes.invalidRequest, "The request must have one Host header", { status: 400 }),
  // RFC 6455, section 4.4: a client of another version learns which are served.
  invalidHandshake: (message: string) =>
    new RpcError(codes.invalidRequest, message, {
      status: 400,
      headers: { "sec-websocket-version": "13, 8" },
    }),
  hostNotAllowed: new RpcError(
    codes.serverError,
    "Browsers are not served under this name; see the setting allowed_hosts",
    { status: 421 },
  ),
  originNotAllowed: new RpcError(
    codes.serverError,
    "This origin may not connect; see the setting gateway_cors_origins",
    { status: 403 },
  ),
  httpMethodNotAllowed: (method: string) =>
    new RpcError(codes.invalidRequest, `${method} is not supported: send calls by POST`, {
      status: 405,
      headers: { allow: "POST, OPTIONS" },
    }),
  compressedBody: new RpcError(codes.invalidRequest, "Compressed bodies are not supported", { status: 415 }),
  bodyTooLarge: (limit: number) =>
    new RpcError(codes.invalidRequest, `The body exceeds ${limit} bytes`, {
      status: 413,
      data: { limit, unit: "bytes" },
    }),
  tooManyCalls: (retrySeconds: number) =>
    new RpcError(codes.limitExceeded, "Too many calls; see Retry-After", {
      status: 429,
      headers: { "retry-after": String(retrySeconds) },
    }),

  unknownNetwork: (networks: readonly string[]) =>
    new RpcError(codes.notFound, `Unknown network; there are: ${networks.join(", ")}`, {
      status: 404,
      data: { networks },
    }),
  retiredNetwork: (message: string, data: object, headers: Readonly<Record<string, string>>) =>
    new RpcError(codes.notSupported, message, { status: 410, data, headers }),
  methodNotAvailable: (method: string, status: 200 | 403) =>
    new RpcError(codes.methodNotFound, `The method ${method} does not exist or is not available`, { status }),
  methodNeedsWebSocket: (method: string, status: 200 | 403) =>
    new RpcError(codes.methodNotFound, `The method ${method} needs a WebSocket`, { status }),
  // Clients do not repeat a call that failed with -32602.
  rangeTooWide: (method: string, unit: "blocks" | "count", requested: number, limit: number) =>
    new RpcError(
      codes.invalidParams,
      `${method} is limited to ${unit === "count" ? `a count of ${limit}` : `${limit} blocks`}; ${requested} were asked for`,
      { data: { method, limit, requested, unit } },
    ),
  responseTooLarge: (bytesMax: number) =>
    new RpcError(codes.invalidParams, `The response exceeds ${bytesMax} bytes; ask for less`, {
      data: { limit: bytesMax, unit: "bytes" },
    }),

  noUpstreamConfigured: (network: string) =>
    unavailable(`No upstream is configured for ${network}; see the setting gateway_networks`, {
      network,
      setting: "gateway_networks",
    }),
  developmentChainUnavailable: (network: string, reason: string) =>
    unavailable(
      `The development chain of ${network} cannot be started: ${reason}. The setting gateway_networks takes upstreams instead`,
      { network, setting: "gateway_networks" },
    ),
  developmentChainEnded: (network: string, reason: string) =>
    unavailable(`The development chain of ${network} has ended: ${reason}. The next call starts it again`, {
      network,
    }),
  developmentChainFull: (network: string, gasMax: number) =>
    new RpcError(
      codes.serverError,
      `The transactions of the development chain of ${network} have used ${gasMax} gas, which is all that it stores. ` +
        "Without its file in the data directory, the next start begins a new chain",
    ),
  noUpstreamAnswers: (network: string) => unavailable(`No upstream of ${network} answers`),
  upstreamsBehind: (network: string, block: number) =>
    unavailable(`Every upstream of ${network} that answers is behind block ${block}`),
  upstreamsDisagree: (network: string, agreement: number) =>
    unavailable(`Fewer than ${agreement} upstreams of ${network} agree`),

  connectionEnded: new RpcError(codes.serverError, "The connection has ended"),
  tooManySubscriptions: (limit: number) =>
    new RpcError(codes.limitExceeded, `A connection may have ${limit} subscriptions`),
  subscriptionsFull: new RpcError(
    codes.limitExceeded,
    "There are too many subscriptions: end some, or try again later",
  ),
  unknownSubscription: new RpcError(
    codes.invalidParams,
    "There are subscriptions to newHeads, logs and newPendingTransactions",
  ),
  fullPendingTransactions: new RpcError(
    codes.invalidParams,
    "Only the hashes of pending transactions can be subscribed to",
  ),
  invalidLogFilter: new RpcError(codes.invalidParams, "Invalid filter of logs"),
  internalError: new RpcError(codes.internalError, "Internal error"),
} as const;

function unavailable(message: string, data?: Readonly<Record<string, string>>): RpcError {
  return new RpcError(codes.unavailable, message, { status: 503, data });
}

/** The JSON-RPC form of an error of authentication: 401 for credentials that are missing or malformed, 403, or 503. */
export function credentialsError({ kind, message }: AppError): RpcError {
  if (kind === "unavailable") return unavailable(message);
  if (kind !== "invalid" && kind !== "unauthenticated") {
    return new RpcError(codes.serverError, message, { status: 403 });
  }
  return new RpcError(codes.serverError, message, {
    status: 401,
    headers: { "www-authenticate": "Bearer" },
  });
}
