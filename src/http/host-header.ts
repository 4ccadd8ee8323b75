import type { IncomingMessage } from "node:http";

/** Whether a request names its host as RFC 9112 section 3.2 demands: once; clients before HTTP/1.1 may leave it out. */
export function namesItsHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  // Of two, `headers` keeps the first and says nothing of the other.
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1");
}
