import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Server as TlsServer } from "node:tls";

import { FairList } from "../core/fair-list.ts";
import { clientNetwork } from "../core/net/client-network.ts";

interface UnreadLimits {
  /** Milliseconds that data may wait for a client that reads none of it. */
  readonly msMax: number;
  /** Bytes that may wait for all clients together. */
  readonly bytesMax: number;
}

/** Closes connections whose clients do not read their answers, which are kept in memory until they do. */
export interface UnreadAnswers {
  /** Watches all connections of a server, including WebSockets. Must be called before it listens. */
  readonly watch: (server: Server) => void;
  /** Must be called with the number of bytes that are kept for a client outside its socket, whenever it changes. */
  readonly keep: KeepAccount;
  readonly stop: () => void;
}

export type KeepAccount = (socket: Duplex, bytes: number) => void;

/** The state of a connection. */
interface Progress {
  bytesKept: number;
  /** The bytes that its client had taken at the last change; undefined while nothing waits. */
  bytesTaken: number | undefined;
  atMs: number;
}

/** Minimum rate for data that is written at once: only the end of it shows as taken. */
const bytesPerSecondMin = 32 * 1024;
const sweepMs = 500;

/**
 * Closes a connection when its client has taken nothing for `msMax`. When more than `bytesMax` wait in all, those are
 * closed with the most waiting data of clients that have at least an equal part of it.
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
    if (bytes > bytesMax) closeLargest(connections, bytesMax);
  };
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    watch: (server) => {
      server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
        connections.set(socket, { bytesKept: 0, bytesTaken: undefined, atMs: 0 });
        // A server without connections sleeps.
        timer ??= setInterval(sweep, Math.min(sweepMs, msMax / 4)).unref();
        socket.once("close", () => {
          connections.delete(socket);
          if (connections.size === 0) stop();
        });
      });
    },
    keep: (socket, bytes) => {
      const progress = connections.get(socket);
      if (progress !== undefined) progress.bytesKept = bytes;
    },
    stop,
  };
}

/** Leaves at most `bytesMax`. */
function closeLargest(connections: ReadonlyMap<Duplex, Progress>, bytesMax: number): void {
  const kept = new FairList<Socket>({ weightMax: bytesMax, onDrop: (socket) => void socket.destroy() });
  const sized = [...(connections as ReadonlyMap<Socket, Progress>)].map(([socket, { bytesKept }]) => ({
    socket,
    bytes: socket.writableLength + bytesKept,
  }));
  for (const { socket, bytes } of sized.toSorted((a, b) => b.bytes - a.bytes))
    kept.add(socket, [clientNetwork(socket.remoteAddress ?? "")], bytes);
}
