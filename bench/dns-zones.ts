import { edgeSets } from "../src/core/dns/served/record-sets.ts";
import { ZoneIndex } from "../src/core/dns/served/zone-index.ts";
import { ZoneView } from "../src/core/dns/served/zone-view.ts";
import type { Respond } from "../src/name-server/listeners.ts";
import { QueryCounts } from "../src/name-server/query-counts.ts";
import { respondFrom } from "../test/support/respond.ts";
import { dnsQueries } from "./dns-load.ts";
import type { Finding } from "./report.ts";
import { ratios } from "./rounds.ts";

const rounds = Number(process.env["DNS_ROUNDS"] ?? 5);
const recordsInAll = 100_000;
const zonesFew = 10;
const zonesMany = 10_000;
/** Enough that none is prepared when it is asked again. */
const queriesOfRound = 30_000;
/** Few enough that their answers stay prepared. */
const namesOften = 5_000;

/** CPU of a query among 10 zones and among 10,000 with as many records in all, in one process and without sockets. */
export async function dnsZones(): Promise<Finding[]> {
  const few = await serve(zonesFew);
  const many = await serve(zonesMany);
  const contestants = {
    few: () => few.ask(few.queries),
    many: () => many.ask(many.queries),
    fewOften: () => few.ask(few.queries.slice(0, namesOften)),
    manyOften: () => many.ask(many.queries.slice(0, namesOften)),
  };
  const costs: Record<keyof typeof contestants, number[]> = {
    few: [],
    many: [],
    fewOften: [],
    manyOften: [],
  };
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, ask] of Object.entries(contestants) as [keyof typeof contestants, () => number][]) {
      const cost = ask();
      // The first round warms up.
      if (round >= 0) costs[name].push(cost);
    }
  }
  const budget = { most: 1.2 };
  const [everyName, often] = [`${queriesOfRound} names in turn`, `${namesOften} names in turn`];
  return [
    {
      what: `${zonesMany} zones / ${zonesFew}, ${often}`,
      values: ratios(costs.manyOften, costs.fewOften),
      unit: "x",
      budget,
    },
    {
      what: `${zonesMany} zones / ${zonesFew}, ${everyName}`,
      values: ratios(costs.many, costs.few),
      unit: "x",
      budget,
    },
    { what: `CPU a query, ${zonesFew} zones, ${everyName}`, values: costs.few, unit: "us" },
    { what: `CPU a query, ${zonesFew} zones, ${often}`, values: costs.fewOften, unit: "us" },
  ];
}

interface Served {
  /** Each name once, in no order. */
  readonly queries: readonly Buffer[];
  /** Asks the queries in turn; answers the microseconds of CPU that one took. */
  readonly ask: (queries: readonly Buffer[]) => number;
}

async function serve(zones: number): Promise<Served> {
  const index = new ZoneIndex();
  const names: string[] = [];
  for (let zone = 0; zone < zones; zone += 1) {
    const view = newZone(`zone-${zone}.example`);
    for (let host = 0; host < recordsInAll / zones; host += 1) {
      const name = `host-${host}.${view.name}`;
      const content = `192.0.2.${host % 256}`;
      view.setRecords(name, [{ type: "A", content, ttl: 300, proxied: false, settings: {} }]);
      names.push(name);
    }
    index.set(view);
  }
  const respond = respondFrom(index, { counts: new QueryCounts() });
  return {
    queries: dnsQueries(shuffled(names).slice(0, queriesOfRound)),
    ask: (queries) => askInTurn(respond, queries),
  };
}

function newZone(name: string): ZoneView {
  const apex = { name, nameServers: ["ns1.test.net"], hostmaster: "dns.test.net", serial: 1 };
  return new ZoneView(apex, { edge: edgeSets([]), flattensAll: false });
}

/** In the same order each time: strides that share no divisor with the number of names. */
function shuffled(names: readonly string[]): string[] {
  const stride = 61_803;
  return names.map((_, index) => names[(index * stride) % names.length] ?? "");
}

function askInTurn(respond: Respond, queries: readonly Buffer[]): number {
  const before = process.cpuUsage();
  for (let asked = 0; asked < queriesOfRound; asked += 1) {
    const bytes = queries[asked % queries.length];
    if (bytes !== undefined) void respond({ bytes, address: "127.0.0.1", transport: "udp" });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / queriesOfRound;
}
