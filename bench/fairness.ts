import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { edgeFairness } from "./edge-fairness.ts";
import { prepareZone, untilServed } from "./edge.ts";
import {
  call,
  createAccount,
  createRecords,
  createZone,
  ownerFetch,
  withDirectory,
  withServers,
} from "./fixture.ts";
import { sendRequests } from "./load.ts";
import { longestTurn, measuringTurns } from "./longest-turn.ts";
import { freePort, memoryMegabytes, startPeer, startZoneward, type ServerProcess } from "./process.ts";
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

/**
 * The longest turn of the server's event loop, and the longest that a second client waits, while another does its
 * worst.
 */
export async function fairness(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, prepare] of Object.entries(uploads)) {
    findings.push(...(await measured({ what, send: prepare() })));
  }
  const large = { what: "export of 1,000,000 records", send: exportZone, records: recordsOfLargeZone };
  return [...findings, ...(await measured(large)), ...(await shares()), ...(await edgeFairness())];
}

const ownRequests = 5_000;
const foreignRequests = 100_000;
const perKey = {
  characteristics: ["ip.src", "cf.colo.id", 'http.request.headers["x-key"]'],
  period: 60,
  requests_per_period: 1,
  mitigation_timeout: 600,
};

/**
 * Visitors of one account, while those of another one fill counters of rate limits and events with requests that its
 * rules block. One of the first has had a penalty before, which has to last.
 */
async function shares(): Promise<Finding[]> {
  return withDirectory(async (data) => {
    const port = await freePort();
    const settings = { ZONEWARD_EDGE_HTTP: `127.0.0.1:${port}`, ZONEWARD_CREATE_ACCOUNTS: "owner" };
    return withServers(
      [() => startPeer("empty"), () => startZoneward(data, settings)],
      async (origin, server) => {
        const own = await prepareZone(server, "own.example", origin.port, 0);
        const accountId = await createAccount(server, "Another account");
        const foreign = await prepareZone(server, "foreign.example", origin.port, 0, accountId);
        const limits = Array.from({ length: 30 }, () => ({
          action: "block",
          expression: 'len(http.request.headers["x-key"]) > 0',
          ratelimit: perKey,
        }));
        await setRules(server, own, "http_ratelimit", limits.slice(0, 1));
        await setRules(server, foreign, "http_ratelimit", limits);
        await setRules(server, foreign, "http_request_firewall_custom", [
          { action: "block", expression: 'http.request.uri.path eq "/blocked"' },
        ]);
        for (const host of ["www.own.example", "www.foreign.example"]) await untilServed(port, host);
        const penalized = {
          port,
          requests: 3,
          connections: 1,
          request: () => visitOf("own", "/", "penalized"),
        };
        while ((await sendRequests(penalized)).refused < 3) await delay(pauseMs);
        const [ofOwn] = await Promise.all([
          sendRequests({ port, requests: ownRequests, connections: 4, request: () => visitOf("own", "/") }),
          sendRequests({
            port,
            requests: foreignRequests,
            request: (n) => visitOf("foreign", n % 2 === 0 ? "/blocked" : "/", String(n)),
          }),
        ]);
        const still = await sendRequests(penalized);
        const what = "visitors while another account fills its shares";
        return [
          { what: `${what}, refused`, values: [ofOwn.refused], unit: "", budget: { most: 0 } },
          { what: `${what}, worst wait`, values: [Math.max(...ofOwn.latenciesMs)], unit: "ms" },
          {
            what: `${what}, penalties that ended`,
            values: [3 - still.refused],
            unit: "",
            budget: { most: 0 },
          },
        ];
      },
    );
  });
}

function setRules(
  server: ServerProcess,
  zoneId: string,
  phase: string,
  rules: readonly object[],
): Promise<string> {
  return call(server, "PUT", `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, { rules });
}

function visitOf(zone: "own" | "foreign", path: string, key?: string): string {
  const header = key === undefined ? "" : `x-key: ${key}\r\n`;
  return `GET ${path} HTTP/1.1\r\nhost: www.${zone}.example\r\nuser-agent: a visitor\r\n${header}\r\n`;
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
