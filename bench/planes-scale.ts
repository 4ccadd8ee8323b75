import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { Client } from "pg";
import { pino } from "pino";

import { readConfig } from "../src/config/config.ts";
import { zoneSettingsOf } from "../src/planes/dns/open-name-server.ts";
import { ServedZones } from "../src/planes/dns/served-zones.ts";
import { ActiveZones } from "../src/planes/active-zones.ts";
import { ServedEdgeZones } from "../src/planes/edge/edge-zones.ts";
import { createContext, createSecrets, locationOf } from "../src/process/open-store.ts";
import { createRulesetContext } from "../src/process/ruleset-context.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { call, createRecords, createZone, withDirectory, withServers } from "./fixture.ts";
import {
  cpuMicroseconds,
  freePort,
  newSecretKey,
  startEdge,
  startZoneward,
  type ServerProcess,
} from "./process.ts";
import type { Finding } from "./report.ts";

/** Records of the small zone, and of the large one. */
const smallRecords = 10;
const largeRecords = Number(process.env["PLANES_RECORDS"] ?? 100_000);
const recordsAtOnce = 1_000;
const rounds = 5;
const changesOfRound = 40;
/** Until what follows a change has ended. */
const settleMs = 2_000;
const customPhase = "rulesets/phases/http_request_firewall_custom/entrypoint";

/** The cost of a change for the name server and the edge, and the time until it is in force. */
export async function planesScale(): Promise<Finding[]> {
  return withDirectory(async (directory) => [
    ...(await inOneProcess(join(directory, "one"))),
    ...(await inProcessesOfTheirOwn(directory)),
  ]);
}

/** An active zone with records, the first of which is changed. */
interface Zone {
  readonly name: string;
  readonly path: string;
  readonly recordPath: string;
}

async function prepareZone(api: ServerProcess, name: string, records: number): Promise<Zone> {
  const path = `/zones/${await createZone(api, name)}`;
  // Otherwise certificates are issued meanwhile.
  await call(api, "PATCH", `${path}/ssl/universal/settings`, { enabled: false });
  const record = { type: "A", name: "www", content: "203.0.113.1", proxied: true };
  const made = JSON.parse(await call(api, "POST", `${path}/dns_records`, record)) as {
    result: { id: string };
  };
  for (let from = 0; from < records; from += recordsAtOnce) {
    await createRecords(api, path.split("/")[2] ?? "", Math.min(recordsAtOnce, records - from), from);
  }
  await call(api, "PUT", `${path}/activation_check`);
  return { name, path, recordPath: `${path}/dns_records/${made.result.id}` };
}

let changesMade = 0;

/** Gives the record an address that it did not have before. */
async function changeRecord(api: ServerProcess, { recordPath }: Zone): Promise<void> {
  changesMade += 1;
  await call(api, "PATCH", recordPath, { content: `203.0.${changesMade >> 8}.${changesMade & 255}` });
}

async function inOneProcess(directory: string): Promise<Finding[]> {
  const [edgePort, dnsPort] = [await freePort(), await freePort()];
  const settings = {
    ZONEWARD_EDGE_HTTP: `127.0.0.1:${edgePort}`,
    ZONEWARD_DNS_LISTEN: `127.0.0.1:${dnsPort}`,
  };
  return withServers([() => startZoneward(directory, settings)], async (server) => {
    const small = await prepareZone(server, "small.example", smallRecords);
    const large = await prepareZone(server, "large.example", largeRecords);
    const costOf = async (zone: Zone): Promise<number> => {
      const before = cpuMicroseconds(server.pid);
      for (let n = 0; n < changesOfRound; n += 1) await changeRecord(server, zone);
      await delay(settleMs);
      return (cpuMicroseconds(server.pid) - before) / changesOfRound;
    };
    await delay(settleMs);
    const costs: { readonly small: number[]; readonly large: number[] } = { small: [], large: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const [ofSmall, ofLarge] = [await costOf(small), await costOf(large)];
      // The first changes compile code.
      if (round === 0) continue;
      costs.small.push(ofSmall);
      costs.large.push(ofLarge);
    }
    const ratios = costs.large.map((cost, round) => cost / (costs.small[round] ?? Number.NaN));
    const what = (records: number): string => `change of a record, zone of ${records}, DNS and edge, CPU`;
    return [
      { what: what(smallRecords), values: costs.small, unit: "us" },
      { what: what(largeRecords), values: costs.large, unit: "us" },
      { what: `the same, over a zone of ${smallRecords}`, values: ratios, unit: "x", budget: { most: 1.1 } },
      {
        what: "rule change in force, same process",
        values: await timesToForce(server, edgePort, small),
        unit: "ms",
        budget: { most: 50 },
      },
    ];
  });
}

async function inProcessesOfTheirOwn(directory: string): Promise<Finding[]> {
  const postgres = await startPostgres();
  const settings = {
    ZONEWARD_DATABASE: postgres.url,
    ZONEWARD_SECRET_KEY_FILE: newSecretKey(join(directory, "key")),
  };
  const edgePort = await freePort();
  const startOnlyEdge = () =>
    startEdge(join(directory, "edge"), { ...settings, ZONEWARD_EDGE_HTTP: `127.0.0.1:${edgePort}` });
  try {
    return await withServers([() => startZoneward(join(directory, "api"), settings)], async (api) => {
      const zone = await prepareZone(api, "small.example", smallRecords);
      const statements = await statementsOfChange(settings, () => changeRecord(api, zone));
      return withServers([startOnlyEdge], async () => [
        {
          what: "statements of a record change, name server",
          values: statements.nameServer,
          unit: "",
          budget: { most: 3 },
        },
        {
          what: "statements of a record change, edge",
          values: statements.edge,
          unit: "",
          budget: { most: 2 },
        },
        {
          what: "rule change in force, another process",
          values: await timesToForce(api, edgePort, zone),
          unit: "ms",
          budget: { most: 300 },
        },
      ]);
    });
  } finally {
    await postgres.stop();
  }
}

/** The number of statements that each plane sends for a change, in this process. */
async function statementsOfChange(
  environment: Readonly<Record<string, string>>,
  change: () => Promise<void>,
): Promise<{ readonly nameServer: readonly number[]; readonly edge: readonly number[] }> {
  const { config } = await readConfig([], environment);
  const [settings, secretBox] = [zoneSettingsOf(config), createSecrets(config)];
  const statements = countStatements();
  const countWith = async (
    follow: (db: Database) => Promise<{ stop(): Promise<void> }>,
  ): Promise<number[]> => {
    const db = await openDatabase(locationOf(config));
    const follower = await follow(db);
    const counts: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await delay(settleMs);
      const before = statements.count;
      await change();
      await delay(settleMs);
      if (round > 0) counts.push(statements.count - before);
    }
    await follower.stop();
    await db.close();
    return counts;
  };
  const logger = pino({ level: "silent" });
  return {
    nameServer: await countWith(async (db) => {
      const zones = new ServedZones(
        { db, settings, secretBox },
        new ActiveZones(db, () => new Date()),
        logger,
        {
          edgeAddresses: [],
          octetsMax: config.dns_zones_bytes_max,
        },
      );
      await zones.start();
      await zones.readFor("small.example");
      return zones;
    }),
    edge: await countWith(async (db) => {
      const context = createRulesetContext(createContext(db), config.vendor);
      const options = {
        readyBytesMax: config.edge_ready_bytes_max,
        zonesBytesMax: config.edge_zones_bytes_max,
      };
      const zones = new ServedEdgeZones(
        { ...context, settings, secretBox },
        new ActiveZones(db, context.now),
        logger,
        options,
      );
      await zones.start();
      await zones.readUnread("www.small.example");
      return zones;
    }),
  };
}

/** Counts all that this process asks of PostgreSQL from now on, but for the beat of the connection that listens. */
function countStatements(): { readonly count: number } {
  const counted = { count: 0 };
  const submit = Client.prototype.query as (...args: unknown[]) => unknown;
  const query = function (this: Client, ...args: unknown[]): unknown {
    if (!JSON.stringify(args[0]).includes("pg_listening_channels")) counted.count += 1;
    return submit.apply(this, args);
  };
  Client.prototype.query = query as typeof Client.prototype.query;
  return counted;
}

/** Milliseconds from the answer to a change of a zone's rules until a visitor is judged by them. */
async function timesToForce(api: ServerProcess, port: number, { name, path }: Zone): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const isBlocked = async (visited: string): Promise<boolean> => {
    const asked = get({ port, path: visited, headers: { host: `www.${name}` }, agent });
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    await once(answer.resume(), "end");
    return answer.statusCode === 403;
  };
  const elsewhere = {
    action: "block",
    expression: 'http.request.uri.path ne "/"',
    action_parameters: {
      response: { status_code: 418, content_type: "text/plain", content: "nothing here" },
    },
  };
  const times: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const visited = `/blocked-${round}`;
      const block = { action: "block", expression: `http.request.uri.path eq "${visited}"` };
      await call(api, "PUT", `${path}/${customPhase}`, { rules: [block, elsewhere] });
      const answered = performance.now();
      while (!(await isBlocked(visited)));
      // The first change compiles code.
      if (round > 0) times.push(performance.now() - answered);
    }
  } finally {
    agent.destroy();
  }
  return times;
}
