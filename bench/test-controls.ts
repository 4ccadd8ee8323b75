import { spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import {
  asOwner,
  createPages,
  createRecords,
  createZone,
  withDirectory,
  withServers,
  withZoneward,
} from "./fixture.ts";
import { ownerToken, startZoneward as restart, type ServerProcess } from "./process.ts";
import { median, type Finding } from "./report.ts";
import { measureInTurns } from "./rounds.ts";
import { startZoneward } from "../src/testing/testing.ts";

const runs = 30;
const records = 1_000;

/** Putting a state with 1,000 records back, beside starting the server again, and beside WireMock's reset. */
export async function testControls(): Promise<Finding[]> {
  const posts = Array.from({ length: records }, (_, n) => ({
    type: "A",
    name: `h${n}`,
    content: "192.0.2.1",
  }));
  const started: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    started.push(await timed(async () => (await startZoneward()).stop()));
  }
  await using server = await startZoneward({
    seed: { zones: [{ name: "seeded.example", records: posts }] },
  });
  const reset: number[] = [];
  const restored: number[] = [];
  const snapshot = await server.snapshot();
  for (let run = 0; run < runs; run += 1) {
    await server.zone();
    reset.push(await timed(() => server.reset()));
    await server.zone();
    restored.push(await timed(() => snapshot.restore()));
  }
  return [
    { what: "reset with 1,000 records", values: reset, unit: "ms", budget: { most: 10 } },
    { what: "restore of a snapshot with 1,000 records", values: restored, unit: "ms", budget: { most: 20 } },
    { what: "startZoneward and stop, in this process", values: started, unit: "ms", budget: { most: 400 } },
    { what: "the server started again on 1,000 records", values: await restarts(), unit: "ms" },
    ...(await wireMock()),
    ...(await costOfAllRequests()),
  ];
}

const faultsMax = 1_000;
const size = { rounds: 6, requests: 2_000, warmUp: 12_000 };
/** Two processes of one program differ by a tenth, in how V8 compiled and laid it out: each set starts new ones. */
const sets = 7;

/** The cost of the switch for a page of 20 records: a full journal, and then as many rules as there may be. */
async function costOfAllRequests(): Promise<Finding[]> {
  return withDirectory(async (directory) => {
    const data = (name: string): string => join(directory, name);
    const paths = await withZoneward(data("off"), createPages);
    for (const name of ["same", "journal", "rules"]) cpSync(data("off"), data(name), { recursive: true });
    const pages = paths.map((path) => Buffer.from(asOwner("GET", path)));
    const found = { same: [] as number[], journal: [] as number[], rules: [] as number[], refused: 0 };
    for (let set = 0; set < sets; set += 1) {
      const { costs, refused } = await measureServers(data, (n) => pages[n % pages.length] as Buffer);
      const off = median(costs.off);
      for (const name of ["same", "journal", "rules"] as const) found[name].push(median(costs[name]) / off);
      found.refused += refused;
    }
    const budget = { most: 1.05 };
    return [
      { what: "page of 20 records, test controls off / another such server", values: found.same, unit: "x" },
      {
        what: "page of 20 records, full journal / test controls off",
        values: found.journal,
        unit: "x",
        budget,
      },
      {
        what: "page of 20 records, full journal and 1,000 faults / test controls off",
        values: found.rules,
        unit: "x",
        budget,
      },
      { what: "pages, answers not 2xx", values: [found.refused], unit: "", budget: { most: 0 } },
    ];
  });
}

async function measureServers(data: (name: string) => string, request: (n: number) => Buffer) {
  const on = { ZONEWARD_TEST_CONTROLS: "true" };
  const starts = [
    () => restart(data("off")),
    () => restart(data("same")),
    () => restart(data("journal"), on),
    () => restart(data("rules"), on),
  ] as const;
  return withServers(starts, async (off, same, journal, rules) => {
    await addFaults(rules);
    return measureInTurns(
      {
        off: { server: off, request },
        same: { server: same, request },
        journal: { server: journal, request },
        rules: { server: rules, request },
      },
      size,
    );
  });
}

/** Adds as many as there may be, none of which ever acts on a page of records. */
async function addFaults(server: ServerProcess): Promise<void> {
  const faults = Array.from({ length: faultsMax }, (_, n) => ({
    match: { path: `/client/v4/zones/*/dns_records/${n}` },
    effect: { type: "html", status: 502 },
  }));
  const { status } = await fetch(`http://127.0.0.1:${server.port}/test/v1/faults`, {
    method: "POST",
    headers: { authorization: `Bearer ${ownerToken}`, "content-type": "application/json" },
    body: JSON.stringify(faults),
  });
  if (status !== 200) throw new Error(`faults are refused: ${status}`);
}

async function restarts(): Promise<number[]> {
  return withDirectory(async (data) => {
    const first = await restart(data);
    await createRecords(first, await createZone(first, "seeded.example"), records);
    await first.stop();
    const values: number[] = [];
    for (let run = 0; run < runs / 3; run += 1) {
      values.push(await timed(async () => (await restart(data)).stop()));
    }
    return values;
  });
}

const wireMockPort = 18_080;

/** The reset of the standalone WireMock that `WIREMOCK_JAR` names, with as many stubs; nothing without it. */
async function wireMock(): Promise<Finding[]> {
  const jar = process.env["WIREMOCK_JAR"];
  if (jar === undefined) return [];
  const java = spawn("java", ["-jar", jar, "--port", String(wireMockPort)], { stdio: "ignore" });
  const ask = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${wireMockPort}/__admin${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  try {
    while (
      !(await ask("GET", "/mappings").then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await delay(100);
    const values: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const mappings = Array.from({ length: records }, (_, n) => ({
        request: { urlPath: `/${n}` },
        response: { status: 200 },
      }));
      await ask("POST", "/mappings/import", { mappings });
      values.push(await timed(() => ask("POST", "/reset")));
    }
    return [{ what: "WireMock's reset with 1,000 stubs", values, unit: "ms" }];
  } finally {
    java.kill();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
