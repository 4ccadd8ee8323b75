import type { IncomingMessage, Server, ServerResponse } from "node:http";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers the requests of a connection one after another (RFC 9112 section 9.3.2): one that was sent ahead is begun when
 * the answer before it has been written. Otherwise the answers to all would be kept, while their client reads none.
 * To be called once whoever answers requests is listening to them.
 */
export function answerInTurn(server: Server): void {
  const answerers = server.listeners("request") as Listener[];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    for (const answerer of answerers) answerer.call(server, request, response);
  };
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // The connection is assigned to one response at a time.
    if (response.socket === null) response.once("socket", () => answer(request, response));
    else answer(request, response);
  });
}
