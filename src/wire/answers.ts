import type { ServerResponse } from "node:http";

import { discardBody, hasUnreadBody } from "./closing.ts";

/** A status, headers as names and values in turns, and a body. */
export interface Answer {
  readonly status: number;
  readonly fields: readonly string[];
  readonly body: string | Buffer | undefined;
}

/** Sends an answer with its length, head and body in one write. */
export function sendAnswer(response: ServerResponse, { status, fields, body }: Answer): void {
  if (body === undefined) {
    response.writeHead(status, [...fields]);
    response.end();
    return;
  }
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, [...fields, "content-length", String(bytes)]);
  response.end(body, encodingOf(body, bytes));
}

/** Most answers are ASCII, which is the same in both encodings and faster to write as Latin-1. */
function encodingOf(body: string | Buffer, bytes: number): "latin1" | "utf8" {
  return bytes === body.length ? "latin1" : "utf8";
}

/**
 * Sends an answer to a request whose body may not have been read. If its rest is still to come, it is discarded, and
 * the connection ends: an unread body would keep the connection and the process alive.
 */
export function sendAheadOfBody(response: ServerResponse, answer: Answer): void {
  const { req: request } = response;
  if (!hasUnreadBody(request)) {
    sendAnswer(response, answer);
    return;
  }
  // A short body that arrived together with its head is complete once the parser has gone on.
  setImmediate(() => {
    if (!hasUnreadBody(request)) {
      sendAnswer(response, answer);
      return;
    }
    const { status, fields, body = "" } = answer;
    const bytes = Buffer.byteLength(body);
    response.shouldKeepAlive = false;
    response.writeHead(status, [...fields, "content-length", String(bytes)]);
    if (request.method === "HEAD") response.flushHeaders();
    else response.write(body, encodingOf(body, bytes));
    void discardBody(request).then(() => response.end());
  });
}
