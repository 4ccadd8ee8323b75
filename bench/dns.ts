import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { dnsQueries, sendDnsQueries } from "./dns-load.ts";
import { freeUdpPort, startEngines } from "./dns-engines.ts";
import { ownerFetch, withDirectory, withZoneward } from "./fixture.ts";
import { cpuMicroseconds, startZoneward, threadCpuMicroseconds, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";
import { ratios } from "./rounds.ts";
import { createFirstRecord, multiplyRecord } from "./seed.ts";

const rounds = Number(process.env["DNS_ROUNDS"] ?? 5);
const queriesOfRound = Number(process.env["DNS_QUERIES"] ?? 100_000);
const warmUp = Math.ceil(queriesOfRound / 2);
const namesAsked = 5_000;
const ourServers: ReadonlySet<string> = new Set(["ours", "threads", "large"]);
const recordsOfLargeZone = Number(process.env["DNS_RECORDS"] ?? 1_000_000);

/**
 * CPU of a query: ours with one and two threads and with many records, a bare responder, and the engines that are
 * installed.
 */
export async function dns(): Promise<Finding[]> {
  return withDirectory(async (directory) => {
    await using stack = new AsyncDisposableStack();
    const keep = (server: ServerProcess): ServerProcess => {
      stack.defer(() => server.stop());
      return server;
    };
    const names = Array.from({ length: namesAsked }, (_, index) => `name-${index}.example.com`);
    const queries = dnsQueries(names);
    const contestants: Record<string, ServerProcess> = {
      bare: keep(await startPeer()),
      ours: keep(await startOurs(`${directory}/small`, namesAsked)),
      threads: keep(await startOurs(`${directory}/threads`, namesAsked, { ZONEWARD_DNS_WORKERS: "2" })),
      large: keep(await startLarge(`${directory}/large`)),
    };
    const engines = await startEngines(directory, zoneFile(namesAsked), queries[2] ?? Buffer.alloc(0));
    for (const [name, server] of Object.entries(engines)) contestants[name] = keep(server);

    const costs: Record<string, number[]> = {};
    const shares: number[] = [];
    const lost: Record<string, number> = {};
    const largeQueries = dnsQueries(
      Array.from({ length: namesAsked }, (_, index) =>
        hostName(index * Math.floor(recordsOfLargeZone / namesAsked)),
      ),
    );
    const queriesOf = (name: string): readonly Buffer[] => (name === "large" ? largeQueries : queries);
    for (const [name, { port }] of Object.entries(contestants)) {
      await sendDnsQueries(port, queriesOf(name), warmUp);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, { pid, port }] of Object.entries(contestants)) {
        const before = cpuMicroseconds(pid);
        const ofThreads = threadCpuMicroseconds(pid);
        lost[name] = (lost[name] ?? 0) + (await sendDnsQueries(port, queriesOf(name), queriesOfRound));
        (costs[name] ??= []).push((cpuMicroseconds(pid) - before) / queriesOfRound);
        if (name === "threads") shares.push(shareOfBusiest(ofThreads, threadCpuMicroseconds(pid)));
      }
    }
    const cost = (name: string): number[] => costs[name] ?? [];
    return [
      ...Object.keys(contestants).map((name): Finding => ({
        what: `DNS, ${name}, CPU a query`,
        values: cost(name),
        unit: "us",
      })),
      {
        what: "DNS, ours / bare responder",
        values: ratios(cost("ours"), cost("bare")),
        unit: "x",
        budget: { most: 1 / 0.95 },
      },
      {
        what: `DNS, ${recordsOfLargeZone} records / ${namesAsked}`,
        values: ratios(cost("large"), cost("ours")),
        unit: "x",
        budget: { most: 1.2 },
      },
      {
        // Two cores that the load leaves alone answer as many times as much as one.
        what: "DNS, one thread / busier one of two",
        values: cost("threads").map((us, round) => (cost("ours")[round] ?? 0) / (us * (shares[round] ?? 1))),
        unit: "x",
        budget: { least: 1.7 },
      },
      { what: "DNS, two threads / one", values: ratios(cost("threads"), cost("ours")), unit: "x" },
      ...Object.keys(engines).map((name): Finding => {
        const values = ratios(cost("ours"), cost(name));
        const compared: Finding = { what: `DNS, ours / ${name}`, values, unit: "x" };
        return name === "Knot" ? Object.assign(compared, { budget: { most: 1 / 0.35 } }) : compared;
      }),
      ...Object.entries(lost).map(([name, count]): Finding => {
        const unanswered: Finding = {
          what: `DNS, ${name}, queries without an answer`,
          values: [count],
          unit: "",
        };
        return ourServers.has(name) ? Object.assign(unanswered, { budget: { most: 0 } }) : unanswered;
      }),
    ];
  });
}

/** The share of the busiest thread in the CPU that the two busiest threads used. */
function shareOfBusiest(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  const used = Array.from(after, ([thread, cpu]) => cpu - (before.get(thread) ?? 0));
  const [first = 0, second = 0] = used.toSorted((one, other) => other - one);
  return first / (first + second);
}

function zoneFile(records: number): string {
  const lines = Array.from(
    { length: records },
    (_, index) =>
      `name-${index}.example.com. 300 IN A 10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
  );
  return [
    "example.com. 3600 IN SOA ns1.example.net. dns.example.net. 1 10000 2400 604800 3600",
    "example.com. 86400 IN NS ns1.example.net.",
    ...lines,
    "",
  ].join("\n");
}

async function startPeer(): Promise<ServerProcess> {
  const port = await freeUdpPort();
  const child = spawn(process.execPath, ["bench/servers/dns-peer.ts", String(port)], { stdio: "ignore" });
  const { pid } = child;
  if (pid === undefined) throw new Error("the bare responder cannot be started");
  while ((await sendDnsQueries(port, dnsQueries(["example.com"]), 1)) > 0);
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  };
  return { port, pid, stop };
}

/** Ours with one zone; its port is that of the name server. */
async function startOurs(
  data: string,
  records: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const port = await freeUdpPort();
  const server = await startZoneward(data, { ZONEWARD_DNS_LISTEN: `127.0.0.1:${port}`, ...settings });
  const headers = { "content-type": "application/json" };
  const created = await ownerFetch(server, "/zones", {
    method: "POST",
    headers,
    body: '{"name":"example.com"}',
  });
  const { result } = (await created.json()) as { result: { id: string } };
  const form = new FormData();
  form.set("file", new Blob([zoneFile(records)]));
  await ownerFetch(server, `/zones/${result.id}/dns_records/import`, { method: "POST", body: form });
  await ownerFetch(server, `/zones/${result.id}/activation_check`, { method: "PUT" });
  const last = dnsQueries([`x`, `x`, `name-${records - 1}.example.com`]).slice(2);
  while ((await sendDnsQueries(port, last, 1)) > 0);
  return { ...server, port };
}

const hostName = (index: number): string => `host-${String(index).padStart(7, "0")}.large.example`;

/** Ours with a zone whose records are written directly to the store. */
async function startLarge(data: string): Promise<ServerProcess> {
  const zoneId = await withZoneward(data, async (server) => {
    const id = await createFirstRecord(server, "large.example");
    await ownerFetch(server, `/zones/${id}/activation_check`, { method: "PUT" });
    return id;
  });
  await multiplyRecord(join(data, "zoneward.sqlite"), zoneId, recordsOfLargeZone);
  const port = await freeUdpPort();
  const server = await startZoneward(data, { ZONEWARD_DNS_LISTEN: `127.0.0.1:${port}` });
  return { ...server, port };
}
