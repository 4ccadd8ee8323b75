import type { IncomingMessage } from "node:http";

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

/** A cookie for pages of this server. */
export interface Cookie {
  readonly value: string;
  readonly maxAgeSeconds: number;
}

type Cookies = Pick<IncomingMessage, "headers">;

const sessionInCookies = /(?:^|; *)zoneward_session=([A-Za-z0-9_-]{43})(?:;|$)/;
const deviceInCookies = /(?:^|; *)zoneward_device=([A-Za-z0-9_.-]{1,128})(?:;|$)/;

export function readSessionId({ headers }: Cookies): string | undefined {
  return sessionInCookies.exec(headers.cookie ?? "")?.[1];
}

/** The cookie by which a browser is recognised after earlier sessions; undefined if it is malformed. */
export function readDeviceCookie({ headers }: Cookies): string | undefined {
  return deviceInCookies.exec(headers.cookie ?? "")?.[1];
}

/** A request that a browser may have been made to send. */
interface BrowserRequest extends Cookies {
  readonly method: string;
  readonly host: string;
}

/**
 * The session as credentials, for a request with `X-Zoneward-Session: 1`, which no page of another origin can send, and
 * without other credentials. Its id is empty if the browser has no session.
 * Errors: 403 code 10415.
 */
export function readSession(
  request: BrowserRequest,
  publicOrigin: string | undefined,
): Credentials | undefined {
  const { headers } = request;
  if (headers["x-zoneward-session"] !== "1") return undefined;
  const hasOther = headers.authorization !== undefined || headers["x-auth-key"] !== undefined;
  if (hasOther) return undefined;
  refuseOtherOrigins(request, publicOrigin);
  return { token: undefined, key: undefined, session: readSessionId(request) ?? "" };
}

/**
 * Refuses requests that a page of another origin makes a browser send. Browsers send `Sec-Fetch-Site`, or over plain
 * HTTP
 * `Origin`; a client that sends neither is not a browser.
 * Errors: 403 code 10415.
 */
export function refuseOtherOrigins(request: BrowserRequest, publicOrigin: string | undefined): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isOwn =
    site === undefined
      ? origin === undefined || origin === publicOrigin || hostOf(origin) === request.host
      : site === "same-origin" || (site === "none" && request.method === "GET");
  if (isOwn) return;
  throw new AppError(
    "forbidden",
    errorCodes.sessions.otherOrigin,
    "A session is good only for pages of this server",
    { beforeResource: true },
  );
}

/** `Set-Cookie` for a new session; `none` deletes the cookie. */
export function renderSessionCookie(cookie: Cookie | "none", isSecure: boolean): string {
  return render(
    "zoneward_session",
    "/",
    cookie === "none" ? { value: "", maxAgeSeconds: 0 } : cookie,
    isSecure,
  );
}

/** `Set-Cookie` for the cookie that outlives the session; the browser sends it to operations on sessions only. */
export function renderDeviceCookie(cookie: Cookie, isSecure: boolean): string {
  return render("zoneward_device", "/session", cookie, isSecure);
}

function render(name: string, path: string, { value, maxAgeSeconds }: Cookie, isSecure: boolean): string {
  const attributes = `Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return `${name}=${value}; ${attributes}${isSecure ? "; Secure" : ""}`;
}

/** The host with its port, unless that is the default; undefined for `null` and other origins that are not URLs. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
