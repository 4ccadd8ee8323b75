import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

import type { buildConnector } from "undici";

/** For each connection to an origin, what to call when a request has been sent on it. */
const onRequest = new WeakMap<Socket, () => void>();

subscribe("undici:client:sendHeaders", (message) => {
  onRequest.get((message as { readonly socket: Socket }).socket)?.();
});

/**
 * Connections on which undici does not see the `100 Continue` responses of an origin. It takes one for an error, though
 * an origin may send it unasked (RFC 9110 section 15.2).
 */
export function withoutContinues(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0] === null) dropContinues(result[1]);
      callback(...result);
    });
}

function dropContinues(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let isHeadDue = false;
  let start = empty;
  let bytes = 0;
  onRequest.set(socket, () => {
    isHeadDue = true;
    start = empty;
    bytes = 0;
  });
  socket.read = (size?: number) => {
    for (let part = read(size); part !== null; part = read(size)) {
      if (!isHeadDue) return part;
      bytes += part.length;
      start = behindContinues(start.length === 0 ? part : Buffer.concat([start, part]));
      if (mayBeContinue(start) && bytes <= continueBytesMax) continue;
      isHeadDue = false;
      return start.length === 0 ? part : start;
    }
    return null;
  };
}

const empty: Buffer = Buffer.alloc(0);
const statusAt = "HTTP/1.1 ".length;
const headEnd = "\r\n\r\n";
/** Octets that an origin may send before its response. */
const continueBytesMax = 8_192;

/** What follows the complete `100 Continue` responses at the beginning. */
function behindContinues(octets: Buffer): Buffer {
  let at = 0;
  while (statusIn(octets, at) === "100") {
    const end = octets.indexOf(headEnd, at, "latin1");
    if (end === -1) break;
    at = end + headEnd.length;
  }
  return octets.subarray(at);
}

/** Whether octets are the beginning of a `100 Continue`, or too few to tell. */
function mayBeContinue(octets: Buffer): boolean {
  const status = statusIn(octets, 0);
  return status.length < 3 || status === "100";
}

function statusIn(octets: Buffer, at: number): string {
  return octets.toString("latin1", at + statusAt, at + statusAt + 3);
}
