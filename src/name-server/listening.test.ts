import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test, type TestContext } from "node:test";

import pino from "pino";
import { Registry } from "prom-client";

import {
  createDnsClient,
  dnsQuery,
  framed,
  linesOf,
  readAnswers,
  type DnsClient,
} from "../../test/support/dns-client.ts";
import { until } from "../../test/support/harness.ts";
import { respondFrom } from "../../test/support/respond.ts";
import { edgeSets } from "../core/dns/served/record-sets.ts";
import { ZoneIndex } from "../core/dns/served/zone-index.ts";
import { ZoneView } from "../core/dns/served/zone-view.ts";
import { startNameServer, type NameServer, type NameServerOptions } from "./name-server.ts";
import { QueryCounts, showQueryCounts } from "./query-counts.ts";
import type { RespondOptions } from "./responder.ts";

interface Listening {
  readonly server: NameServer;
  readonly dns: DnsClient;
  readonly register: Registry;
  readonly logged: Record<string, unknown>[];
}

async function listen(
  t: TestContext,
  options: Partial<RespondOptions> & Pick<NameServerOptions, "tcpLimits"> = {},
): Promise<Listening> {
  const index = new ZoneIndex();
  const apex = { name: "example.com", nameServers: ["ns1.test.net"], hostmaster: "dns.test.net", serial: 7 };
  const view = new ZoneView(apex, { edge: edgeSets(["192.0.2.80"]), flattensAll: false });
  const plain = { ttl: 60, proxied: false, settings: {} };
  view.setRecords("www.example.com", [{ ...plain, type: "A", content: "192.0.2.1" }]);
  view.setRecords("slow.example.com", [
    { ...plain, type: "CNAME", content: "slow.elsewhere.net", settings: { flatten_cname: true } },
  ]);
  view.setRecords(
    "big.example.com",
    Array.from({ length: 200 }, (_, at) => ({
      ...plain,
      type: "TXT" as const,
      content: `${at}${"x".repeat(200)}`,
    })),
  );
  index.set(view);
  const register = new Registry();
  const logged: Record<string, unknown>[] = [];
  const counts = new QueryCounts();
  showQueryCounts(counts, register);
  const { tcpLimits, ...answering } = options;
  const respond = respondFrom(index, {
    logger: pino(
      {},
      { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
    ),
    counts,
    ...answering,
  });
  const server = await startNameServer({
    addresses: [{ host: "127.0.0.1", port: 0 }],
    respond,
    ...(tcpLimits && { tcpLimits }),
  });
  t.after(() => server.close());
  return {
    server,
    dns: await createDnsClient(t, `127.0.0.1:${server.addresses[0]?.port}`),
    register,
    logged,
  };
}

const www = dnsQuery({ name: "www.example.com" });
const wwwLines = ["NOERROR", "www.example.com 60 A 192.0.2.1"];

describe("over TCP", () => {
  test("queries that are sent at once are all answered on one connection, odd ones among them too", async (t) => {
    const { dns } = await listen(t);
    const answers = await dns.askOnConnection([
      www,
      dnsQuery({ name: "example.net" }),
      Buffer.alloc(20),
      www,
    ]);
    assert.deepEqual(answers.map(linesOf), [wwwLines, ["REFUSED"], ["FORMERR"], wwwLines]);
  });

  test("a query may come octet by octet, and one without length be left out", async (t) => {
    const { dns } = await listen(t);
    const socket = dns.connect().setNoDelay();
    for (const octet of [...Buffer.alloc(2), ...framed(www)]) {
      await new Promise((sent) => socket.write(Buffer.of(octet), sent));
    }
    assert.deepEqual((await readAnswers(socket, 1)).map(linesOf), [wwwLines]);
  });

  test("an answer that UDP truncates is whole", async (t) => {
    const { dns } = await listen(t);
    const query = dnsQuery({ name: "big.example.com", type: "TXT" });
    const [whole] = await dns.askOnConnection([query]);
    assert.equal(whole?.answers.length, 200);
    assert.equal((await dns.send(query)).length, 12 + 21);
  });

  test("a query that has to wait for others does not hold those behind it", async (t) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { dns } = await listen(t, { lookUpAddresses: () => promise });
    const socket = dns.connect();
    socket.write(Buffer.concat([framed(dnsQuery({ name: "slow.example.com" })), framed(www)]));
    socket.end();
    assert.deepEqual((await readAnswers(socket, 1)).map(linesOf), [wwwLines]);
    resolve(undefined);
    assert.deepEqual((await readAnswers(socket, 1)).map(linesOf), [["SERVFAIL"]]);
  });

  test("a connection without a whole message for some time is closed", async (t) => {
    const { dns } = await listen(t, { tcpLimits: { connectionsMax: 10, perClientMax: 10, idleMs: 50 } });
    const sockets = [dns.connect(), dns.connect()];
    sockets[1]?.write(framed(www).subarray(0, 5));
    await Promise.all(sockets.map((socket) => once(socket.resume(), "close")));
  });

  test("a connection above the limit takes the place of the one that has been idle for longest", async (t) => {
    const { dns } = await listen(t, { tcpLimits: { connectionsMax: 10, perClientMax: 2, idleMs: 600_000 } });
    const [first, second] = [dns.connect(), dns.connect()];
    for (const socket of [first, second, first]) {
      socket.write(framed(www));
      await readAnswers(socket, 1);
    }
    const third = dns.connect();
    await once(second.resume(), "close");
    for (const socket of [third, first]) {
      socket.write(framed(www));
      assert.deepEqual((await readAnswers(socket, 1)).map(linesOf), [wwwLines]);
    }
  });

  test("no more is read from a client that reads none of its answers", async (t) => {
    const { dns } = await listen(t, { tcpLimits: { connectionsMax: 10, perClientMax: 10, idleMs: 600_000 } });
    const socket = dns.connect();
    socket.pause();
    const queries = Buffer.concat(
      Array.from({ length: 2_000 }, () => framed(dnsQuery({ name: "big.example.com", type: "TXT" }))),
    );
    // The answers would be 80 MB; the server stops reading long before.
    socket.write(Buffer.concat([queries, queries, queries, queries]));
    await new Promise(setImmediate);
    assert.deepEqual(await dns.lines("www.example.com"), wwwLines);
    socket.destroy();
  });
});

describe("a name server", () => {
  test("stops after the answers that it owes, with connections open", async (t) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let lookUps = 0;
    const lookUpAddresses = (): Promise<undefined> => {
      lookUps += 1;
      return promise;
    };
    const { dns, server } = await listen(t, { lookUpAddresses });
    const idle = dns.connect();
    const waiting = dns.connect();
    waiting.write(framed(dnsQuery({ name: "slow.example.com" })));
    await until("its target is looked up", () => lookUps === 1);
    const late = dns.lines("slow.example.com");
    // Datagrams are read in their order.
    await dns.lines("www.example.com");
    const closed = server.close();
    resolve(undefined);
    assert.deepEqual((await readAnswers(waiting, 1)).map(linesOf), [["SERVFAIL"]]);
    assert.deepEqual(await late, ["SERVFAIL"]);
    await closed;
    idle.destroy();
  });

  test("counts queries by zone, type, code and transport, with few names for what is unknown", async (t) => {
    const { dns, register } = await listen(t);
    await dns.lines("www.example.com");
    await dns.lines("www.example.com");
    await dns.lines("nobody.example.net", "MX");
    await dns.askOnConnection([
      dnsQuery({
        name: "x.example.com",
        change: (message) => ({ ...message, questions: [{ name: "x.example.com", type: 60_000, class: 1 }] }),
      }),
    ]);
    const text = await register.metrics();
    assert.deepEqual(
      new Set(text.split("\n").filter((line) => line.startsWith("zoneward_dns_queries_total"))),
      new Set([
        'zoneward_dns_queries_total{zone="example.com",type="A",code="NOERROR",transport="udp"} 2',
        'zoneward_dns_queries_total{zone="",type="MX",code="REFUSED",transport="udp"} 1',
        'zoneward_dns_queries_total{zone="example.com",type="other",code="NXDOMAIN",transport="tcp"} 1',
      ]),
    );
  });

  test("logs queries only where it is told to", async (t) => {
    const silent = await listen(t);
    await silent.dns.lines("www.example.com");
    assert.deepEqual(silent.logged, []);
    const { dns, logged } = await listen(t, { logsQueries: true });
    await dns.lines("www.example.com");
    const [{ address, transport, name, type, code } = {}] = logged;
    assert.deepEqual(
      { address, transport, name, type, code },
      { address: "127.0.0.1", transport: "udp", name: "www.example.com", type: "A", code: "NOERROR" },
    );
  });

  test("goes on after a flood of noise", async (t) => {
    const { dns, logged } = await listen(t);
    const noise = Array.from({ length: 2_000 }, (_, at) =>
      Buffer.from(Array.from({ length: at % 90 }, (_x, index) => (at * 31 + index * 17) % 256)),
    );
    await dns.flood(noise);
    assert.deepEqual(await dns.lines("www.example.com"), wwwLines);
    assert.deepEqual(logged, []);
  });

  test("asks once for the target of a flattened CNAME, and again when it has expired, beside the answers", async (t) => {
    const clock = { now: 1_700_000_000_000 };
    let asked = 0;
    const { dns } = await listen(t, {
      now: () => new Date(clock.now),
      lookUpAddresses: async () => {
        asked += 1;
        return asked === 2 ? undefined : { addresses: ["198.51.100.1"], ttl: 50 };
      },
    });
    const line = async (): Promise<string | undefined> => (await dns.lines("slow.example.com"))[1];
    assert.equal(await line(), "slow.example.com 50 A 198.51.100.1");
    clock.now += 20_000;
    assert.equal(await line(), "slow.example.com 30 A 198.51.100.1");
    assert.equal(asked, 1);
    clock.now += 40_000;
    assert.equal(await line(), "slow.example.com 10 A 198.51.100.1");
    assert.equal(asked, 2, "a failure leaves what was known");
    clock.now += 40_000;
    await line();
    assert.equal(asked, 3);
  });
});
