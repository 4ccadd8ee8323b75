import { Counter, type Registry } from "prom-client";

import { FairRoom } from "../core/fair-room.ts";
import { rcodeName, typeCodes, typeName } from "../core/dns/wire/codes.ts";
import type { Outcome } from "./replies.ts";

/** Numbers of queries, by a number that stands for type, response code and transport. */
interface ZoneTally {
  readonly accountId: string;
  readonly counts: ReadonlyMap<number, number>;
}

/** By the name of the zone. */
export type QueryTally = ReadonlyMap<string, ZoneTally>;

interface ZoneCounts extends ZoneTally {
  counts: Map<number, number>;
}

/** Zones with counts of their own, of which each account has a share; the others share one. */
const zonesMax = 1_000;
const otherZones = "other";
const noZone = { name: "", accountId: "" };
const otherType = 0;
/** A response code has 12 bits, the transport one. */
const typeShift = 13;

const knownTypes: ReadonlySet<number> = new Set(Object.values(typeCodes));

/**
 * Counts queries by zone, type, response code and transport. The number of counters is bounded, and no zone
 * loses its own.
 */
export class QueryCounts {
  readonly #zones = new Map<string, ZoneCounts>();
  readonly #room = new FairRoom(zonesMax);

  observe({ zone = noZone, question, rcode, transport }: Outcome): void {
    const type = question === undefined || !knownTypes.has(question.type) ? otherType : question.type;
    const key = (type << typeShift) | (rcode << 1) | (transport === "tcp" ? 1 : 0);
    addTo(this.#countsOf(zone.name, zone.accountId), key, 1);
  }

  /** Adds the counts of another thread. */
  add(tally: QueryTally): void {
    for (const [zone, { accountId, counts }] of tally) {
      const own = this.#countsOf(zone, accountId);
      for (const [key, count] of counts) addTo(own, key, count);
    }
  }

  /** Returns the counts since the last call, and starts again at zero. */
  take(): QueryTally {
    const taken = new Map<string, ZoneTally>();
    for (const [zone, its] of this.#zones) {
      if (its.counts.size === 0) continue;
      taken.set(zone, { ...its });
      its.counts = new Map();
    }
    return taken;
  }

  #countsOf(zone: string, accountId: string): Map<number, number> {
    const known = this.#zones.get(zone);
    if (known !== undefined) return known.counts;
    const isOfAll = zone === otherZones || zone === noZone.name;
    if (!isOfAll && this.#room.take([accountId]) === undefined) return this.#countsOf(otherZones, "");
    const counts = new Map<number, number>();
    this.#zones.set(zone, { accountId, counts });
    return counts;
  }
}

/**
 * Adds the counts to the metrics when these are read: to count each query there would take longer than to answer
 * it.
 */
export function showQueryCounts(counts: QueryCounts, register: Registry): void {
  const counter = new Counter({
    name: "zoneward_dns_queries_total",
    help: "DNS queries, by zone, type, response code and transport",
    labelNames: ["zone", "type", "code", "transport"],
    registers: [],
    collect() {
      for (const [zone, its] of counts.take()) {
        for (const [key, count] of its.counts) this.inc({ zone, ...labelsOf(key) }, count);
      }
    },
  });
  register.registerMetric(counter);
}

function labelsOf(key: number): Record<"type" | "code" | "transport", string> {
  const type = key >>> typeShift;
  return {
    type: type === otherType ? otherZones : typeName(type),
    code: rcodeName((key >>> 1) & 0xfff),
    transport: (key & 1) === 1 ? "tcp" : "udp",
  };
}

function addTo(counts: Map<number, number>, key: number, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
