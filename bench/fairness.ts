import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { call, createRecords, createZone, ownerFetch, withDirectory, withServers } from "./fixture.ts";
import { longestTurn, measuringTurns } from "./longest-turn.ts";
import { memoryMegabytes, startZoneward, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";
import { createFirstRecord, multiplyRecord } from "./seed.ts";
import { busyZone, uploads, type Send } from "./uploads.ts";

const recordsOfLargeZone = 1_000_000;
const turnMsMax = 50;
/** Between two requests of the second client. */
const pauseMs = 1;

interface Work {
  readonly what: string;
  readonly send: Send;
  /** Beside the record that the zone has already. */
  readonly records?: number;
}

/** The longest turn of the server's event loop, and the longest that a second client waits, while another does its worst. */
export async function fairness(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, prepare] of Object.entries(uploads)) {
    findings.push(...(await measured({ what, send: prepare() })));
  }
  const large = { what: "export of 1,000,000 records", send: exportZone, records: recordsOfLargeZone };
  return [...findings, ...(await measured(large))];
}

/** By a server that did nothing else before. */
async function measured({ what, send, records }: Work): Promise<Finding[]> {
  return withDirectory(async (data) => {
    const turnsFile = join(data, "turns");
    const start = () => startZoneward(data, measuringTurns(turnsFile));
    const zoneId = await withServers([start], async (server) => {
      const id = await createFirstRecord(server, busyZone);
      await call(server, "PATCH", `/zones/${id}/settings/waf`, { value: "on" });
      return id;
    });
    if (records !== undefined) await multiplyRecord(join(data, "zoneward.sqlite"), zoneId, records);
    return withServers([start], async (server) => {
      const second = await startSecondClient(server);
      await longestTurn(server, turnsFile);
      const began = performance.now();
      const status = await send(server, zoneId);
      const elapsedMs = performance.now() - began;
      const worstWaitMs = await second.stop();
      const turnMs = await longestTurn(server, turnsFile);
      return [
        { what: `${what}, longest turn`, values: [turnMs], unit: "ms", budget: { most: turnMsMax } },
        { what: `${what}, worst wait of a second client`, values: [worstWaitMs], unit: "ms" },
        { what: `${what}, answered with ${status} after`, values: [elapsedMs], unit: "ms" },
        {
          what: `${what}, resident memory at its highest`,
          values: [memoryMegabytes(server.pid).highest],
          unit: "MB",
        },
      ];
    });
  });
}

const exportZone: Send = async (server, zoneId) => {
  const response = await ownerFetch(server, `/zones/${zoneId}/dns_records/export`, {});
  for await (const _ of response.body ?? []);
  return response.status;
};

/** Asks for a page of another zone again and again; `stop` answers how long it waited at most. */
async function startSecondClient(server: ServerProcess) {
  const zoneId = await createZone(server, "second.example");
  await createRecords(server, zoneId, 20);
  const read = async (): Promise<number> => {
    const began = performance.now();
    await (await ownerFetch(server, `/zones/${zoneId}/dns_records`, {})).arrayBuffer();
    return performance.now() - began;
  };
  // The first requests pay for what is compiled with them.
  for (let n = 0; n < 100; n += 1) await read();
  const stopping = new AbortController();
  const running = (async () => {
    let worstMs = 0;
    while (!stopping.signal.aborted) {
      worstMs = Math.max(worstMs, await read());
      await delay(pauseMs);
    }
    return worstMs;
  })();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
