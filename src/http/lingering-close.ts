import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/*
 * Lingering close (RFC 9112 section 9.6): to end a connection whose client is still sending resets it, and a client that
 * meets the reset before it has read the answer loses it. What is sent after a refusal is read for a while, and forgotten.
 */
const lingerMsMax = 5_000;
/** Twice as much as any operation takes. */
const lingerBytesMax = 32 * 1024 * 1024;

/** Whether a request has a body of which something is still to come. */
export function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  const isAnnounced =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return isAnnounced && !complete;
}

/**
 * Reads and forgets the rest of a body. Resolves at its end, when its client is gone, after 5 seconds or after 32 MiB:
 * from then on the response may end.
 */
export function forgetBody(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, lingerMsMax);
    request.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > lingerBytesMax) resolve();
    });
    request.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Connections that speak no HTTP and were told so, with the number of bytes that had been read of each by then. */
const ending = new WeakMap<Socket, number>();

/**
 * Ends a connection with an answer. What comes after it is forgotten, for 5 seconds and up to 32 MiB; to be called again
 * where it is no HTTP either.
 */
export function endWithAnswer(socket: Socket, answer: string): void {
  const bytesBefore = ending.get(socket);
  if (bytesBefore !== undefined) {
    if (socket.bytesRead - bytesBefore > lingerBytesMax) socket.destroy();
    return;
  }
  ending.set(socket, socket.bytesRead);
  socket.end(answer);
  const timer = setTimeout(() => socket.destroy(), lingerMsMax);
  socket.once("close", () => clearTimeout(timer));
}
