import assert from "node:assert/strict";
import { join } from "node:path";

import { createZone, ownerFetch, withDirectory, withZoneward } from "./fixture.ts";
import { cpuMicroseconds, memoryMegabytes, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";
import { ratios } from "./rounds.ts";
import { createFirstRecord, multiplyRecord } from "./seed.ts";

const rounds = 3;
const records = 100_000;
const recordsOfLargeZone = 1_000_000;

/** Import and export of 100,000 records, and export of 1,000,000; each by a server that did nothing else before. */
export async function zoneFile(): Promise<Finding[]> {
  const imports: Run[] = [];
  const exports: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await withDirectory(async (data) => {
      const zoneId = await withZoneward(data, (server) => createZone(server, "zone-file.example"));
      imports.push(await measured(data, records, (server) => importFile(server, zoneId)));
      exports.push(await measured(data, records, (server) => exportFile(server, zoneId, records)));
    });
  }
  const largeExports = await withDirectory(async (data) => {
    const zoneId = await withZoneward(data, (server) => createFirstRecord(server, "large.example"));
    await multiplyRecord(join(data, "zoneward.sqlite"), zoneId, recordsOfLargeZone);
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      runs.push(
        await measured(data, recordsOfLargeZone, (server) => exportFile(server, zoneId, recordsOfLargeZone)),
      );
    }
    return runs;
  });
  return [
    ...findings("import of 100,000 records", imports),
    ...findings("export of 100,000 records", exports),
    ...findings("export of 1,000,000 records", largeExports),
    {
      what: "resident memory at its highest, export of 1,000,000 / of 100,000",
      values: ratios(
        largeExports.map((run) => run.highestMegabytes),
        exports.map((run) => run.highestMegabytes),
      ),
      unit: "x",
      budget: { most: 1.2 },
    },
  ];
}

interface Run {
  readonly recordsASecond: number;
  readonly cpuMicrosecondsARecord: number;
  readonly megabytesBefore: number;
  readonly highestMegabytes: number;
}

/** Starts a server, and measures it while it does `work` on `count` records. */
async function measured(
  data: string,
  count: number,
  work: (server: ServerProcess) => Promise<void>,
): Promise<Run> {
  return withZoneward(data, async (server) => {
    const { now: megabytesBefore } = memoryMegabytes(server.pid);
    const cpuBefore = cpuMicroseconds(server.pid);
    const began = performance.now();
    await work(server);
    const seconds = (performance.now() - began) / 1000;
    return {
      recordsASecond: count / seconds,
      cpuMicrosecondsARecord: (cpuMicroseconds(server.pid) - cpuBefore) / count,
      megabytesBefore,
      highestMegabytes: memoryMegabytes(server.pid).highest,
    };
  });
}

function findings(what: string, runs: readonly Run[]): Finding[] {
  return [
    { what, values: runs.map((run) => run.recordsASecond), unit: "records/s" },
    { what: `${what}, CPU a record`, values: runs.map((run) => run.cpuMicrosecondsARecord), unit: "us" },
    { what: `${what}, resident memory before`, values: runs.map((run) => run.megabytesBefore), unit: "MB" },
    {
      what: `${what}, resident memory at its highest`,
      values: runs.map((run) => run.highestMegabytes),
      unit: "MB",
    },
  ];
}

async function importFile(server: ServerProcess, zoneId: string): Promise<void> {
  const lines = Array.from({ length: records }, (_, n) => `${line(n)}\n`);
  const body = new FormData();
  body.append("file", new Blob(lines), "zone-file.example.txt");
  const path = `/zones/${zoneId}/dns_records/import`;
  const response = await ownerFetch(server, path, { method: "POST", body });
  const { result } = (await response.json()) as { result: { recs_added: number } };
  assert.equal(result.recs_added, records);
}

/** Every type with a name of its own, as zones of hosts have them: of five records two are addresses. */
function line(n: number): string {
  const host = `host-${n}.zone-file.example.`;
  switch (n % 5) {
    case 0:
      return `${host}\t300\tIN\tA\t192.0.2.${n % 256}`;
    case 1:
      return `${host}\t300\tIN\tAAAA\t2001:db8::${(n % 65_536).toString(16)}`;
    case 2:
      return `${host}\t300\tIN\tCNAME\thost-${n - 2}.zone-file.example.`;
    case 3:
      return `${host}\t300\tIN\tTXT\t"a text of host ${n}"`;
    default:
      return `${host}\t300\tIN\tMX\t10 mail.zone-file.example.`;
  }
}

/** Reads the file as it comes, and keeps nothing of it. */
async function exportFile(server: ServerProcess, zoneId: string, count: number): Promise<void> {
  const response = await ownerFetch(server, `/zones/${zoneId}/dns_records/export`, {});
  let lines = 0;
  for await (const chunk of response.body ?? []) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  assert.ok(lines > count, `${lines} lines`);
}
