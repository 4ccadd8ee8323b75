import { ServerResponse, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** Emitted on the response to a handshake right before the connection is switched to the other protocol. */
export const upgraded = "upgraded";

/**
 * The response to a request for an upgrade: it can be answered like any request, and its connection ends with that.
 * Whoever switches the connection calls `release` first. Behind a request that is not answered yet, the connection
 * ends.
 */
export function handshakeResponse(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.on("finish", () => {
    response.detachSocket(socket as IncomingMessage["socket"]);
    socket.end();
    response.emit("close");
  });
  // Without a listener, an error of the connection would end the process.
  socket.on("error", () => socket.destroy());
  try {
    response.assignSocket(socket as IncomingMessage["socket"]);
  } catch {
    // Node throws while an earlier request of the connection is not answered; no client of WebSockets asks so early.
    response.destroy();
    socket.destroy();
  }
  return response;
}

/** Gives the connection to the other protocol. */
export function release(response: ServerResponse, socket: Duplex): void {
  response.detachSocket(socket as IncomingMessage["socket"]);
  response.statusCode = 101;
  response.emit(upgraded);
}

/** Headers that whoever passed the response on has set, for the answer that the other protocol writes. */
export function headersSetOn(response: ServerResponse): [string, string][] {
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
