import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Server as TlsServer } from "node:tls";

interface UnreadLimits {
  /** Milliseconds that something may wait for a client that reads nothing of it. */
  readonly msMax: number;
  /** Of what waits for all clients together. */
  readonly bytesMax: number;
}

/** Ends connections whose clients do not read what they are sent, which is kept in memory until they do. */
export interface UnreadAnswers {
  /** Watches all connections of a server, those that become WebSockets too. To be called before it listens. */
  readonly watch: (server: Server) => void;
  /** To be told how much is kept for a client beside what its socket holds. */
  readonly keep: KeepAccount;
  readonly stop: () => void;
}

export type KeepAccount = (socket: Duplex, bytes: number) => void;

/** What is known of a connection. */
interface Progress {
  bytesKept: number;
  /** What its client had taken when that was last seen to change; undefined while nothing waits for it. */
  bytesTaken: number | undefined;
  atMs: number;
}

/** What a client has to read at least of what is written at once: it shows only at its end that it was taken. */
const bytesPerSecondMin = 32 * 1024;
const sweepMs = 500;

/**
 * A connection ends when its client has taken nothing for `msMax`. Where more than `bytesMax` wait in all, those for
 * which most waits end at once.
 */
export function trackUnreadAnswers({ msMax, bytesMax }: UnreadLimits): UnreadAnswers {
  const connections = new Map<Duplex, Progress>();

  const sweep = (): void => {
    const nowMs = performance.now();
    let bytes = 0;
    for (const [socket, progress] of connections as Map<Socket, Progress>) {
      const { writableLength } = socket;
      const waiting = writableLength + progress.bytesKept;
      bytes += waiting;
      const taken = waiting === 0 ? undefined : socket.bytesWritten - writableLength;
      if (taken !== progress.bytesTaken) {
        progress.bytesTaken = taken;
        progress.atMs = nowMs;
      }
      const msAllowed = msMax + (writableLength / bytesPerSecondMin) * 1_000;
      if (taken !== undefined && nowMs - progress.atMs > msAllowed) socket.destroy();
    }
    if (bytes > bytesMax) endLargest(connections, bytes - bytesMax);
  };
  const timer = setInterval(sweep, Math.min(sweepMs, msMax / 4)).unref();

  return {
    watch: (server) => {
      server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
        connections.set(socket, { bytesKept: 0, bytesTaken: undefined, atMs: 0 });
        socket.once("close", () => connections.delete(socket));
      });
    },
    keep: (socket, bytes) => {
      const progress = connections.get(socket);
      if (progress !== undefined) progress.bytesKept = bytes;
    },
    stop: () => clearInterval(timer),
  };
}

/** Frees at least `excess` bytes. */
function endLargest(connections: ReadonlyMap<Duplex, Progress>, excess: number): void {
  const sized = [...connections].map(([socket, { bytesKept }]) => ({
    socket,
    bytes: socket.writableLength + bytesKept,
  }));
  let left = excess;
  for (const { socket, bytes } of sized.toSorted((a, b) => b.bytes - a.bytes)) {
    if (left <= 0) return;
    left -= bytes;
    socket.destroy();
  }
}
