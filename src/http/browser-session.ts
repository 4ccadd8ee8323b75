import type { FastifyRequest } from "fastify";

import { AppError } from "../core/error.ts";
import type { Credentials } from "./credentials.ts";

/** What a browser keeps of a session. */
export interface SessionCookie {
  readonly id: string;
  readonly maxAgeSeconds: number;
}

const name = "zoneward_session";
const inCookies = new RegExp(`(?:^|; *)${name}=([A-Za-z0-9_-]{43})(?:;|$)`);

/** The id of the session in the cookies of a request. */
export function readSessionId({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  return inCookies.exec(headers.cookie ?? "")?.[1];
}

/**
 * The session of a request that asks to be judged by it: `X-Zoneward-Session: 1`, which no page of another origin can
 * send, and no other credentials. Its id is empty where the browser has none.
 * Errors: 403 code 10415.
 */
export function readSession(
  request: FastifyRequest,
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
 * Refuses what a page of another origin makes a browser send. The browser says so by `Sec-Fetch-Site`, or where the
 * connection is not trusted, by `Origin`; what sends neither is no browser, and no page makes it send anything.
 * Errors: 403 code 10415.
 */
export function refuseOtherOrigins(request: FastifyRequest, publicOrigin: string | undefined): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isOwn =
    site === undefined
      ? origin === undefined || origin === publicOrigin || hostOf(origin) === request.host
      : site === "same-origin" || (site === "none" && request.method === "GET");
  if (isOwn) return;
  throw new AppError("forbidden", 10415, "A session is good only for pages of this server", {
    beforeResource: true,
  });
}

/** `Set-Cookie` for a session that begins, or that has ended. */
export function renderSessionCookie(cookie: SessionCookie | "none", isSecure: boolean): string {
  const { id, maxAgeSeconds } = cookie === "none" ? { id: "", maxAgeSeconds: 0 } : cookie;
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return `${name}=${id}; ${attributes}${isSecure ? "; Secure" : ""}`;
}

/** With its port, unless that is the one of the scheme; undefined for no URL, as `null` is none. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
