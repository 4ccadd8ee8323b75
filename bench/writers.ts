import { join } from "node:path";

import { startPostgres } from "../test/support/postgres.ts";
import { asOwner, createZone, withDirectory, withServers } from "./fixture.ts";
import { sendRequests } from "./load.ts";
import { newSecretKey, startZoneward, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";
import { ratios } from "./rounds.ts";

const rounds = 5;
const requests = 1_000;
const writerCounts = [1, 8, 32] as const;
type WriterCount = (typeof writerCounts)[number];

/** Durable creates of records in one zone by 1, 8 and 32 clients, each of which waits for its answer. */
export async function writers(): Promise<Finding[]> {
  const onSqlite = await withDirectory((data) =>
    withServers([() => startZoneward(data)], (server) => measure(server)),
  );
  const postgres = await startPostgres();
  try {
    const onPostgres = await withDirectory((data) =>
      withServers(
        [
          () =>
            startZoneward(data, {
              ZONEWARD_DATABASE: postgres.url,
              ZONEWARD_SECRET_KEY_FILE: newSecretKey(join(data, "key")),
            }),
        ],
        (server) => measure(server),
      ),
    );
    return [
      ...findingsOf("SQLite", onSqlite),
      {
        what: "creates a second by 32 writers / by 1, SQLite",
        values: ratios(onSqlite[32].rates, onSqlite[1].rates),
        unit: "x",
        budget: { least: 3 },
      },
      ...findingsOf("PostgreSQL", onPostgres),
      {
        what: "creates a second by 32 writers / by 1, PostgreSQL",
        values: ratios(onPostgres[32].rates, onPostgres[1].rates),
        unit: "x",
        budget: { least: 3 },
      },
    ];
  } finally {
    await postgres.stop();
  }
}

interface Measured {
  /** Requests a second, one figure a round. */
  readonly rates: number[];
  /** Milliseconds that 99 of 100 requests take at most, one figure a round. */
  readonly p99s: number[];
  refused: number;
}

async function measure(server: ServerProcess): Promise<Record<WriterCount, Measured>> {
  const path = `/zones/${await createZone(server, "writers.example")}/dns_records`;
  const newMeasured = (): Measured => ({ rates: [], p99s: [], refused: 0 });
  const measured = { 1: newMeasured(), 8: newMeasured(), 32: newMeasured() };
  let made = 0;
  for (let round = -1; round < rounds; round += 1) {
    for (const connections of writerCounts) {
      const { elapsedMs, latenciesMs, refused } = await sendRequests({
        port: server.port,
        connections,
        requests,
        request: () => {
          made += 1;
          return asOwner("POST", path, { type: "A", name: `host-${made}`, content: "192.0.2.1", ttl: 300 });
        },
      });
      measured[connections].refused += refused;
      if (round < 0) continue;
      measured[connections].rates.push((requests / elapsedMs) * 1_000);
      const sorted = latenciesMs.toSorted((one, other) => one - other);
      measured[connections].p99s.push(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);
    }
  }
  return measured;
}

function findingsOf(engine: string, measured: Record<WriterCount, Measured>): Finding[] {
  const refused = writerCounts.reduce((sum, count) => sum + measured[count].refused, 0);
  return [
    ...writerCounts.map((count): Finding => ({
      what: `creates by ${count} ${count === 1 ? "writer" : "writers"} in one zone, ${engine}`,
      values: measured[count].rates,
      unit: "requests/s",
    })),
    {
      what: `creates by 32 writers in one zone, ${engine}, 99 of 100 answered within`,
      values: measured[32].p99s,
      unit: "ms",
    },
    {
      what: `creates in one zone, ${engine}, answers not 2xx`,
      values: [refused],
      unit: "",
      budget: { most: 0 },
    },
  ];
}
