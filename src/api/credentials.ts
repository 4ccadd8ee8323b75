import { errorCodes } from "../core/error-codes.ts";
import { AppError, type ErrorDetail } from "../core/error.ts";

/** Well-formed credentials, which are not validated yet. */
export interface Credentials {
  /** The token of `Authorization: Bearer`; it counts if there is a key too (docs/contract/credentials.md). */
  readonly token: string | undefined;
  readonly key: { readonly email: string; readonly key: string } | undefined;
  /** The id of a browser's session, without a token or key; empty if the browser has none. */
  readonly session?: string;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const bearer = /^bearer +([A-Za-z0-9_-]{40,80})$/i;
const email = /^[^\s@]{1,256}@[^\s@]{1,253}$/;
/** The Global API Key in its old and its new form. */
const globalKey = /^(?:[0-9a-f]{37,45}|cfk_[A-Za-z0-9_-]{40,80})$/;

const malformed = {
  authorization: {
    code: errorCodes.request.invalidAuthorizationHeader,
    message: "Invalid format for Authorization header",
  },
  email: { code: errorCodes.request.invalidEmailHeader, message: "Invalid format for X-Auth-Email header" },
  key: { code: errorCodes.request.invalidKeyHeader, message: "Invalid format for X-Auth-Key header" },
} satisfies Record<string, ErrorDetail>;

/**
 * Reads the credentials of either scheme from the headers.
 * Errors: 400 code 9106 without credentials, 400 code 6003 with a chain for each malformed header.
 */
export function readCredentials(headers: Headers): Credentials {
  const authorization = single(headers["authorization"]);
  const authEmail = single(headers["x-auth-email"]);
  const authKey = single(headers["x-auth-key"]);
  const hasPair = authEmail !== undefined && authKey !== undefined;
  if (authorization === undefined && !hasPair) {
    throw new AppError(
      "invalid",
      errorCodes.credentials.missing,
      "Missing X-Auth-Key, X-Auth-Email or Authorization headers",
      { beforeResource: true },
    );
  }

  const errors: ErrorDetail[] = [];
  const token = authorization === undefined ? undefined : bearer.exec(authorization.trim())?.[1];
  if (authorization !== undefined && token === undefined) errors.push(malformed.authorization);
  if (hasPair && !email.test(authEmail)) errors.push(malformed.email);
  if (hasPair && !globalKey.test(authKey)) errors.push(malformed.key);
  if (errors.length > 0) {
    throw new AppError("invalid", errorCodes.request.invalidHeaders, "Invalid request headers", {
      chain: errors,
      beforeResource: true,
    });
  }
  return { token, key: hasPair ? { email: authEmail, key: authKey } : undefined };
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
