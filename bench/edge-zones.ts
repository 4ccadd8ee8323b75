import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { openDatabase } from "../src/storage/open-database.ts";
import type { Db } from "../src/storage/tables.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { customRules } from "./edge.ts";
import { call, createZone, withDirectory, withServers } from "./fixture.ts";
import { sendRequests } from "./load.ts";
import {
  cpuMicroseconds,
  freePort,
  memoryMegabytes,
  newSecretKey,
  startEdge,
  startZoneward,
  type ServerProcess,
} from "./process.ts";
import type { Finding } from "./report.ts";

const zones = Number(process.env["EDGE_ZONES"] ?? 10_000);
const rulesOfZone = 20;
const listItems = 1_000;
/** Few enough that all of them stay ready. */
const zonesOften = 100;
const requests = 4_000;
const rounds = 3;
/** The first zone, which the others are copies of. */
const original = "zone-original";
const nameOf = (n: number): string => `${n === 0 ? original : `zone-${n}`}.example`;

/** An edge beside the API; `port` is where visitors come. */
interface EdgeServer extends ServerProcess {
  readonly snapshotFile: string;
}

/** What is changed through the API. */
interface Owned {
  readonly accountPath: string;
  readonly zonePath: string;
  readonly zoneId: string;
  readonly rulesetId: string;
  readonly listId: string;
}

/** Many zones of one account behind an edge of its own: what they take, and what a request and a change cost. */
export async function edgeZones(): Promise<Finding[]> {
  const postgres = await startPostgres();
  try {
    return await withDirectory(async (directory) => {
      const settings = {
        ZONEWARD_DATABASE: postgres.url,
        ZONEWARD_SECRET_KEY_FILE: newSecretKey(join(directory, "key")),
      };
      const startOne = async (name: string, readyRules: number): Promise<EdgeServer> => {
        const port = await freePort();
        const data = join(directory, name);
        const server = await startEdge(data, {
          ...settings,
          ZONEWARD_EDGE_HTTP: `127.0.0.1:${port}`,
          ZONEWARD_EDGE_READY_RULES_MAX: String(readyRules),
        });
        return { ...server, port, snapshotFile: join(data, "edge.snapshot") };
      };
      return withServers([() => startZoneward(join(directory, "api"), settings)], async (api) => {
        const owned = await prepareAccount(api);
        const one = await withServers([() => startOne("one", 1)], lookAt);
        await copyZone(postgres.url, owned.zoneId);
        const unready = await withServers([() => startOne("unready", 1)], lookAt);
        return withServers([() => startOne("ready", 50_000)], async (server) => {
          const ready = await lookAt(server);
          return [
            ...restFindings({ one, unready, ready }),
            ...(await measureRequests(server)),
            ...(await measureChanges(server, api, owned)),
          ];
        });
      });
    });
  } finally {
    await postgres.stop();
  }
}

/** A zone with rules of its own in an account with a ruleset and a list, which its requests meet too. */
async function prepareAccount(api: ServerProcess): Promise<Owned> {
  const zoneId = await createZone(api, nameOf(0));
  const zonePath = `/zones/${zoneId}`;
  const record = { type: "A", name: "www", content: "203.0.113.1", proxied: true };
  await call(api, "POST", `${zonePath}/dns_records`, record);
  // Otherwise the copies would be given certificates while others are measured.
  await call(api, "PATCH", `${zonePath}/ssl/universal/settings`, { enabled: false });
  await call(api, "PUT", `${zonePath}/activation_check`);
  const phase = "rulesets/phases/http_request_firewall_custom/entrypoint";
  await call(api, "PUT", `${zonePath}/${phase}`, { rules: rulesOf(nameOf(0)) });
  const { account } = resultOf(await call(api, "GET", zonePath)) as { account: { id: string } };
  const accountPath = `/accounts/${account.id}`;
  const list = await call(api, "POST", `${accountPath}/rules/lists`, { name: "blocked", kind: "ip" });
  const { id: listId } = resultOf(list) as { id: string };
  await call(api, "PUT", `${accountPath}/rules/lists/${listId}/items`, itemsOf(0));
  const ruleset = await call(api, "POST", `${accountPath}/rulesets`, {
    name: "Everywhere",
    kind: "custom",
    phase: "http_request_firewall_custom",
    rules: accountRules(0),
  });
  const { id: rulesetId } = resultOf(ruleset) as { id: string };
  await call(api, "PUT", `${accountPath}/${phase}`, {
    rules: [{ action: "execute", expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: rulesetId } }],
  });
  return { accountPath, zonePath, zoneId, rulesetId, listId };
}

const resultOf = (text: string): unknown => (JSON.parse(text) as { readonly result: unknown }).result;

/** No two zones have an expression in common. */
const rulesOf = (name: string, path = "/blocked"): readonly object[] => [
  { action: "block", expression: `http.request.uri.path eq "${path}" and http.host ne "${name}"` },
  ...customRules(rulesOfZone - 1).map(({ action, expression }) => ({
    action,
    expression: `(${expression}) and http.host ne "${name}"`,
  })),
];

const accountRules = (change: number): readonly object[] => [
  { action: "block", expression: "ip.src in $blocked" },
  { action: "block", expression: `http.request.uri.path eq "/change-${change}"` },
];

const itemsOf = (change: number): readonly object[] =>
  Array.from({ length: listItems }, (_, n) => ({ ip: `192.0.${n >> 8}.${n & 255}`, comment: `${change}` }));

/** Writes the rows of copies; the API would take some minutes. */
async function copyZone(url: string, zoneId: string): Promise<void> {
  const db = await openDatabase({ engine: "postgres", url });
  try {
    const rows = await readZone(db.read, zoneId);
    for (let n = 1; n < zones; n += 1) await db.transaction(async (tx) => insertCopy(tx, rows, n));
  } finally {
    await db.close();
  }
}

type Rows = Awaited<ReturnType<typeof readZone>>;

async function readZone(db: Db, id: string) {
  const rulesets = await db.selectFrom("rulesets").selectAll().where("zone_id", "=", id).execute();
  const ids = rulesets.map((ruleset) => ruleset.id);
  return {
    zones: await db.selectFrom("zones").selectAll().where("id", "=", id).execute(),
    zone_settings: await db.selectFrom("zone_settings").selectAll().where("zone_id", "=", id).execute(),
    universal_settings: await db
      .selectFrom("universal_settings")
      .selectAll()
      .where("zone_id", "=", id)
      .execute(),
    dns_records: await db.selectFrom("dns_records").selectAll().where("zone_id", "=", id).execute(),
    rulesets,
    ruleset_versions: await db
      .selectFrom("ruleset_versions")
      .selectAll()
      .where("ruleset_id", "in", ids)
      .execute(),
  };
}

/** With ids and a name of its own wherever those of the first zone stand, in the same account. */
async function insertCopy(tx: Db, rows: Rows, n: number): Promise<void> {
  const accountId = rows.zones[0]?.account_id;
  const text = JSON.stringify(rows)
    .replaceAll(original, `zone-${n}`)
    .replaceAll(/\b[0-9a-f]{32}\b/g, (id) =>
      id === accountId ? id : createHash("md5").update(`${id} ${n}`).digest("hex"),
    );
  for (const [table, copies] of Object.entries(JSON.parse(text) as Record<string, object[]>)) {
    if (copies.length > 0)
      await tx
        .insertInto(table as "zones")
        .values(copies as never)
        .execute();
  }
}

interface Look {
  readonly memory: number;
  readonly cpuMs: number;
  readonly snapshotBytes: number;
}

async function lookAt({ pid, snapshotFile }: EdgeServer): Promise<Look> {
  await settle(pid);
  return {
    memory: memoryMegabytes(pid).now,
    cpuMs: cpuMicroseconds(pid) / 1_000,
    snapshotBytes: statSync(snapshotFile).size,
  };
}

function restFindings({
  one,
  unready,
  ready,
}: Readonly<Record<"one" | "unready" | "ready", Look>>): Finding[] {
  const a = `a zone with ${rulesOfZone} rules`;
  return [
    { what: "edge with one zone, resident memory", values: [one.memory], unit: "MB" },
    { what: `edge with ${zones} zones, none ready, resident memory`, values: [unready.memory], unit: "MB" },
    {
      what: `edge with ${zones} zones, 50,000 rules ready, resident memory`,
      values: [ready.memory],
      unit: "MB",
    },
    { what: `${a}, file of the snapshot`, values: [unready.snapshotBytes / zones / 1_000], unit: "kB" },
    {
      what: `${a}, read at the start, CPU`,
      values: [((unready.cpuMs - one.cpuMs) / zones) * 1_000],
      unit: "us",
    },
  ];
}

/** Blocked by the zone's first rule of its own, so that no origin is asked. */
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

async function measureChanges(server: ServerProcess, api: ServerProcess, owned: Owned): Promise<Finding[]> {
  const { accountPath, zonePath, rulesetId, listId } = owned;
  const phase = "rulesets/phases/http_request_firewall_custom/entrypoint";
  const changes = {
    "ruleset of one zone": (n: number) =>
      call(api, "PUT", `${zonePath}/${phase}`, { rules: rulesOf(nameOf(0), `/own-${n}`) }),
    "ruleset of the account": (n: number) =>
      call(api, "PUT", `${accountPath}/rulesets/${rulesetId}`, { rules: accountRules(n) }),
    "list of the account": (n: number) =>
      call(api, "PUT", `${accountPath}/rules/lists/${listId}/items`, itemsOf(n)),
  };
  const findings: Finding[] = [];
  for (const [name, change] of Object.entries(changes)) {
    const costs: number[] = [];
    const times: number[] = [];
    const stored: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const before = cpuMicroseconds(server.pid);
      const began = performance.now();
      await change(round);
      stored.push(performance.now() - began);
      const busyUntil = await settle(server.pid);
      times.push(Math.max(0, busyUntil - began));
      costs.push((cpuMicroseconds(server.pid) - before) / 1_000);
    }
    findings.push(
      { what: `change of a ${name}, answered`, values: stored, unit: "ms" },
      { what: `change of a ${name}, until the edge is done`, values: times, unit: "ms" },
      { what: `change of a ${name}, CPU of the edge`, values: costs, unit: "ms" },
    );
  }
  return findings;
}

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
