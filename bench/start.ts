import { createRecords, createZone, withDirectory, withZoneward } from "./fixture.ts";
import { cpuMicroseconds, startPeer, startZoneward, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";

const runs = 12;

/** From the start of the process to its first answer, on a database that exists. */
export async function start(): Promise<Finding[]> {
  return withDirectory(async (data) => {
    // The first end writes the compile cache, as it does in use.
    await withZoneward(data, async (server) => {
      const zoneId = await createZone(server, "start.example");
      await createRecords(server, zoneId, 1_000);
    });
    await timed(() => startZoneward(data));

    const zoneward: Launch[] = [];
    const bare: Launch[] = [];
    for (let run = 0; run < runs; run += 1) {
      zoneward.push(await timed(() => startZoneward(data)));
      bare.push(await timed(() => startPeer("empty")));
    }
    const ratios = (of: (launch: Launch) => number): number[] =>
      zoneward.map((launch, run) => of(launch) / of(bare[run] as Launch));
    return [
      {
        what: "start to first answer / bare node:http",
        values: ratios((launch) => launch.milliseconds),
        unit: "x",
        budget: { most: 1.6 },
      },
      {
        what: "start to first answer / bare node:http, CPU",
        values: ratios((launch) => launch.cpuMilliseconds),
        unit: "x",
        budget: { most: 1.6 },
      },
      {
        what: "start to first answer on an existing database",
        values: zoneward.map((launch) => launch.milliseconds),
        unit: "ms",
        budget: { most: 400 },
      },
      {
        what: "start to first answer, CPU",
        values: zoneward.map((launch) => launch.cpuMilliseconds),
        unit: "ms",
      },
      {
        what: "bare node:http, start to first answer",
        values: bare.map((launch) => launch.milliseconds),
        unit: "ms",
      },
      {
        what: "bare node:http, start to first answer, CPU",
        values: bare.map((launch) => launch.cpuMilliseconds),
        unit: "ms",
      },
    ];
  });
}

interface Launch {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
}

async function timed(launch: () => Promise<ServerProcess>): Promise<Launch> {
  const before = performance.now();
  const server = await launch();
  const milliseconds = performance.now() - before;
  const cpuMilliseconds = cpuMicroseconds(server.pid) / 1000;
  await server.stop();
  return { milliseconds, cpuMilliseconds };
}
