import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, test, type TestContext } from "node:test";

import { createDnsClient, dnsQuery, linesOf, type DnsQuery } from "../../../test/support/dns-client.ts";
import { endDnsWorkers } from "../../../test/support/dns-workers.ts";
import {
  onComparedEngines,
  startTestApp,
  until,
  type Engine,
  type TestApp,
} from "../../../test/support/harness.ts";
import { opcodes } from "../../core/dns/wire/codes.ts";
import { decodeMessage, type Message } from "../../core/dns/wire/message.ts";

const sendersOfRound = 60;

interface Serving {
  readonly app: TestApp;
  readonly port: number;
  create(record: object): Promise<void>;
  /** The answers to queries from many ports, of which each thread gets some. */
  answers(query: DnsQuery): Promise<ReadonlySet<string>>;
}

async function serve(t: TestContext, engine: Engine): Promise<Serving> {
  const app = await startTestApp(
    t,
    engine,
    { dns_listen: ["127.0.0.1:0"], dns_workers: 3 },
    { dnsWorkerProgram: new URL("../../../test/support/ending-dns.worker.ts", import.meta.url) },
  );
  const address = app.dnsAddresses[0] ?? "";
  const dns = await createDnsClient(t, address);
  const zoneId = await app.createZone("example.com");
  await app.request("PUT", `/zones/${zoneId}/activation_check`);
  return {
    app,
    port: Number(address.split(":").at(-1)),
    create: async (record) => {
      const { status } = await app.request("POST", `/zones/${zoneId}/dns_records`, { body: record });
      assert.equal(status, 200);
    },
    answers: async (query) => {
      const senders = Array.from({ length: sendersOfRound }, () => dns.send(dnsQuery(query)));
      const answered = await Promise.all(senders);
      return new Set(answered.map((bytes) => linesOf(decodeMessage(bytes)).join("; ")));
    },
  };
}

/** The number of UDP sockets that are bound to a port. */
function socketsAt(port: number): number {
  const ofPort = `:${port.toString(16).toUpperCase().padStart(4, "0")} `;
  return readFileSync("/proc/net/udp", "utf8")
    .split("\n")
    .filter((line) => line.split(":").slice(1, 3).join(":").includes(ofPort)).length;
}

const isLinux = existsSync("/proc/net/udp");

onComparedEngines("threads of the name server", (engine) => {
  test("all answer a change, and their queries are counted together", async (t) => {
    const { app, create, answers, port } = await serve(t, engine);
    if (isLinux) assert.equal(socketsAt(port), 3);
    for (const content of ["192.0.2.1", "192.0.2.2"]) {
      const name = `on-${content.replaceAll(".", "-")}.example.com`;
      await create({ type: "A", name, content, ttl: 60 });
      await until("all threads have the record", async () => {
        const found = await answers({ name });
        return found.size === 1 && found.has(`NOERROR; ${name} 60 A ${content}`);
      });
    }
    assert.deepEqual(await answers({ name: "missing.example.com", type: "MX" }), new Set(["NXDOMAIN"]));
    const url = new URL("/metrics", app.baseUrl);
    await until("all queries are counted", async () => {
      const metrics = await (await fetch(url)).text();
      return new RegExp(`type="MX",code="NXDOMAIN".* ${sendersOfRound}$`, "m").test(metrics);
    });
  });

  test("are replaced when they end, and stop with the server", async (t) => {
    const { app, create, answers, port } = await serve(t, engine);
    await create({ type: "A", name: "www", content: "192.0.2.1" });
    const ending = new BroadcastChannel(endDnsWorkers);
    t.after(() => ending.close());
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin
    ending.postMessage("now");
    if (isLinux) {
      await until("two threads have ended", () => socketsAt(port) === 1);
      await until("two others have taken their place", () => socketsAt(port) === 3);
    }
    await until("all answer", async () => {
      const found = await answers({ name: "www.example.com" }).catch(() => new Set<string>());
      return found.size === 1 && found.has("NOERROR; www.example.com 300 A 192.0.2.1");
    });
    await app.close();
    if (isLinux) assert.equal(socketsAt(port), 0);
  });
});

describe("threads of the name server", () => {
  test("leave notifications, and what is signed or about a catalog, to the main one", async (t) => {
    const { app, answers } = await serve(t, "sqlite");
    const peers = `/accounts/${app.owner.accountId}/secondary_dns/peers`;
    const body = { name: "peer", ip: "127.0.0.1", port: 1 };
    const created = await app.request("POST", peers, { body });
    const catalog = `${created.body.result.id}.catalog.invalid`;
    await until("the catalog is answered", async () => {
      const found = await answers({ name: catalog, type: "SOA" });
      return found.size === 1 && Array.from(found).join().startsWith("NOERROR");
    });
    const change = (message: Message): Message => ({ ...message, flags: opcodes.notify << 11 });
    assert.deepEqual(await answers({ name: "example.com", type: "SOA", change }), new Set(["REFUSED"]));
  });
});
