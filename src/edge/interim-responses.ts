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
  let start: Buffer | undefined;
  onRequest.set(socket, () => {
    isHeadDue = true;
  });
  socket.read = (size?: number) => {
    for (let part = read(size); part !== null; part = read(size)) {
      if (!isHeadDue) return part;
      start = start === undefined ? part : Buffer.concat([start, part]);
      const rest = behindContinues(start);
      if (rest === undefined) continue;
      isHeadDue = false;
      start = undefined;
      return rest;
    }
    return null;
  };
}

const statusAt = "HTTP/1.1 ".length;
const headEnd = "\r\n\r\n";
const headBytesMax = 8_192;

/** What follows the `100 Continue` responses at the beginning; undefined if that is not here yet. */
function behindContinues(octets: Buffer): Buffer | undefined {
  let at = 0;
  while (octets.length >= at + statusAt + 3) {
    if (octets.toString("latin1", at + statusAt, at + statusAt + 3) !== "100") return octets.subarray(at);
    const end = octets.indexOf(headEnd, at, "latin1");
    if (end === -1) return octets.length - at > headBytesMax ? octets.subarray(at) : undefined;
    at = end + headEnd.length;
  }
  return undefined;
}
