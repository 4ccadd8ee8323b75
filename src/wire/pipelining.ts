import { IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { putBefore } from "./listening.ts";

type Refusal = (error: Error, socket: Socket) => void;

/** Node reads on while a request is answered, and holds a few kilobytes for each that waits. */
const waitingMax = 100;

/**
 * Answers the requests of a connection one after another (RFC 9112, section 9.3.2): the next one begins when the
 * previous answer has been written. Otherwise all answers would be kept for a client that reads none. A connection on
 * which more than `waitingMax` requests wait is closed. Bytes behind them that are no request are refused last; behind
 * a request that ends the connection they are ignored, as inadyn sends zeros there. Must be called after the listeners
 * of requests and client errors were added.
 */
export function answerInTurn(server: Server): void {
  const lastResponses = new WeakMap<Socket, ServerResponse>();
  const waiting = new WeakMap<Socket, number>();
  refuseInTurn(server, lastResponses);
  putBefore(server, (request, response, answer) => {
    if (request instanceof IncomingMessage) lastResponses.set(request.socket, response);
    // Node assigns the socket to one response at a time.
    if (response.socket !== null) {
      answer(request, response);
      return;
    }
    const { socket } = request;
    const count = (difference: number): number => {
      const counted = (waiting.get(socket) ?? 0) + difference;
      waiting.set(socket, counted);
      return counted;
    };
    response.once("socket", () => {
      count(-1);
      answer(request, response);
    });
    if (count(1) > waitingMax) socket.destroy();
  });
}

function refuseInTurn(server: Server, lastResponses: WeakMap<Socket, ServerResponse>): void {
  const refusals = server.listeners("clientError") as Refusal[];
  const refused = new WeakSet<ServerResponse>();
  const refuse = (error: Error, socket: Socket): void => {
    for (const refusal of refusals) refusal.call(server, error, socket);
  };
  server.removeAllListeners("clientError");
  server.on("clientError", (error: Error, socket: Socket) => {
    const response = lastResponses.get(socket);
    // A request whose own body is malformed has no answer to wait for.
    if (response === undefined || response.closed || !response.req.complete) refuse(error, socket);
    else if (!refused.has(response)) {
      refused.add(response);
      response.once("close", () => {
        if (socket.writable) refuse(error, socket);
      });
    }
  });
}
