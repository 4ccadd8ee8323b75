import { errorCodes } from "../core/error-codes.ts";
import { AppError, type ErrorKind, invalidRequest, notFound } from "../core/error.ts";
import { failureBody, type WireError } from "./envelope.ts";

const statusOfKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  "not-found": 404,
  "method-not-allowed": 405,
  gone: 410,
  timeout: 408,
  "too-large": 413,
  "uri-too-long": 414,
  misdirected: 421,
  "too-many-requests": 429,
  unavailable: 503,
};

export interface FailureAnswer {
  readonly status: number;
  readonly body: string;
}

/** The only place where an error becomes a status code and a body. */
export function failureAnswer(error: AppError): FailureAnswer {
  const errors = [error, ...error.others].map(toWireError);
  return {
    status: statusOfKind[error.kind],
    body: failureBody(errors, error.beforeResource, error.messages),
  };
}

function toWireError({ code, message, pointer, chain }: AppError): WireError {
  return {
    code,
    message,
    ...(pointer !== undefined && { source: { pointer } }),
    ...(chain.length > 0 && { error_chain: chain }),
  };
}

/** The answer to an unexpected error; its message is left out, as it may hold something private. */
export const internalFailure: FailureAnswer = {
  status: 500,
  body: failureBody([{ code: errorCodes.server.internal, message: "Internal server error" }], false),
};

export const transportErrors = {
  noRoute: () =>
    new AppError("invalid", errorCodes.request.noRoute, "No route for that URI", { beforeResource: true }),
  unroutableId: (path: string) =>
    notFound(
      errorCodes.request.unroutableId,
      `Could not route to ${path}, perhaps your object identifier is invalid?`,
    ),
  methodNotAllowed: (hint?: string) =>
    new AppError(
      "method-not-allowed",
      errorCodes.request.methodNotAllowed,
      `Method not allowed for this authentication scheme${hint === undefined ? "" : `: ${hint}`}`,
      { beforeResource: true },
    ),
  malformedJson: () => invalidRequest(errorCodes.request.malformedJson, "Malformed JSON in request body"),
  nestedTooDeep: (levelsMax: number) =>
    invalidRequest(
      errorCodes.request.malformedJson,
      `JSON in request body is nested more than ${levelsMax} levels deep`,
    ),
  bodyTooLarge: (bytesMax: number) =>
    new AppError("too-large", errorCodes.request.bodyTooLarge, `Request body exceeds ${bytesMax} bytes`),
  queryTooLong: (charactersMax: number) =>
    new AppError(
      "uri-too-long",
      errorCodes.request.queryTooLong,
      `Query exceeds ${charactersMax} characters`,
    ),
  tooManyRequests: () =>
    new AppError(
      "too-many-requests",
      errorCodes.request.tooMany,
      "Please wait and consider throttling your request speed",
      { beforeResource: true },
    ),
  requestTimeout: () =>
    new AppError("timeout", errorCodes.request.timeout, "Request was not received in time", {
      beforeResource: true,
    }),
  unknownHost: () =>
    new AppError(
      "misdirected",
      errorCodes.request.unknownHost,
      "Browsers are not served under this name; see the setting allowed_hosts",
      { beforeResource: true },
    ),
  clientGone: () =>
    new AppError("invalid", errorCodes.request.invalidHeaders, "The client closed the connection"),
  malformedRequest: () =>
    new AppError("invalid", errorCodes.request.invalidHeaders, "Invalid request headers", {
      beforeResource: true,
    }),
} as const;
