import type { IncomingMessage } from "node:http";

import { errorCodes } from "../core/error-codes.ts";
import { AppError } from "../core/error.ts";
import type { Credentials } from "./credentials.ts";

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
 * HTTP `Origin`; a client that sends neither is not a browser.
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
