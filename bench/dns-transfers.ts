import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { classCodes, typeCodes } from "../src/core/dns/wire/codes.ts";
import { encodeMessage } from "../src/core/dns/wire/message.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import { knotCatalog, knotConfiguration, type KnotSetup } from "../test/support/knot-configuration.ts";
import { freeUdpPort } from "./dns-engines.ts";
import { openDnsClient } from "./dns-load.ts";
import { call, withDirectory, withZoneward } from "./fixture.ts";
import { longestTurn, measuringTurns } from "./longest-turn.ts";
import { cpuMicroseconds, memoryMegabytes, startZoneward, type ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";
import { createFirstRecord, multiplyRecord } from "./seed.ts";

const zonesOfCatalog = Number(process.env["DNS_ZONES"] ?? 10_000);
const recordsOfLargeZone = Number(process.env["DNS_RECORDS"] ?? 1_000_000);
const knotProgram = process.env["KNOT"] ?? "knotd";
const changes = 5;
const pollMs = 20;

/** A catalog of 10,000 zones that a Knot follows, and a transfer of 1,000,000 records beside that of a Knot. */
export async function dnsTransfers(): Promise<Finding[]> {
  if (spawnSync(knotProgram, ["--version"]).error !== undefined) {
    process.stderr.write("dns-transfers: no Knot here: left out\n");
    return [];
  }
  return [...(await withDirectory(followCatalog)), ...(await withDirectory(transferWhole))];
}

async function followCatalog(directory: string): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack();
  const data = join(directory, "zoneward");
  const [dnsPort, knotPort] = [await freeUdpPort(), await freeUdpPort()];
  const names = Array.from(
    { length: zonesOfCatalog },
    (_, n) => `zone-${String(n).padStart(5, "0")}.example`,
  );
  const [first = ""] = names;
  const { zoneId, peerId } = await withZoneward(data, (server) => createTransferred(server, first, knotPort));
  await copyZone(join(data, "zoneward.sqlite"), zoneId, names);

  const ours = await startZoneward(data, { ZONEWARD_DNS_LISTEN: `127.0.0.1:${dnsPort}` });
  stack.defer(() => ours.stop());
  const memoryBefore = memoryMegabytes(ours.pid).now;
  const cpuBefore = cpuMicroseconds(ours.pid);
  const began = performance.now();
  const knot = startKnot(directory, {
    port: knotPort,
    zonewardPort: dnsPort,
    permits: "notify",
    zones: knotCatalog(`${peerId}.catalog.invalid`),
  });
  stack.defer(knot.stop);
  const client = await openDnsClient(knotPort);
  stack.defer(client.close);
  const served = async (name: string): Promise<void> => {
    while ((await client.codeOf(name)) !== "NOERROR") await delay(pollMs);
  };
  for (const name of names) await served(name);
  const elapsedMs = performance.now() - began;
  const cpu = cpuMicroseconds(ours.pid) - cpuBefore;
  const cpuOfKnot = cpuMicroseconds(knot.pid);
  const { highest } = memoryMegabytes(ours.pid);

  const waits: number[] = [];
  for (let change = 0; change < changes; change += 1) {
    const label = `new-${change}`;
    await call(ours, "POST", `/zones/${zoneId}/dns_records`, {
      type: "A",
      name: label,
      content: "192.0.2.9",
    });
    const since = performance.now();
    await served(`${label}.${first}`);
    waits.push(performance.now() - since);
  }
  const what = `catalog of ${zonesOfCatalog} zones`;
  return [
    { what: `${what}, until Knot serves all`, values: [elapsedMs], unit: "ms" },
    { what: `${what}, CPU of ours`, values: [cpu / 1_000], unit: "ms" },
    { what: `${what}, CPU of Knot`, values: [cpuOfKnot / 1_000], unit: "ms" },
    { what: `${what}, CPU of ours / Knot`, values: [cpu / cpuOfKnot], unit: "x" },
    { what: `${what}, our memory before`, values: [memoryBefore], unit: "MB" },
    { what: `${what}, our memory at its highest`, values: [highest], unit: "MB" },
    { what: `${what}, a change until Knot answers it`, values: waits, unit: "ms", budget: { most: 2_000 } },
  ];
}

async function transferWhole(directory: string): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack();
  const data = join(directory, "zoneward");
  const turnsFile = join(directory, "turns");
  const [dnsPort, knotPort] = [await freeUdpPort(), await freeUdpPort()];
  const name = "large.example";
  const { zoneId } = await withZoneward(data, (server) => createTransferred(server, name, knotPort));
  await multiplyRecord(join(data, "zoneward.sqlite"), zoneId, recordsOfLargeZone);
  const ours = await startZoneward(data, {
    ZONEWARD_DNS_LISTEN: `127.0.0.1:${dnsPort}`,
    ...measuringTurns(turnsFile),
  });
  stack.defer(() => ours.stop());
  const knot = startKnot(directory, {
    port: knotPort,
    zonewardPort: dnsPort,
    permits: "transfer",
    zones: largeZone(directory, name),
  });
  stack.defer(knot.stop);
  const client = await openDnsClient(knotPort);
  stack.defer(client.close);
  while ((await client.codeOf(name)) !== "NOERROR") await delay(pollMs);

  const memoryBefore = memoryMegabytes(ours.pid);
  await longestTurn(ours, turnsFile);
  const ofOurs = await transfer(ours.pid, dnsPort, name);
  const turnMs = await longestTurn(ours, turnsFile);
  const { highest } = memoryMegabytes(ours.pid);
  const ofKnot = await transfer(knot.pid, knotPort, name);
  const what = `transfer of ${recordsOfLargeZone} records`;
  return [
    { what: `${what}, CPU, ours / Knot`, values: [ofOurs.cpuMs / ofKnot.cpuMs], unit: "x" },
    { what: `${what}, time, ours / Knot`, values: [ofOurs.elapsedMs / ofKnot.elapsedMs], unit: "x" },
    { what: `${what}, CPU of ours`, values: [ofOurs.cpuMs], unit: "ms" },
    { what: `${what}, CPU of Knot`, values: [ofKnot.cpuMs], unit: "ms" },
    { what: `${what}, longest turn`, values: [turnMs], unit: "ms", budget: { most: 50 } },
    { what: `${what}, our memory before`, values: [memoryBefore.now], unit: "MB" },
    { what: `${what}, its highest before`, values: [memoryBefore.highest], unit: "MB" },
    { what: `${what}, its highest afterwards`, values: [highest], unit: "MB" },
  ];
}

/** An active zone of one record that is transferred to a peer without a key. */
async function createTransferred(
  server: ServerProcess,
  name: string,
  port: number,
): Promise<{ readonly zoneId: string; readonly peerId: string }> {
  const zoneId = await createFirstRecord(server, name);
  await call(server, "PUT", `/zones/${zoneId}/activation_check`);
  const resultOf = async (method: string, path: string, body?: unknown) =>
    (
      JSON.parse(await call(server, method, path, body)) as {
        result: { id: string; account: { id: string } };
      }
    ).result;
  const { account } = await resultOf("GET", `/zones/${zoneId}`);
  const peer = { name: "knot", ip: "127.0.0.1", port };
  const { id: peerId } = await resultOf("POST", `/accounts/${account.id}/secondary_dns/peers`, peer);
  const outgoing = `/zones/${zoneId}/secondary_dns/outgoing`;
  await call(server, "POST", outgoing, { name, peers: [peerId] });
  await call(server, "POST", `${outgoing}/enable`, {});
  return { zoneId, peerId };
}

/** Writes rows of zones like the first of the names, without its record, where the API would need many minutes. */
async function copyZone(file: string, zoneId: string, names: readonly string[]): Promise<void> {
  const db = await openDatabase({ engine: "sqlite", file });
  try {
    await db.transaction(async (tx) => {
      const zone = await tx
        .selectFrom("zones")
        .selectAll()
        .where("id", "=", zoneId)
        .executeTakeFirstOrThrow();
      const outgoing = await tx.selectFrom("outgoing_transfers").selectAll().executeTakeFirstOrThrow();
      const peer = await tx.selectFrom("outgoing_peers").selectAll().executeTakeFirstOrThrow();
      for (const [number, name] of names.entries()) {
        if (number === 0) continue;
        const id = number.toString(16).padStart(32, "0");
        await tx
          .insertInto("zones")
          .values({ ...zone, id, name, dns_record_count: 0 })
          .execute();
        await tx
          .insertInto("outgoing_transfers")
          .values({ ...outgoing, zone_id: id, name })
          .execute();
        await tx
          .insertInto("outgoing_peers")
          .values({ ...peer, zone_id: id })
          .execute();
      }
    });
  } finally {
    await db.close();
  }
}

function startKnot(
  directory: string,
  setup: Omit<KnotSetup, "directory">,
): { readonly pid: number; readonly stop: () => Promise<void> } {
  const own = join(directory, "knot");
  mkdirSync(own);
  const file = join(own, "knot.conf");
  writeFileSync(file, knotConfiguration({ directory: own, ...setup }));
  const child = spawn(knotProgram, ["-c", file], { stdio: "ignore" });
  if (child.pid === undefined) throw new Error(`${knotProgram} cannot be started`);
  const stop = async (): Promise<void> => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill();
    await ended;
  };
  return { pid: child.pid, stop };
}

/** Knot has the large zone from a file. */
function largeZone(directory: string, name: string): string {
  const file = join(directory, "large.zone");
  const records = Array.from(
    { length: recordsOfLargeZone },
    (_, number) => `host-${String(number).padStart(7, "0")}.${name}. 300 IN A 192.0.2.1\n`,
  );
  writeFileSync(
    file,
    `${name}. 3600 IN SOA ns1.example.net. dns.example.net. 1 10000 2400 604800 1800\n` +
      `${name}. 86400 IN NS ns1.example.net.\n${name}. 86400 IN NS ns2.example.net.\n${records.join("")}`,
  );
  return `zone:
  - domain: ${name}.
    file: "${file}"
    zonefile-sync: -1
    acl: zoneward
`;
}

const answerCountAt = 6;
const lengthOctets = 2;
/** SOA twice, and two name servers. */
const recordsOfApex = 4;

/** The cost of a whole transfer for the server; its messages are read and dropped. */
async function transfer(
  pid: number,
  port: number,
  name: string,
): Promise<{ readonly cpuMs: number; readonly elapsedMs: number }> {
  const question = { name, type: typeCodes.AXFR, class: classCodes.IN };
  const parts = { id: 1, flags: 0, questions: [question], answers: [], authorities: [], additionals: [] };
  const query = encodeMessage(parts);
  const cpuBefore = cpuMicroseconds(pid);
  const began = performance.now();
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(Buffer.concat([Buffer.from([0, query.length]), query]));
  let records = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= lengthOctets && rest.length >= lengthOctets + rest.readUInt16BE(0)) {
      const end = lengthOctets + rest.readUInt16BE(0);
      records += rest.readUInt16BE(lengthOctets + answerCountAt);
      rest = rest.subarray(end);
    }
    if (records >= recordsOfLargeZone + recordsOfApex) break;
  }
  if (records < recordsOfLargeZone) throw new Error(`the transfer ended after ${records} records`);
  return { cpuMs: (cpuMicroseconds(pid) - cpuBefore) / 1_000, elapsedMs: performance.now() - began };
}
