import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

import { createRecords, createZone, withDirectory } from "./fixture.ts";
import { startZoneward as restart } from "./process.ts";
import type { Finding } from "./report.ts";
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
  ];
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
