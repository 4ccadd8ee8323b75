import { Counter, type Registry } from "prom-client";

import { rcodeName, typeCodes, typeName } from "../core/dns/wire/codes.ts";
import type { Outcome } from "./responder.ts";

/** Queries of further zones are counted together. */
const zonesMax = 1_000;
const otherZones = "other";

const knownTypes: ReadonlySet<number> = new Set(Object.values(typeCodes));

/** Counts queries by zone, type, response code and transport. The number of counters is bounded. */
export class QueryCounts {
  readonly #counter: Counter;
  readonly #zones = new Set<string>();
  /** Since they were last asked for: a counter of the library takes longer than an answer. */
  readonly #counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; count: number }>();

  constructor(register: Registry) {
    this.#counter = new Counter({
      name: "zoneward_dns_queries_total",
      help: "DNS queries, by zone, type, response code and transport",
      labelNames: ["zone", "type", "code", "transport"],
      registers: [register],
      collect: () => this.#collect(),
    });
  }

  observe({ zone, question, rcode, transport }: Outcome): void {
    const zoneLabel = zone === undefined ? "" : this.#labelOf(zone);
    const type = question === undefined || !knownTypes.has(question.type) ? 0 : question.type;
    const key = `${zoneLabel} ${type} ${rcode} ${transport}`;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const labels = {
      zone: zoneLabel,
      type: type === 0 ? otherZones : typeName(type),
      code: rcodeName(rcode),
      transport,
    };
    this.#counts.set(key, { labels, count: 1 });
  }

  #labelOf(zone: string): string {
    if (this.#zones.has(zone)) return zone;
    if (this.#zones.size >= zonesMax) return otherZones;
    this.#zones.add(zone);
    return zone;
  }

  #collect(): void {
    for (const { labels, count } of this.#counts.values()) this.#counter.inc(labels, count);
    this.#counts.clear();
  }
}
