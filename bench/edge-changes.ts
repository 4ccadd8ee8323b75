import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { startPostgres } from "../test/support/postgres.ts";
import { customRules, managedRules, prepareZone, untilServed, visitTo } from "./edge.ts";
import { call, withDirectory, withServers } from "./fixture.ts";
import { sendRequests } from "./load.ts";
import { longestTurn, measuringTurns } from "./longest-turn.ts";
import {
  cpuMicroseconds,
  freePort,
  newSecretKey,
  startEdge,
  startPeer,
  startZoneward,
  type ServerProcess,
} from "./process.ts";
import type { Finding } from "./report.ts";

const rulesOfBusyZone = 1_000;
const changesPerSecond = 40;
const measuredMs = 10_000;
const turnMsMax = 50;
/** Few enough that the edge is not at its limit, so that what a visitor waits for is the changes. */
const visitorConnections = 2;
const firewallPhase = "http_request_firewall_custom";
const managedPhase = "http_request_firewall_managed";

/** Counts up, for changes that never equal an earlier one. */
let changesMade = 0;

/** An edge, its port for visitors and the file that its longest turn is written to. */
interface MeasuredEdge {
  readonly server: ServerProcess;
  readonly port: number;
  readonly turnsFile: string;
}

/** A zone whose rules change all the time, and the rule of it that does. */
interface BusyZone {
  readonly what: string;
  readonly rulePath: string;
  readonly changeOf: (n: number) => object;
}

/**
 * The effect on visitors of one zone while the rules of another zone of the same edge change many times a second: in
 * the process that has the API too, and in one of its own.
 */
export async function edgeChanges(): Promise<Finding[]> {
  return withDirectory(async (directory) =>
    withServers([() => startPeer("empty")], async (origin) => [
      ...(await inOneProcess(directory, origin)),
      ...(await inAProcessOfItsOwn(directory, origin)),
    ]),
  );
}

async function inOneProcess(directory: string, origin: ServerProcess): Promise<Finding[]> {
  const port = await freePort();
  const turnsFile = join(directory, "turns-of-one");
  const settings = { ZONEWARD_EDGE_HTTP: `127.0.0.1:${port}`, ...measuringTurns(turnsFile) };
  return withServers([() => startZoneward(join(directory, "one"), settings)], async (server) =>
    measureAll("edge and API in one process", server, { server, port, turnsFile }, origin),
  );
}

async function inAProcessOfItsOwn(directory: string, origin: ServerProcess): Promise<Finding[]> {
  const port = await freePort();
  const turnsFile = join(directory, "turns-of-edge");
  const postgres = await startPostgres();
  try {
    const store = {
      ZONEWARD_DATABASE: postgres.url,
      ZONEWARD_SECRET_KEY_FILE: newSecretKey(join(directory, "key")),
      ZONEWARD_EDGE_ORIGIN_NETWORKS: "127.0.0.0/8",
    };
    const settings = { ...store, ZONEWARD_EDGE_HTTP: `127.0.0.1:${port}`, ...measuringTurns(turnsFile) };
    return await withServers(
      [
        () => startZoneward(join(directory, "api"), store),
        () => startEdge(join(directory, "edge"), settings),
      ],
      async (api, server) => measureAll("edge of its own", api, { server, port, turnsFile }, origin),
    );
  } finally {
    await postgres.stop();
  }
}

async function measureAll(
  where: string,
  api: ServerProcess,
  edge: MeasuredEdge,
  origin: ServerProcess,
): Promise<Finding[]> {
  await prepareZone(api, "quiet.example", origin.port, 20);
  const busy = [await prepareLargeZone(api, origin), await prepareManagedZone(api, origin)];
  await untilServed(edge.port, "www.quiet.example");
  // The first requests and changes compile code.
  await measureOne(api, edge, busy[0], 2_000);
  const findings: Finding[] = [];
  for (const zone of [undefined, ...busy]) {
    const { changes, turnMs, latenciesMs, cpuMs } = await measureOne(api, edge, zone, measuredMs);
    const during = `${where}, ${zone?.what ?? "no changes"}`;
    const waits = (share: number) => [quantile(latenciesMs, share)];
    findings.push(
      { what: `${during}, longest turn`, values: [turnMs], unit: "ms", budget: { most: turnMsMax } },
      { what: `${during}, visitors of another zone, p50`, values: waits(0.5), unit: "ms" },
      { what: `${during}, visitors of another zone, p99`, values: waits(0.99), unit: "ms" },
      { what: `${during}, changes a second`, values: [(changes / measuredMs) * 1_000], unit: "" },
      { what: `${during}, CPU of the process, of a core`, values: [cpuMs / measuredMs], unit: "x" },
    );
  }
  return findings;
}

async function prepareLargeZone(api: ServerProcess, origin: ServerProcess): Promise<BusyZone> {
  const zoneId = await prepareZone(api, "large.example", origin.port, 0);
  return prepareBusy(api, `rules of a zone with ${rulesOfBusyZone} rules change`, {
    path: `/zones/${zoneId}/rulesets`,
    phase: firewallPhase,
    rules: customRules(rulesOfBusyZone),
    changeOf: (n) => ({ action: "block", expression: `http.request.uri.path eq "/change-${n}"` }),
  });
}

async function prepareManagedZone(api: ServerProcess, origin: ServerProcess): Promise<BusyZone> {
  const zoneId = await prepareZone(api, "managed.example", origin.port, 0);
  return prepareBusy(api, "rules of a zone with managed rulesets change", {
    path: `/zones/${zoneId}/rulesets`,
    phase: managedPhase,
    rules: managedRules,
    changeOf: (n) => ({ ...managedRules[0], expression: `http.request.uri.path ne "/change-${n}"` }),
  });
}

interface Busy extends Pick<BusyZone, "changeOf"> {
  readonly path: string;
  readonly phase: string;
  readonly rules: readonly object[];
}

async function prepareBusy(
  api: ServerProcess,
  what: string,
  { path, phase, rules, changeOf }: Busy,
): Promise<BusyZone> {
  const text = await call(api, "PUT", `${path}/phases/${phase}/entrypoint`, { rules });
  const { result } = JSON.parse(text) as { result: { id: string; rules: { id: string }[] } };
  return { what, changeOf, rulePath: `${path}/${result.id}/rules/${result.rules[0]?.id}` };
}

async function measureOne(
  api: ServerProcess,
  { server, port, turnsFile }: MeasuredEdge,
  busy: BusyZone | undefined,
  durationMs: number,
) {
  const latenciesMs: number[] = [];
  let changes = 0;
  await longestTurn(server, turnsFile);
  const before = cpuMicroseconds(server.pid);
  const end = performance.now() + durationMs;
  const visiting = (async () => {
    while (performance.now() < end) {
      const load = {
        port,
        requests: 100,
        connections: visitorConnections,
        request: visitTo("www.quiet.example"),
      };
      latenciesMs.push(...(await sendRequests(load)).latenciesMs);
    }
  })();
  const changing = (async () => {
    if (busy === undefined) return;
    const began = performance.now();
    while (performance.now() < end) {
      await call(api, "PATCH", busy.rulePath, busy.changeOf((changesMade += 1)));
      changes += 1;
      await delay(Math.max(0, began + (changes * 1_000) / changesPerSecond - performance.now()));
    }
  })();
  await Promise.all([visiting, changing]);
  const cpuMs = (cpuMicroseconds(server.pid) - before) / 1_000;
  return { changes, latenciesMs, cpuMs, turnMs: await longestTurn(server, turnsFile) };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
