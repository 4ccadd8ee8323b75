import type { TestContext } from "node:test";
import { inspect } from "node:util";

import { pino } from "pino";

import type { Config } from "../../src/config/settings.ts";
import { typeCodes } from "../../src/core/dns/wire/codes.ts";
import { ActiveZones } from "../../src/planes/active-zones.ts";
import { zoneSettingsOf } from "../../src/planes/dns/open-name-server.ts";
import { ServedZones, type ServingContext } from "../../src/planes/dns/served-zones.ts";
import { ServedEdgeZones } from "../../src/planes/edge/edge-zones.ts";
import type { EdgeZoneContext } from "../../src/planes/edge/edge-zone-reader.ts";
import { createContext, createSecrets } from "../../src/process/open-store.ts";
import { createRulesetContext } from "../../src/process/ruleset-context.ts";
import type { TestApp } from "./harness.ts";
import { openStore } from "./store.ts";

/** Each zone as one text, by its name. */
type Served = Readonly<Record<string, string>>;

/** The active zones of a server as an edge and a name server beside it serve them. */
interface Planes {
  /** All that planes serve that have followed the store from the beginning. */
  readonly served: () => Promise<Served>;
  /** All that planes serve that begin now. */
  readonly servedAnew: () => Promise<Served>;
}

/** Starts planes as a process of its own has them, which follow the store of a server from now on. */
export async function startPlanes(t: TestContext, app: TestApp): Promise<Planes> {
  const db = await openStore(t, app);
  const now = (): Date => new Date(0);
  const context = {
    ...createRulesetContext(createContext(db, now), app.config.vendor),
    settings: zoneSettingsOf(app.config),
    secretBox: createSecrets(app.config),
  };
  const following = await begin(context, app.config);
  t.after(following.stop);
  return {
    served: following.served,
    servedAnew: async () => {
      // Nobody follows the store when these have ended.
      const silent = { ...db, onChange: () => undefined };
      const { served, stop } = await begin({ ...context, db: silent }, app.config);
      try {
        return await served();
      } finally {
        await stop();
      }
    },
  };
}

async function begin(context: EdgeZoneContext & ServingContext, config: Config) {
  const index = new ActiveZones(context.db, context.now);
  const logger = pino({ level: "silent" });
  const dns = new ServedZones(context, index, logger, {
    edgeAddresses: ["192.0.2.80", "2001:db8::80"],
    octetsMax: config.dns_zones_bytes_max,
  });
  const edge = new ServedEdgeZones(context, index, logger, {
    readyBytesMax: config.edge_ready_bytes_max,
    zonesBytesMax: config.edge_zones_bytes_max,
  });
  await dns.start();
  await edge.start();
  return {
    served: async (): Promise<Served> => {
      const zones: [name: string, text: string][] = [];
      for (const id of index.ids()) {
        const name = index.withId(id)?.name ?? "";
        await dns.readFor(name);
        await edge.readUnread(name);
        const { names, text } = dnsTextOf(dns, id);
        zones.push([name, `${await edgeTextOf(edge, name, names)}\n${text}`]);
      }
      return Object.fromEntries(zones);
    },
    stop: async (): Promise<void> => {
      await dns.stop();
      await edge.stop();
      await index.stop();
    },
  };
}

/** All sets of a zone, but for the time and the value of its signatures. */
function dnsTextOf(
  dns: ServedZones,
  id: string,
): { readonly names: readonly string[]; readonly text: string } {
  const view = dns.exactView(id);
  if (view === undefined) return { names: [], text: "not served" };
  const snapshot = view.snapshot();
  const names: string[] = [];
  const sets: unknown[] = [snapshot.soa];
  for (const transferred of snapshot.names()) {
    names.push(transferred.name);
    for (const { name, set } of snapshot.sets(transferred, []))
      sets.push([name, set.type, set.ttl, set.type === typeCodes.RRSIG ? "signed" : set.rdatas]);
  }
  return { names, text: textOf(sets) };
}

/** A zone at the edge with its rules, and the origins of these names. */
async function edgeTextOf(edge: ServedEdgeZones, name: string, names: readonly string[]): Promise<string> {
  const zone = edge.enclosing(name);
  if (zone === undefined) return "not served";
  const held = await edge.hold(zone);
  try {
    const { certificates, names: origins, ...rest } = held.zone;
    const hosts = [name, `any.${name}`, ...names];
    return textOf([
      rest,
      hosts.map((host) => [host, certificates.find(host)?.id, origins.find(host), origins.isElsewhere(host)]),
    ]);
  } finally {
    held.release();
  }
}

const textOf = (value: unknown): string =>
  inspect(value, { depth: 30, maxArrayLength: null, maxStringLength: null, breakLength: 120, sorted: true });
