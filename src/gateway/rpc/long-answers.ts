import type { ServerResponse } from "node:http";

import type { WebSocket } from "ws";

/** Longer bodies are sent in pieces, so that the progress of the client can be measured. */
export const pieceBytes = 64 * 1024;

/** Called with the number of bytes that still wait to be handed to the socket. */
type Keep = (bytes: number) => void;

/** Ends a response, whose head has a `content-length`, with its body. */
export function endWith(response: ServerResponse, body: Buffer, keep: Keep): void {
  let at = 0;
  const writeNext = (): void => {
    while (at < body.length) {
      const piece = body.subarray(at, at + pieceBytes);
      at += piece.length;
      keep(body.length - at);
      if (!response.write(piece)) {
        response.once("drain", writeNext);
        return;
      }
    }
    response.end();
  };
  response.once("close", () => release(body));
  writeNext();
}

/** Frees memory at once: with many slow clients, garbage grows faster than it is collected. */
function release({ buffer, byteLength }: Buffer): void {
  // A short buffer is a part of Node's pool, which cannot be freed.
  const isOwner = buffer.byteLength === byteLength;
  if (isOwner && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Sends messages over a WebSocket in order. */
export interface Outbox {
  readonly send: (text: string) => void;
  /** Bytes of messages that wait for those before them. */
  readonly bytesKept: () => number;
}

export function createOutbox(socket: WebSocket, keep: Keep): Outbox {
  /** The first one is being sent. */
  const messages: Buffer[] = [];
  let bytesKept = 0;

  const account = (more: number): void => {
    bytesKept += more;
    keep(bytesKept);
  };
  /** A long message is sent in fragments (RFC 6455, section 5.4). */
  const sendFrom = (message: Buffer, at: number): void => {
    const piece = message.subarray(at, at + pieceBytes);
    const next = at + piece.length;
    const isLast = next === message.length;
    account(-piece.length);
    socket.send(piece, { binary: false, fin: isLast }, (error) => {
      if (error) return;
      if (!isLast) {
        sendFrom(message, next);
        return;
      }
      release(message);
      messages.shift();
      const [following] = messages;
      if (following !== undefined) sendFrom(following, 0);
    });
  };
  socket.once("close", () => messages.splice(0).forEach(release));

  return {
    send: (text) => {
      if (messages.length === 0 && text.length <= pieceBytes) {
        socket.send(text);
        return;
      }
      const message = Buffer.from(text);
      account(message.length);
      messages.push(message);
      if (messages.length === 1) sendFrom(message, 0);
    },
    bytesKept: () => bytesKept,
  };
}
