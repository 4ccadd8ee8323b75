import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/** Whether a request has one `Host` header (RFC 9112, section 3.2); before HTTP/1.1 it may have none. */
export function namesItsHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  // `headers` holds only the first one.
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1");
}

export type HostCheck = (request: Pick<IncomingMessage, "headers">) => boolean;

/**
 * Creates a check against DNS rebinding, by which a web page would reach what needs no credentials: browsers may use
 * only names of the loopback interface and the `names` given, other clients any.
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

/** All names below `localhost` are loopback names (RFC 6761, section 6.3). */
const loopbackName = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/**
 * A same-origin `GET` over plain HTTP has neither `Origin` nor `Sec-Fetch-Site`, but all browsers call themselves
 * Mozilla.
 */
function isFromBrowser(headers: IncomingMessage["headers"]): boolean {
  const isNamedBrowser = headers["user-agent"]?.startsWith("Mozilla/") ?? false;
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined || isNamedBrowser;
}
