import { createSocket } from "node:dgram";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

import { dnsQueries } from "./dns-load.ts";
import { withDirectory, withServers } from "./fixture.ts";
import { nameOf, prepareAccount } from "./many-zones.ts";
import { freePort, isListening, memoryMegabytes, startZoneward, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";

const zones = Number(process.env["COLD_ZONES"] ?? 1_000_000);
/** Zones that have a record, and are asked for once. */
const zonesAsked = Math.min(zones, Number(process.env["COLD_ZONES_ASKED"] ?? 100_000));
/** The first of these, one at a time, of which each is timed. */
const zonesTimed = 1_000;
const visitorsAtOnce = 16;
const megabytesMax = 128;
const pollMs = 20;

/**
 * Zones of which nobody asks for most: what a start takes, the first question for a zone, and all of them in bounded
 * memory.
 */
export async function coldZones(): Promise<Finding[]> {
  return withDirectory(async (directory) => {
    const data = join(directory, "data");
    await withServers([() => startZoneward(data)], (api) => prepareAccount(api));
    addZones(join(data, "zoneward.sqlite"));
    const [edgePort, dnsPort] = [await freePort(), await freePort()];
    const began = performance.now();
    const start = () =>
      startZoneward(data, {
        ZONEWARD_EDGE_HTTP: `127.0.0.1:${edgePort}`,
        ZONEWARD_DNS_LISTEN: `127.0.0.1:${dnsPort}`,
        ZONEWARD_EDGE_ZONES_BYTES_MAX: String(megabytesMax * 1_000_000),
        ZONEWARD_EDGE_READY_BYTES_MAX: String(megabytesMax * 1_000_000),
        ZONEWARD_DNS_ZONES_BYTES_MAX: String(megabytesMax * 1_000_000),
      });
    return withServers([start], async (server) => {
      while (!(await isListening(edgePort))) await delay(pollMs);
      const listensMs = performance.now() - began;
      const before = await restingMegabytes(server);
      using planes = openPlanes(edgePort, dnsPort);
      const [visits, questions]: [number[], number[]] = [[], []];
      for (let n = 1; n <= zonesTimed; n += 1) {
        visits.push(await timeOf(() => planes.visit(n)));
        questions.push(await timeOf(() => planes.ask(n)));
      }
      await eachOf(zonesTimed + 1, zonesAsked, async (n) => {
        await planes.visit(n);
        await planes.ask(n);
      });
      const after = await restingMegabytes(server);
      const what = `${zones} zones, edge and name server`;
      return [
        { what: `${what}, listen after`, values: [listensMs], unit: "ms", budget: { most: 5_000 } },
        { what: `${what}, resident memory`, values: [before], unit: "MB", budget: { most: 600 } },
        {
          what: "first visitor of a zone, 99 of 100 within",
          values: [percentile(visits)],
          unit: "ms",
          budget: { most: 20 },
        },
        {
          what: "first question for a zone, 99 of 100 within",
          values: [percentile(questions)],
          unit: "ms",
          budget: { most: 20 },
        },
        {
          what: `${zonesAsked} of them asked once, memory beyond that, over the bounds`,
          values: [(after - before) / (3 * megabytesMax)],
          unit: "x",
          budget: { most: 1.2 },
        },
      ];
    });
  });
}

/** Writes the rows of active zones beside the first one; the API would take an hour. */
function addZones(file: string): void {
  using database = new DatabaseSync(file);
  const columnsOf = (table: string): string[] =>
    database
      .prepare("select name from pragma_table_info(?)")
      .all(table)
      .map(({ name }) => String(name));
  /** `replaced` says what a copy has in the place of what the first zone has. */
  const copy = (table: string, where: string, count: number, replaced: Record<string, string>): void => {
    const columns = columnsOf(table);
    const values = columns.map((column) => replaced[column] ?? `it.${column}`);
    database.exec(`
      with recursive copy(n) as (select 1 union all select n + 1 from copy where n < ${count})
      insert into ${table} (${columns.join(", ")}) select ${values.join(", ")} from copy, (${where}) as it`);
  };
  const first = `(select id from zones where name = '${nameOf(0)}')`;
  const zoneId = "printf('%032x', n)";
  const recordId = "printf('%032x', 4294967296 + n)";
  const name = "'zone-' || n || '.example'";
  database.exec("pragma synchronous = off");
  database.exec("begin");
  const zone = { id: zoneId, name, activation_order: "1000 + n" };
  copy("zones", `select * from zones where id = ${first}`, zones - 1, zone);
  const settings = `select * from universal_settings where zone_id = ${first}`;
  copy("universal_settings", settings, zones - 1, { zone_id: zoneId });
  copy("dns_records", `select * from dns_records where zone_id = ${first}`, zonesAsked, {
    id: recordId,
    zone_id: zoneId,
    name: `'www.' || ${name}`,
    record: `replace(replace(it.record, '${nameOf(0)}', ${name}), it.id, ${recordId})`,
  });
  database.exec("commit");
  database.exec("pragma wal_checkpoint(truncate)");
}

/** Asks both planes about zones. */
function openPlanes(edgePort: number, dnsPort: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: visitorsAtOnce });
  const socket = createSocket("udp4");
  socket.connect(dnsPort, "127.0.0.1");
  const waiting = new Map<number, () => void>();
  socket.on("message", (answer) => waiting.get(answer.readUInt16BE())?.());
  return {
    /** Blocked by a rule of the account, so that no origin is asked. */
    visit: async (n: number): Promise<void> => {
      const headers = { host: `www.${nameOf(n)}`, "user-agent": "Mozilla/5.0" };
      const asked = get({ port: edgePort, path: "/change-0", headers, agent });
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      await once(answer.resume(), "end");
      if (answer.statusCode !== 403) throw new Error(`${headers.host} is answered ${answer.statusCode}`);
    },
    ask: async (n: number): Promise<void> => {
      const [, query = Buffer.alloc(0)] = dnsQueries(["", `www.${nameOf(n)}`]);
      const id = n & 0xffff;
      query.writeUInt16BE(id);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(id, resolve);
      socket.send(query);
      await promise;
      waiting.delete(id);
    },
    [Symbol.dispose]: () => {
      agent.destroy();
      socket.close();
    },
  };
}

async function eachOf(first: number, last: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = first;
  const workOn = async (): Promise<void> => {
    while (next <= last) {
      const n = next;
      next += 1;
      await work(n);
    }
  };
  await Promise.all(Array.from({ length: visitorsAtOnce }, workOn));
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function percentile(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}

/** The resident memory of a process that has had nothing to do for some seconds. */
async function restingMegabytes({ pid }: ServerProcess): Promise<number> {
  await delay(5_000);
  return memoryMegabytes(pid).now;
}
