import { join } from "node:path";

import { startPostgres } from "../test/support/postgres.ts";
import { asOwner, createRecords, createZone, withDirectory, withServers } from "./fixture.ts";
import { sendRequests } from "./load.ts";
import { newSecretKey, startZoneward, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";
import { ratios } from "./rounds.ts";

const rounds = 5;
const requests = 3_000;
const instanceCounts = [1, 2, 3] as const;
type InstanceCount = (typeof instanceCounts)[number];

/** Pages of 20 records read from 1, 2 and 3 instances over one PostgreSQL database, beside one on SQLite. */
export async function instances(): Promise<Finding[]> {
  const postgres = await startPostgres();
  try {
    return await withDirectory(async (directory) => {
      const shared = {
        ZONEWARD_DATABASE: postgres.url,
        ZONEWARD_SECRET_KEY_FILE: newSecretKey(join(directory, "key")),
      };
      const instance = (name: string) => () => startZoneward(join(directory, name), shared);
      const starts = [
        () => startZoneward(join(directory, "sqlite")),
        instance("first"),
        instance("second"),
        instance("third"),
      ] as const;
      return withServers(starts, async (sqlite, ...group) => compare(sqlite, group));
    });
  } finally {
    await postgres.stop();
  }
}

async function compare(sqlite: ServerProcess, group: readonly ServerProcess[]): Promise<Finding[]> {
  const [first] = group;
  if (first === undefined) throw new Error("no instance");
  const onSqlite = await makePage(sqlite);
  const onPostgres = await makePage(first);
  const rates: Record<"sqlite" | InstanceCount, number[]> = { sqlite: [], 1: [], 2: [], 3: [] };
  let refused = 0;
  for (let round = -1; round < rounds; round += 1) {
    const measured: [keyof typeof rates, number][] = [];
    measured.push(["sqlite", await rateOf([sqlite], onSqlite)]);
    for (const count of instanceCounts) {
      measured.push([count, await rateOf(group.slice(0, count), onPostgres)]);
    }
    if (round >= 0) for (const [name, rate] of measured) rates[name].push(rate);
  }
  return [
    { what: "pages read, 1 instance on SQLite", values: rates.sqlite, unit: "requests/s" },
    ...instanceCounts.map((count): Finding => ({
      what: `pages read, ${count} ${count === 1 ? "instance" : "instances"} on PostgreSQL`,
      values: rates[count],
      unit: "requests/s",
    })),
    { what: "pages read, 2 instances / 1 on PostgreSQL", values: ratios(rates[2], rates[1]), unit: "x" },
    { what: "pages read, 3 instances / 1 on PostgreSQL", values: ratios(rates[3], rates[1]), unit: "x" },
    {
      what: "pages read, 1 instance on PostgreSQL / on SQLite",
      values: ratios(rates[1], rates.sqlite),
      unit: "x",
    },
    { what: "pages read from instances, answers not 2xx", values: [refused], unit: "", budget: { most: 0 } },
  ];

  /** Requests a second of servers that are asked at the same time, each of them as often. */
  async function rateOf(servers: readonly ServerProcess[], path: string): Promise<number> {
    const began = performance.now();
    const answered = await Promise.all(
      servers.map(({ port }) => sendRequests({ port, requests, request: () => asOwner("GET", path) })),
    );
    const seconds = (performance.now() - began) / 1_000;
    refused += answered.reduce((sum, result) => sum + result.refused, 0);
    return (servers.length * requests) / seconds;
  }
}

async function makePage(server: ServerProcess): Promise<string> {
  const zoneId = await createZone(server, "instances.example");
  await createRecords(server, zoneId, 20);
  return `/zones/${zoneId}/dns_records?page=1&per_page=20`;
}
