import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";

import type { Effect } from "../core/test-controls/fault.ts";
import type { FaultSet } from "../core/test-controls/fault-set.ts";
import type { FindOperation } from "./journal-entry.ts";
import { HttpExchange, type FindVisited } from "./http-exchange.ts";
import type { RequestJournal } from "./request-journal.ts";

interface RelayDoorOptions {
  readonly faults: FaultSet;
  readonly journal: RequestJournal;
  readonly findOperation: FindOperation;
  readonly now: () => Date;
}

/** A WebSocket of the edge whose handshake has been answered. */
interface Relay {
  readonly request: IncomingMessage;
  readonly visited: FindVisited;
  /** Octets that the visitor sent with its handshake. */
  readonly early: number;
}

/**
 * Returns the stream through which the origin's octets go to the visitor; undefined where nothing changes.
 */
export type WatchRelay = (relay: Relay) => Duplex | undefined;

/** The name of a relayed WebSocket in place of a method. */
const method = "RELAY";
const relayed = 200;

/**
 * Passes WebSockets of the edge through faults and journal. The edge relays octets and reads no messages, so
 * there is one decision for each WebSocket, and one entry, when it ends.
 */
export function watchRelay({ faults, journal, findOperation, now }: RelayDoorOptions): WatchRelay {
  return ({ request, visited, early }) => {
    const { socket, url, headers, rawHeaders } = request;
    if (socket.destroyed) return undefined;
    const exchange = new HttpExchange(
      { method, url, headers, rawHeaders },
      { number: journal.nextNumber(), listener: "edge", at: now().getTime(), findOperation, visited },
    );
    const { latencyMs, fault, effect } = faults.decide(exchange, ({ type }) => carried.has(type));
    exchange.fault = fault?.id;
    const [read, written] = [socket.bytesRead - early, socket.bytesWritten];
    socket.once("close", () => {
      exchange.body.add(JSON.stringify({ octets: socket.bytesRead - read }));
      exchange.answer.add(JSON.stringify({ octets: socket.bytesWritten - written }));
      exchange.end(relayed);
      journal.add(exchange);
    });
    return latencyMs > 0 || effect !== undefined ? disturbed(socket, latencyMs, effect) : undefined;
  };
}

const carried: ReadonlySet<Effect["type"]> = new Set(["latency", "slow_body", "close", "lost_answer"]);

const slicesPerSecond = 10;

function disturbed(socket: Socket, latencyMs: number, effect: Effect | undefined): Duplex {
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  const pause = (ms: number): Promise<void> => wait(ms, undefined, { ref: false, signal: gone.signal });
  const octets = Duplex.from(async function* (parts: AsyncIterable<Buffer>) {
    if (effect?.type === "close" && effect.when === "before") return;
    for await (const part of parts) {
      if (latencyMs > 0) await pause(latencyMs);
      if (effect?.type === "lost_answer") return;
      if (effect?.type === "slow_body") {
        const slice = Math.max(1, Math.floor(effect.bytes_per_second / slicesPerSecond));
        for (let at = 0; at < part.length; at += slice) {
          await pause((slice / effect.bytes_per_second) * 1_000);
          yield part.subarray(at, at + slice);
        }
      } else if (effect?.type !== "close") yield part;
      else {
        if (effect.when === "after") yield part;
        return;
      }
    }
  });
  return octets.once("end", () => socket.destroySoon());
}
