import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/** Whether a request names its host as RFC 9112 section 3.2 demands: once; clients before HTTP/1.1 may leave it out. */
export function namesItsHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  // Of two, `headers` keeps the first and says nothing of the other.
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1");
}

/** Whether the host that a request names is one under which its client is served. */
export type HostCheck = (request: Pick<IncomingMessage, "headers">) => boolean;

/**
 * Makes the check that keeps web pages off what needs no credentials: a page can have its own name lead to this machine
 * (DNS rebinding), so a browser is served only under names of loopback and the `names` given. Other clients may use any.
 */
export function createHostCheck(names: Iterable<string>): HostCheck {
  const allowed = new Set([...names].map((name) => canonicalName(isIPv6(name) ? `[${name}]` : name)));
  return ({ headers }) => {
    if (!isFromBrowser(headers)) return true;
    const [, written = ""] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(headers.host ?? "") ?? [];
    const name = canonicalName(written);
    return loopbackName.test(name) || allowed.has(name);
  };
}

/** Every name below `localhost` is one of loopback (RFC 6761 section 6.3). */
const loopbackName = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** Over plain HTTP a page's own `GET` carries neither `Origin` nor `Sec-Fetch-Site`, but all browsers are called Mozilla. */
function isFromBrowser(headers: IncomingMessage["headers"]): boolean {
  const isNamedBrowser = headers["user-agent"]?.startsWith("Mozilla/") ?? false;
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined || isNamedBrowser;
}
