import { errorCodes } from "./error-codes.ts";

/** Kinds of errors, independent of HTTP: only `api/errors.ts` knows their status codes. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "gone"
  | "timeout"
  | "too-large"
  | "uri-too-long"
  | "misdirected"
  | "too-many-requests"
  | "unavailable";

/** The part of an error that clients see; it holds nothing private. */
export interface ErrorDetail {
  readonly code: number;
  readonly message: string;
}

interface AppErrorOptions {
  /** JSON pointer into the request body, or `/name` of a query parameter. */
  readonly pointer?: string;
  /** Older clients read the specific reason here (docs/contract/errors.md#chains). */
  readonly chain?: readonly ErrorDetail[];
  readonly others?: readonly AppError[];
  readonly messages?: readonly ErrorDetail[];
  /**
   * Whether the request failed before it reached a resource: such answers put `success` first
   * (docs/contract/envelope.md).
   */
  readonly beforeResource?: boolean;
  readonly cause?: unknown;
}

/** The only error that clients see: any other becomes a bare 500. */
export class AppError extends Error implements ErrorDetail {
  readonly kind: ErrorKind;
  readonly code: number;
  readonly pointer: string | undefined;
  readonly chain: readonly ErrorDetail[];
  readonly others: readonly AppError[];
  readonly messages: readonly ErrorDetail[];
  readonly beforeResource: boolean;

  constructor(kind: ErrorKind, code: number, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.kind = kind;
    this.code = code;
    this.pointer = options.pointer;
    this.chain = options.chain ?? [];
    this.others = options.others ?? [];
    this.messages = options.messages ?? [];
    this.beforeResource = options.beforeResource ?? false;
  }
}

/** Joins errors of a request: the first carries the others. */
export function joinErrors(errors: readonly AppError[]): AppError {
  const [first, ...rest] = errors;
  if (first === undefined) throw new Error("there is no error");
  if (rest.length === 0) return first;
  const { kind, code, message, pointer, chain, messages } = first;
  const others = [...first.others, ...rest.flatMap((error) => [error].concat(error.others))];
  return new AppError(kind, code, message, {
    ...(pointer !== undefined && { pointer }),
    chain,
    messages,
    others,
    cause: first,
  });
}

/** The error for an invalid request: 400. */
export function invalidRequest(code: number, message: string, pointer?: string): AppError {
  return new AppError("invalid", code, message, pointer === undefined ? {} : { pointer });
}

/** The error for something that does not exist: 404. */
export function notFound(code: number, message: string): AppError {
  return new AppError("not-found", code, message);
}

/** The error for an operation that the caller may not use: 403. */
export function forbidden(code: number, message: string): AppError {
  return new AppError("forbidden", code, message);
}

/** The error for more work than the server can do: 503 code 10505. */
export function overloaded(message: string, cause?: unknown): AppError {
  return new AppError("unavailable", errorCodes.server.overloaded, message, { cause });
}

/** The error for an invalid query parameter: 400 code 1003 with a pointer to it. */
export function invalidParameter(name: string, rule: string): AppError {
  const message = `Invalid query parameter \`${name}\`: ${rule}`;
  return invalidRequest(errorCodes.request.invalid, message, `/${escapePointer(name)}`);
}

/**
 * The error for an invalid value in a body, or with an empty pointer the body itself: 400, code 1003 by
 * default.
 */
export function invalidBody(
  pointer: string,
  rule: string,
  code: number = errorCodes.request.invalid,
): AppError {
  const place = pointer === "" ? "body" : `body \`${pointer.slice(1)}\``;
  return invalidRequest(code, `Invalid ${place}: ${rule}`, pointer);
}

/** The error for an unknown id: 404, code 1001 by default. */
export function invalidIdentifier(
  noun: string,
  code: number = errorCodes.permissions.unknownResource,
): AppError {
  return notFound(code, `Invalid ${noun} identifier`);
}

/** The error for exceeding the quota of a zone: 400. */
export function aboveQuota(code: number, quota: number, noun: string): AppError {
  return invalidRequest(code, `The zone already has its maximum of ${quota} ${noun}`);
}

/** The error for a missing permission on a visible resource: 403 code 10000. */
export function permissionDenied(): AppError {
  return new AppError("forbidden", errorCodes.permissions.lacking, "Authentication error", {
    beforeResource: true,
  });
}

/** The error for a caller who may not create or delete accounts: 403 code 1002. */
export function accountCreationDenied(): AppError {
  return new AppError(
    "forbidden",
    errorCodes.accounts.creation,
    "You do not have permission to create or delete accounts: that is for the owner, where the setting " +
      "`create_accounts` = `owner`",
    { beforeResource: true },
  );
}

/** A key as a step of a JSON pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
