import type { IncomingMessage, Server, ServerResponse } from "node:http";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers the requests of a connection one after another (RFC 9112, section 9.3.2): the next one begins when the previous
 * answer has been written. Otherwise all answers would be kept for a client that reads none. Must be called after the
 * listeners of requests were added.
 */
export function answerInTurn(server: Server): void {
  const listeners = server.listeners("request") as Listener[];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // Node assigns the socket to one response at a time.
    if (response.socket === null) response.once("socket", () => answer(request, response));
    else answer(request, response);
  });
}
