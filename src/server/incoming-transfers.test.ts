import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";

import { createDnsClient, framed } from "../../test/support/dns-client.ts";
import { onEachEngine, startTestApp, until, type Engine, type TestApp } from "../../test/support/harness.ts";
import { freePort } from "../../test/support/name-server-engines.ts";
import { startPrimary, transferKey, transferSecret } from "../../test/support/primary.ts";
import { fourOctets } from "../core/dns/wire/octets.ts";
import { nameToOctets } from "../core/dns/wire/names.ts";
import { decodeMessage, encodeMessage, type Message, type ResourceRecord } from "../core/dns/wire/message.ts";
import { LengthFramer } from "../name-server/length-framer.ts";
import type { Config } from "../config/settings.ts";

interface SecondaryZone {
  readonly app: TestApp;
  readonly zoneId: string;
  /** The state of the incoming transfers. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as the API answers it
  state(): Promise<any>;
  force(): Promise<void>;
  /** `name TTL type content` of each record, sorted. */
  records(): Promise<string[]>;
  lines(name: string, type?: "A" | "SOA" | "NS" | "MX" | "TXT"): Promise<string[]>;
}

interface Setup {
  /** Of the primary at 127.0.0.1. */
  readonly port: number;
  readonly isSigned?: boolean;
  readonly peer?: object;
  readonly settings?: Partial<Config>;
}

/** A server with the secondary zone example.com, which is transferred from a peer. */
async function startSecondary(
  t: TestContext,
  engine: Engine,
  { port, isSigned = true, peer = {}, settings = {} }: Setup,
): Promise<SecondaryZone> {
  const app = await startTestApp(
    t,
    engine,
    { dns_listen: ["127.0.0.1:0"], ...settings },
    { startedOn: new Date() },
  );
  const result = async (method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, path, body === undefined ? {} : { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.result;
  };
  const account = `/accounts/${app.owner.accountId}/secondary_dns`;
  const key = { name: `${transferKey}.`, algo: "hmac-sha256.", secret: transferSecret };
  const tsig_id = isSigned ? (await result("POST", `${account}/tsigs`, key)).id : undefined;
  const made = await result("POST", `${account}/peers`, {
    name: "primary",
    ip: "127.0.0.1",
    port,
    tsig_id,
    ...peer,
  });
  const { id: zoneId } = await result("POST", "/zones", { name: "example.com", type: "secondary" });
  await result("PUT", `/zones/${zoneId}/activation_check`);
  const incoming = `/zones/${zoneId}/secondary_dns/incoming`;
  await result("POST", incoming, { name: "example.com", peers: [made.id], auto_refresh_seconds: 300 });
  return {
    app,
    zoneId,
    state: () => result("GET", incoming),
    force: async () => void (await result("POST", `/zones/${zoneId}/secondary_dns/force_axfr`)),
    records: async () => {
      const records = await result("GET", `/zones/${zoneId}/dns_records?per_page=5000`);
      return records
        .map(
          ({ name, ttl, type, content }: Record<string, string | number>) =>
            `${name} ${ttl} ${type} ${content}`,
        )
        .toSorted();
    },
    lines: async (name, type) => {
      const client = await createDnsClient(t, app.dnsAddresses[0] ?? "");
      return (await client.lines(name, type)).toSorted();
    },
  };
}

onEachEngine("a secondary zone", (engine) => {
  test("has the records and the serial of its primary, follows its changes by NOTIFY, and survives both restarts", async (t) => {
    const secondaryPort = await freePort();
    const primary = await startPrimary(t, engine, { dns_listen: [`127.0.0.1:${await freePort()}`] });
    const peerId = await primary.createPeer(secondaryPort, await primary.createKey());
    const zoneId = await primary.createZone("example.com", [peerId]);
    await primary.result("PATCH", `/zones/${zoneId}/dns_settings`, {
      ns_ttl: 7_200,
      soa: {
        mname: "hidden.example.net",
        rname: "admin.example.net",
        refresh: 7_201,
        retry: 1_801,
        expire: 86_401,
        ttl: 1_802,
        min_ttl: 61,
      },
    });
    const record = await primary.createRecord(zoneId, { type: "A", name: "www", content: "192.0.2.1" });
    const mail = { type: "MX", name: "@", content: "mail.example.net", priority: 5, ttl: 120 };
    await primary.createRecord(zoneId, mail);
    const secondary = await startSecondary(t, engine, {
      port: Number(primary.port),
      settings: { dns_listen: [`127.0.0.1:${secondaryPort}`] },
    });
    const follows = (what: string, content: string) =>
      until(what, async () => (await secondary.records()).includes(`www.example.com 300 A ${content}`));
    await follows("the first transfer", "192.0.2.1");
    await until(
      "both have the same serial",
      async () =>
        (await secondary.state()).soa_serial ===
        (await primary.result("GET", `/zones/${zoneId}/secondary_dns/outgoing`)).soa_serial,
    );
    assert.ok((await secondary.records()).includes("example.com 120 MX mail.example.net"));
    await until("it is served", async () => (await secondary.lines("www.example.com")).length === 2);
    const client = await createDnsClient(t, secondary.app.dnsAddresses[0] ?? "");
    for (const [name, type] of [
      ["www.example.com", "A"],
      ["example.com", "MX"],
      ["example.com", "SOA"],
      ["none.example.com", "A"],
    ] as const) {
      assert.deepEqual(await client.ask({ name, type }), await primary.dns.ask({ name, type }), name);
    }
    assert.deepEqual(
      await secondary.lines("example.com", "NS"),
      (await primary.dns.lines("example.com", "NS")).toSorted(),
    );
    const { text } = await secondary.app.request("GET", `/zones/${secondary.zoneId}/dns_records/export`);
    assert.match(
      text,
      /1802\tIN\tSOA\thidden\.example\.net\. admin\.example\.net\. \d+ 7201 1801 86401 61\n/,
    );

    const path = `/zones/${zoneId}/dns_records`;
    await primary.result("PATCH", `${path}/${record}`, { content: "192.0.2.2" });
    await follows("a change", "192.0.2.2");
    await secondary.app.restart();
    await primary.result("PATCH", `${path}/${record}`, { content: "192.0.2.3" });
    await follows("a change after its restart", "192.0.2.3");
    await primary.app.restart();
    await primary.result("PATCH", `${path}/${record}`, { content: "192.0.2.4" });
    await follows("a change after that of the primary", "192.0.2.4");
    await primary.result("DELETE", `${path}/${record}`);
    await until("the record is gone", async () =>
      (await secondary.records()).every((line) => !line.startsWith("www.")),
    );
  });

  test("is refused to whoever may not notify", async (t) => {
    const { app } = await startSecondary(t, engine, { port: await freePort() });
    const client = await createDnsClient(t, app.dnsAddresses[0] ?? "");
    const notify = (name: string) =>
      client.ask({ name, type: "SOA", change: (message) => ({ ...message, flags: 4 << 11 }) });
    for (const name of ["example.com", "example.net"]) assert.equal((await notify(name)).flags & 15, 5, name);
  });

  test("is not transferred from an address that is neither public nor allowed", async (t) => {
    let connections = 0;
    const port = await serveTcp(t, () => (connections += 1));
    const settings = { transfer_networks: ["10.0.0.0/8"] };
    const { app, lines } = await startSecondary(t, engine, { port, isSigned: false, settings });
    const { read } = await app.storeBeside();
    await until("the transfer has failed", async () => {
      const rows = await read.selectFrom("incoming_transfers").selectAll().execute();
      return rows.every(({ due_on, created_on }) => due_on > created_on);
    });
    assert.equal(connections, 0);
    assert.deepEqual(await lines("example.com", "SOA"), ["SERVFAIL"]);
  });
});

const rootSoa = (serial: number, name = "example.com"): ResourceRecord => ({
  name,
  type: 6,
  class: 1,
  ttl: 60,
  rdata:
    nameToOctets("ns1.example.net") +
    nameToOctets("x.example.net") +
    fourOctets(serial) +
    fourOctets(600).repeat(4),
});
const a = (name: string, last: number): ResourceRecord => ({
  name,
  type: 1,
  class: 1,
  ttl: 60,
  rdata: `\u00c0\0\u0002${String.fromCharCode(last)}`,
});

/** What a primary answers to a question, message after message. */
type Script = (question: Message) => readonly (readonly ResourceRecord[] | Uint8Array)[];

/** A primary that says what it is told to, without signatures. */
async function servePrimary(t: TestContext, script: { current: Script }): Promise<number> {
  return serveTcp(t, (socket) => {
    const framer = new LengthFramer();
    socket.on("data", (chunk) => {
      framer.push(chunk);
      for (let bytes = framer.next(); bytes !== undefined; bytes = framer.next()) {
        const query = decodeMessage(bytes);
        const { id, questions } = query;
        for (const said of script.current(query)) {
          const message =
            said instanceof Uint8Array
              ? said
              : encodeMessage({
                  id,
                  flags: 0x8400,
                  questions,
                  answers: said,
                  authorities: [],
                  additionals: [],
                });
          socket.write(framed(message));
        }
        socket.end();
      }
    });
  });
}

async function serveTcp(t: TestContext, connected: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    connected(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const isSoaQuestion = ({ questions }: Message): boolean => questions[0]?.type === 6;
const first = [rootSoa(7), a("www.example.com", 1), a("x.example.com", 1), rootSoa(7)];

onEachEngine("a primary server", (engine) => {
  const hostile: readonly (readonly [what: string, script: Script, isSigned?: boolean])[] = [
    ["sends records of another zone", () => [[rootSoa(8), a("www.example.net", 9), rootSoa(8)]]],
    ["sends another zone", () => [[rootSoa(8, "example.net"), rootSoa(8, "example.net")]]],
    ["ends early", () => [[rootSoa(8), a("www.example.com", 9)]]],
    ["ends with another serial", () => [[rootSoa(8), a("www.example.com", 9), rootSoa(9)]]],
    ["sends no SOA record", () => [[a("www.example.com", 9)]]],
    ["goes on behind the end", () => [[rootSoa(8), rootSoa(8), a("www.example.com", 9)]]],
    ["sends nothing", () => []],
    ["sends what is no message", () => [new Uint8Array(40).fill(255)]],
    [
      "sends a name that leads to itself",
      ({ id }) => [
        Uint8Array.from([id >>> 8, id & 255, 132, 0, 0, 1, 0, 1, 0, 0, 0, 0, 192, 12, 0, 252, 0, 1]),
      ],
    ],
    [
      "sends changes that do not follow one another",
      () => [[rootSoa(9), rootSoa(7), rootSoa(8), a("y.example.com", 1), rootSoa(7), rootSoa(9), rootSoa(9)]],
    ],
    ["does not sign", () => [[rootSoa(8), a("www.example.com", 9), rootSoa(8)]], true],
  ];
  for (const [what, attack, isSigned = false] of hostile) {
    test(`that ${what} changes nothing`, async (t) => {
      const script: { current: Script } = {
        current: (query) => [isSoaQuestion(query) ? [rootSoa(7)] : first],
      };
      const port = await servePrimary(t, script);
      const secondary = await startSecondary(t, engine, { port, isSigned: false });
      await until("the first transfer", async () => (await secondary.records()).length === 2);
      const before = [await secondary.records(), await secondary.state()];
      if (isSigned) {
        const account = `/accounts/${secondary.app.owner.accountId}/secondary_dns`;
        const key = { name: "k.", algo: "hmac-sha256.", secret: transferSecret };
        const tsig = await secondary.app.request("POST", `${account}/tsigs`, { body: key });
        const [peer] = (await secondary.app.request("GET", `${account}/peers`)).body.result;
        const body = { ...peer, tsig_id: tsig.body.result.id };
        await secondary.app.request("PUT", `${account}/peers/${peer.id}`, { body });
      }
      let asked = 0;
      script.current = (query) => {
        if (isSoaQuestion(query) && !isSigned) return [[rootSoa(9)]];
        asked += 1;
        return attack(query);
      };
      secondary.app.advance(1);
      await secondary.force();
      const { read } = await secondary.app.storeBeside();
      await until("it has been tried", async () => {
        const [row] = await read.selectFrom("incoming_transfers").selectAll().execute();
        return asked > 0 && row !== undefined && row.due_on > new Date(Date.now() + 4_000).toISOString();
      });
      assert.deepEqual([await secondary.records(), await secondary.state()], before);
    });
  }

  test("that does not answer until the zone expires has it served no longer, and again once it answers", async (t) => {
    const script: { current: Script } = {
      current: (query) => [isSoaQuestion(query) ? [rootSoa(7)] : first],
    };
    const port = await servePrimary(t, script);
    const secondary = await startSecondary(t, engine, { port, isSigned: false });
    await until("it is served", async () => (await secondary.lines("www.example.com")).length === 2);
    const { current } = script;
    script.current = () => [];
    secondary.app.advance(301_000);
    await until("it is still served", async () => (await secondary.lines("www.example.com")).length === 2);
    secondary.app.advance(601_000);
    await until("it has expired", async () => (await secondary.lines("www.example.com"))[0] === "SERVFAIL");
    script.current = current;
    secondary.app.advance(301_000);
    await until("it is served again", async () => (await secondary.lines("www.example.com")).length === 2);
  });

  test("that sends changes has them followed, and the zone whole where they do not fit", async (t) => {
    const script: { current: Script } = {
      current: (query) => [isSoaQuestion(query) ? [rootSoa(7)] : first],
    };
    const port = await servePrimary(t, script);
    const secondary = await startSecondary(t, engine, { port, isSigned: false });
    await until("the first transfer", async () => (await secondary.records()).length === 2);
    const types: (number | undefined)[] = [];
    const answerWith = (
      serial: number,
      changes: readonly ResourceRecord[],
      whole: readonly ResourceRecord[],
    ) => {
      script.current = (query) => {
        types.push(query.questions[0]?.type);
        if (isSoaQuestion(query)) return [[rootSoa(serial)]];
        return [query.questions[0]?.type === 251 ? changes : whole];
      };
      secondary.app.advance(301_000);
    };
    answerWith(
      9,
      [
        rootSoa(9),
        rootSoa(7),
        a("x.example.com", 1),
        rootSoa(8),
        a("x.example.com", 2),
        rootSoa(8),
        rootSoa(9),
        a("y.example.com", 3),
        rootSoa(9),
      ],
      [],
    );
    await until("the changes", async () => (await secondary.state()).soa_serial === 9);
    assert.deepEqual(await secondary.records(), [
      "www.example.com 60 A 192.0.2.1",
      "x.example.com 60 A 192.0.2.2",
      "y.example.com 60 A 192.0.2.3",
    ]);
    types.length = 0;
    answerWith(
      10,
      [rootSoa(10), rootSoa(9), a("z.example.com", 1), rootSoa(10), rootSoa(10)],
      [rootSoa(10), a("w.example.com", 1), rootSoa(10)],
    );
    await until("the whole zone", async () => (await secondary.state()).soa_serial === 10);
    assert.deepEqual(await secondary.records(), ["w.example.com 60 A 192.0.2.1"]);
    assert.deepEqual(types, [6, 251, 252]);
  });
});
