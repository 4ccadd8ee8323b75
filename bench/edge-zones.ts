import { once } from "node:events";
import { statSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { startPostgres } from "../test/support/postgres.ts";
import { withDirectory, withServers } from "./fixture.ts";
import { sendRequests } from "./load.ts";
import {
  changeAccount,
  changeZone,
  copyZone,
  nameOf,
  prepareAccount,
  rulesOfZone,
  type Owned,
} from "./many-zones.ts";
import {
  cpuMicroseconds,
  freePort,
  isListening,
  memoryMegabytes,
  newSecretKey,
  startEdge,
  startZoneward,
  type ServerProcess,
} from "./process.ts";
import type { Finding } from "./report.ts";

const zones = Number(process.env["EDGE_ZONES"] ?? 10_000);
/** Few enough that all of them stay ready. */
const zonesOften = 100;
const requests = 4_000;
const rounds = 3;
/** Visitors of zones that nobody asked for before. */
const firstVisitors = 100;

/** An edge; `port` is where visitors come. */
interface EdgeServer extends ServerProcess {
  readonly metricsPort: number;
  readonly began: number;
  readonly startMs: number;
}

/** Many zones of one account behind an edge: what they take, and what a request and a change cost. */
export async function edgeZones(): Promise<Finding[]> {
  return withDirectory(async (directory) => [
    ...(await ofItsOwn(directory)),
    ...(await withApi(join(directory, "one"))),
  ]);
}

/** An edge without the API, on PostgreSQL. */
async function ofItsOwn(directory: string): Promise<Finding[]> {
  const postgres = await startPostgres();
  try {
    const settings = {
      ZONEWARD_DATABASE: postgres.url,
      ZONEWARD_SECRET_KEY_FILE: newSecretKey(join(directory, "key")),
    };
    const startOne = (data: string) => () =>
      timed((port) => startEdge(data, { ...settings, ZONEWARD_EDGE_HTTP: `127.0.0.1:${port}` }));
    return await withServers([() => startZoneward(join(directory, "api"), settings)], async (api) => {
      const owned = await prepareAccount(api);
      const one = await withServers([startOne(join(directory, "one-zone"))], lookAt);
      await copyZone({ engine: "postgres", url: postgres.url }, owned, zones);
      const data = join(directory, "edge");
      return withServers([startOne(data)], async (edge) => [
        ...restFindings("edge of its own", one, await lookAt(edge)),
        {
          what: `a zone with ${rulesOfZone} rules, file of the snapshot`,
          values: [statSync(join(data, "edge.snapshot")).size / zones / 1_000],
          unit: "kB",
        },
        ...(await measureRequests(edge)),
        ...(await measureChanges("edge of its own", edge, api, owned)),
      ]);
    });
  } finally {
    await postgres.stop();
  }
}

/** The edge of the process that has the API too, on SQLite. */
async function withApi(directory: string): Promise<Finding[]> {
  let apiPort = 0;
  const startOne = () =>
    timed(async (port) => {
      const server = await startZoneward(directory, { ZONEWARD_EDGE_HTTP: `127.0.0.1:${port}` });
      apiPort = server.port;
      return server;
    });
  const [owned, one] = await withServers([startOne], async (server) => [
    await prepareAccount({ ...server, port: apiPort }),
    await lookAt(server),
  ]);
  await copyZone({ engine: "sqlite", file: join(directory, "zoneward.sqlite") }, owned, zones);
  const where = "edge and API in one process";
  return withServers([startOne], async (server) => [
    ...restFindings(where, one, await lookAt(server)),
    ...(await measureChanges(where, server, { ...server, port: apiPort }, owned)),
  ]);
}

/** Starts an edge on a free port for visitors. */
async function timed(start: (port: number) => Promise<ServerProcess>): Promise<EdgeServer> {
  const port = await freePort();
  const began = performance.now();
  const server = await start(port);
  while (!(await isListening(port))) await delay(listenMs);
  return { ...server, port, metricsPort: server.port, began, startMs: performance.now() - began };
}

interface Look {
  readonly startMs: number;
  /** From the start until the snapshot has all zones; of an edge without one, until it listens. */
  readonly keptMs: number;
  /** Times of visitors of zones that had not been read. */
  readonly firstMs: readonly number[];
  /** Before anybody asks. */
  readonly memory: number;
  readonly cpuMs: number;
}

async function lookAt({ port, metricsPort, pid, began, startMs }: EdgeServer): Promise<Look> {
  while (!(await hasKeptAll(metricsPort))) await delay(lookMs);
  const keptMs = performance.now() - began;
  await settle(pid);
  const { now: memory } = memoryMegabytes(pid);
  const cpuMs = cpuMicroseconds(pid) / 1_000;
  const firstMs: number[] = [];
  for (let visitor = 0; visitor < firstVisitors; visitor += 1) {
    const sent = performance.now();
    await visitOnce(port, nameOf(zones - 1 - visitor));
    firstMs.push(performance.now() - sent);
  }
  return { startMs, firstMs, keptMs, memory, cpuMs };
}

async function hasKeptAll(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  return /^zoneward_edge_zones_unkept 0$/m.test(await answer.text());
}

/** Resolves when a visitor has its answer. */
async function visitOnce(port: number, host: string): Promise<void> {
  const asked = get({ port, path: "/", headers: { host: `www.${host}` }, agent: false });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  await once(answer.resume(), "end");
}

function restFindings(where: string, one: Look, all: Look): Finding[] {
  const perZone = (of: "cpuMs"): number => ((all[of] - one[of]) / zones) * 1_000;
  return [
    { what: `${where}, one zone, resident memory`, values: [one.memory], unit: "MB" },
    {
      what: `${where}, ${zones} zones, resident memory before anybody asks`,
      values: [all.memory],
      unit: "MB",
      budget: { most: 250 },
    },
    { what: `${where}, one zone, start until it listens`, values: [one.startMs], unit: "ms" },
    {
      what: `${where}, ${zones} zones, start until it listens`,
      values: [all.startMs],
      unit: "ms",
      budget: { most: 2_000 },
    },
    { what: `${where}, ${zones} zones, start until the snapshot has all`, values: [all.keptMs], unit: "ms" },
    { what: `${where}, visitor of a zone that is not read, answered after`, values: all.firstMs, unit: "ms" },
    { what: `${where}, a zone of them, CPU of the start`, values: [perZone("cpuMs")], unit: "us" },
  ];
}

/** Blocked by a rule of the account, so that no origin is asked. */
async function measureRequests(server: ServerProcess): Promise<Finding[]> {
  const visit = (n: number) => visitTo(nameOf(n), "/change-0");
  const measure = async (zoneOf: (n: number) => number): Promise<number[]> => {
    const costs: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const before = cpuMicroseconds(server.pid);
      const first = (round + 1) * requests;
      await sendRequests({ port: server.port, requests, request: (n) => visit(zoneOf(first + n)) });
      if (round >= 0) costs.push((cpuMicroseconds(server.pid) - before) / requests);
    }
    return costs;
  };
  const unready = await measure((n) => n % zones);
  const ready = await measure((n) => n % zonesOften);
  return [
    { what: "request that a rule blocks, zone ready, CPU", values: ready, unit: "us" },
    { what: "request that a rule blocks, zone not ready, CPU", values: unready, unit: "us" },
  ];
}

function visitTo(host: string, path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: www.${host}\r\nuser-agent: Mozilla/5.0\r\naccept: text/html\r\n\r\n`;
}

/** A change of each kind through the API, and how long after its answer visitors are judged by it. */
async function measureChanges(
  where: string,
  edge: EdgeServer,
  api: ServerProcess,
  owned: Owned,
): Promise<Finding[]> {
  const changes = {
    "rules of one zone": (path: string) => changeZone(api, owned, path),
    "ruleset of the account": (path: string) => changeAccount(api, owned, path),
  };
  const findings: Finding[] = [];
  for (const [name, change] of Object.entries(changes)) {
    const costs: number[] = [];
    const delays: number[] = [];
    const stored: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      // Events of earlier requests are stored first.
      await settle(edge.pid);
      const path = `${name.replaceAll(" ", "-")}-${round}`;
      const before = cpuMicroseconds(edge.pid);
      const began = performance.now();
      await change(path);
      const answered = performance.now();
      await untilBlocked(edge, path);
      const enforced = performance.now();
      await settle(edge.pid);
      // The first change compiles code.
      if (round === 0) continue;
      stored.push(answered - began);
      delays.push(enforced - answered);
      costs.push((cpuMicroseconds(edge.pid) - before) / 1_000);
    }
    findings.push(
      { what: `${where}, change of the ${name}, answered after`, values: stored, unit: "ms" },
      { what: `${where}, change of the ${name}, from the answer to force`, values: delays, unit: "ms" },
      { what: `${where}, change of the ${name}, CPU of the process`, values: costs, unit: "ms" },
    );
  }
  return findings;
}

/** Visits the first zone again and again, until a rule blocks the path. */
async function untilBlocked({ port }: EdgeServer, path: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      const asked = get({ port, path: `/${path}`, headers: { host: `www.${nameOf(0)}` }, agent });
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      await once(answer.resume(), "end");
      if (answer.statusCode === 403) return;
    }
  } finally {
    agent.destroy();
  }
}

const listenMs = 50;
const lookMs = 100;
const looksQuiet = 12;

/** Waits until a process does next to nothing, and answers since when. */
async function settle(pid: number): Promise<number> {
  let busyUntil = performance.now();
  let used = cpuMicroseconds(pid);
  for (let quiet = 0; quiet < looksQuiet; quiet += 1) {
    await delay(lookMs);
    const now = cpuMicroseconds(pid);
    if (now - used > lookMs * 100) {
      quiet = -1;
      busyUntil = performance.now();
    }
    used = now;
  }
  return busyUntil;
}
