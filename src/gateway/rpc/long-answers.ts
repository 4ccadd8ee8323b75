import type { ServerResponse } from "node:http";

import type { WebSocket } from "ws";

/** What is longer is sent in pieces: how far its client has read shows after each of them. */
export const pieceBytes = 64 * 1024;

/** Told how many bytes of what is to be sent are still kept here. */
type Keep = (bytes: number) => void;

/** Ends an answer with a body, of which its head tells the length. */
export function endWith(response: ServerResponse, body: Buffer, keep: Keep): void {
  let at = 0;
  const writeOn = (): void => {
    while (at < body.length) {
      const piece = body.subarray(at, at + pieceBytes);
      at += piece.length;
      keep(body.length - at);
      if (!response.write(piece)) {
        response.once("drain", writeOn);
        return;
      }
    }
    response.end();
  };
  response.once("close", () => release(body));
  writeOn();
}

/**
 * Gives memory back that nothing writes from any more. It would be garbage until much else is allocated, and many clients
 * that do not read may leave much of it at once.
 */
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Sends messages over a WebSocket in their order. */
export interface Outbox {
  readonly send: (text: string) => void;
  /** Bytes of messages that wait until those before them were taken. */
  readonly bytesKept: () => number;
}

export function createOutbox(socket: WebSocket, keep: Keep): Outbox {
  /** The first is being sent. */
  const messages: Buffer[] = [];
  let bytesKept = 0;

  const account = (more: number): void => {
    bytesKept += more;
    keep(bytesKept);
  };
  /** A long message goes out in fragments (RFC 6455, section 5.4). */
  const sendOn = (message: Buffer, at: number): void => {
    const piece = message.subarray(at, at + pieceBytes);
    const next = at + piece.length;
    const isLast = next === message.length;
    account(-piece.length);
    socket.send(piece, { binary: false, fin: isLast }, (error) => {
      if (error) return;
      if (!isLast) {
        sendOn(message, next);
        return;
      }
      release(message);
      messages.shift();
      const [following] = messages;
      if (following !== undefined) sendOn(following, 0);
    });
  };
  socket.once("close", () => messages.splice(0).forEach(release));

  return {
    send: (text) => {
      // Most are short, and nothing waits before them.
      if (messages.length === 0 && text.length <= pieceBytes) {
        socket.send(text);
        return;
      }
      const message = Buffer.from(text);
      account(message.length);
      messages.push(message);
      if (messages.length === 1) sendOn(message, 0);
    },
    bytesKept: () => bytesKept,
  };
}
