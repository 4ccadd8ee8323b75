import type { Server, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";

const sweepMs = 50;

interface Closing {
  /** Closes connections that never carried a request. */
  readonly closeUnused: () => void;
  readonly closeAll: () => void;
  /** Milliseconds after which all connections are closed. */
  readonly graceMs: number;
}

/**
 * Runs `close` of a server, which waits for its connections. Meanwhile closes those that carry no request, also where
 * they become idle only then; Node.js would wait for one that never sent a request. Whatever is left is closed after
 * the grace period.
 */
export async function closeInTime(
  server: Pick<Server, "closeIdleConnections">,
  close: () => Promise<void>,
  { closeUnused, closeAll, graceMs }: Closing,
): Promise<void> {
  const sweep = setInterval(() => {
    closeUnused();
    server.closeIdleConnections();
  }, sweepMs);
  const grace = setTimeout(closeAll, graceMs);
  try {
    await close();
  } finally {
    clearInterval(sweep);
    clearTimeout(grace);
  }
}

/*
 * Lingering close (RFC 9112, section 9.6): closing a connection while the client still sends resets it, and the client
 * may lose the answer. Therefore the rest of a refused request is read for a while and discarded.
 */
const lingerMsMax = 5_000;
/** Twice as much as any operation takes. */
const lingerBytesMax = 32 * 1024 * 1024;

/** Whether a request has a body that is still incomplete. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  // Node.js reads the headers when they are first asked for.
  if (request.complete) return false;
  const { headers } = request;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Reads and discards the rest of a body. Resolves, so that the response can be ended, with the number of octets that it
 * read: at the end of the body, when the client is gone, after 5 seconds or after `bytesMax`, 32 MiB if it is not
 * given.
 */
export function discardBody(request: Readable, bytesMax = lingerBytesMax): Promise<number> {
  // Nothing more comes of a client that is gone, not even `close`.
  if (request.destroyed) return Promise.resolve(0);
  return new Promise((resolve) => {
    let bytes = 0;
    const add = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > bytesMax) stop();
    };
    const stop = (): void => {
      clearTimeout(timer);
      request.off("data", add).off("close", stop);
      resolve(bytes);
    };
    const timer = setTimeout(stop, lingerMsMax);
    request.on("data", add).once("close", stop);
  });
}

/** Connections that were answered by `endWithAnswer`, with the bytes that had been read of each by then. */
const ending = new WeakMap<Socket, number>();

/**
 * Ends a connection that does not send HTTP with an answer, and discards what it sends for up to 5 seconds and 32 MiB.
 * May be called again for the same connection.
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
