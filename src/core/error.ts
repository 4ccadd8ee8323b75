import { errorCodes } from "./error-codes.ts";

/** What went wrong, independent of HTTP: only `http/errors.ts` knows the status code of each kind. */
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

/** What a client may read of an error: an integer code, and a message that holds nothing private. */
export interface ErrorDetail {
  readonly code: number;
  readonly message: string;
}

interface AppErrorOptions {
  /** JSON pointer into the request body, or `/name` of a query parameter. */
  readonly pointer?: string;
  /** Older clients read the specific reason here (docs/contract/errors.md#chains). */
  readonly chain?: readonly ErrorDetail[];
  /** Further details, in the `messages` of the envelope. */
  readonly messages?: readonly ErrorDetail[];
  /** Made before a resource was reached: such answers put `success` first (docs/contract/envelope.md). */
  readonly beforeResource?: boolean;
  /** For the log only, never for the client. */
  readonly cause?: unknown;
}

/**
 * The one error that a client may read. Anything else that is thrown becomes a bare 500.
 */
export class AppError extends Error implements ErrorDetail {
  readonly kind: ErrorKind;
  readonly code: number;
  readonly pointer: string | undefined;
  readonly chain: readonly ErrorDetail[];
  readonly messages: readonly ErrorDetail[];
  readonly beforeResource: boolean;

  constructor(kind: ErrorKind, code: number, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.kind = kind;
    this.code = code;
    this.pointer = options.pointer;
    this.chain = options.chain ?? [];
    this.messages = options.messages ?? [];
    this.beforeResource = options.beforeResource ?? false;
  }
}

/** The error for an invalid query parameter: 400 code 1003 with a pointer to it. */
export function invalidParameter(name: string, rule: string): AppError {
  return new AppError("invalid", errorCodes.request.invalid, `Invalid query parameter \`${name}\`: ${rule}`, {
    pointer: `/${escapePointer(name)}`,
  });
}

/** The error for what a body says at the pointer: 400 code 1003, unless clients know another code there. */
export function invalidBody(
  pointer: string,
  rule: string,
  code: number = errorCodes.request.invalid,
): AppError {
  return new AppError("invalid", code, `Invalid body \`${pointer.slice(1)}\`: ${rule}`, { pointer });
}

/** The error for an id of something that is not there: 404 code 1001, unless clients know another code there. */
export function invalidIdentifier(
  noun: string,
  code: number = errorCodes.permissions.unknownResource,
): AppError {
  return new AppError("not-found", code, `Invalid ${noun} identifier`);
}

/** The error for one more than a zone may have: 400. */
export function aboveQuota(code: number, quota: number, noun: string): AppError {
  return new AppError("invalid", code, `The zone already has its maximum of ${quota} ${noun}`);
}

/** The error for a caller who may do other things there: 403 code 10000. */
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
