import { Counter, type Registry } from "prom-client";

import { rcodeName, typeCodes, typeName } from "../core/dns/wire/codes.ts";
import type { Outcome } from "./replies.ts";

/** Queries of further zones are counted together. */
const zonesMax = 1_000;
const otherZones = "other";
const otherType = 0;
/** A response code has 12 bits, the transport one. */
const typeShift = 13;

const knownTypes: ReadonlySet<number> = new Set(Object.values(typeCodes));

/** Counts queries by zone, type, response code and transport. The number of counters is bounded. */
export class QueryCounts {
  readonly #counter: Counter;
  /**
   * Since they were last asked for, by zone and a number for the other labels: a counter of the library takes longer than
   * an answer.
   */
  readonly #zones = new Map<string, Map<number, number>>();

  constructor(register: Registry) {
    this.#counter = new Counter({
      name: "zoneward_dns_queries_total",
      help: "DNS queries, by zone, type, response code and transport",
      labelNames: ["zone", "type", "code", "transport"],
      registers: [register],
      collect: () => this.#collect(),
    });
  }

  observe({ zone = "", question, rcode, transport }: Outcome): void {
    const type = question === undefined || !knownTypes.has(question.type) ? otherType : question.type;
    const counts = this.#countsOf(zone);
    const key = (type << typeShift) | (rcode << 1) | (transport === "tcp" ? 1 : 0);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  #countsOf(zone: string): Map<number, number> {
    const known = this.#zones.get(zone);
    if (known !== undefined) return known;
    if (this.#zones.size >= zonesMax && zone !== otherZones) return this.#countsOf(otherZones);
    const counts = new Map<number, number>();
    this.#zones.set(zone, counts);
    return counts;
  }

  #collect(): void {
    for (const [zone, counts] of this.#zones) {
      for (const [key, count] of counts) {
        const type = key >>> typeShift;
        const labels = {
          zone,
          type: type === otherType ? otherZones : typeName(type),
          code: rcodeName((key >>> 1) & 0xfff),
          transport: (key & 1) === 1 ? "tcp" : "udp",
        };
        this.#counter.inc(labels, count);
      }
      counts.clear();
    }
  }
}
