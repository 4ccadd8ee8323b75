import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, until } from "../../../test/support/harness.ts";
import { transferSecret } from "../../../test/support/primary.ts";
import { servePrimary, type Script } from "../../../test/support/scripted-primary.ts";
import { startSecondary } from "../../../test/support/secondary.ts";
import { encodeMessage, type Message, type ResourceRecord } from "../../core/dns/wire/message.ts";
import { nameToOctets } from "../../core/dns/wire/names.ts";
import { fourOctets } from "../../core/dns/wire/octets.ts";

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

const isSoaQuestion = ({ questions }: Message): boolean => questions[0]?.type === 6;
const first = [rootSoa(7), a("www.example.com", 1), a("x.example.com", 1), rootSoa(7)];

onComparedEngines("a primary server", (engine) => {
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

  test("has the NS records at the apex served as it sent them, whatever names they hold", async (t) => {
    const ns = (target: string, name = "example.com"): ResourceRecord => ({
      name,
      type: 2,
      class: 1,
      ttl: 77,
      rdata: target,
    });
    const odd = [
      nameToOctets("192.0.2.1"),
      nameToOctets("*.example.net"),
      "\u0003a.b\u0007example\u0003net\0",
      nameToOctets("ns1.example.net"),
    ];
    const script: { current: Script } = {
      current: (query) => [
        isSoaQuestion(query)
          ? [rootSoa(7)]
          : [rootSoa(7), ...odd.map((target) => ns(target)), a("www.example.com", 1), rootSoa(7)],
      ],
    };
    const port = await servePrimary(t, script);
    const secondary = await startSecondary(t, engine, { port, isSigned: false });
    const served = async () => (await secondary.lines("example.com", "NS")).slice(1).toSorted();
    await until("it is served", async () => (await secondary.lines("www.example.com")).length === 2);
    const lines = await served();
    assert.equal(lines.length, 4, lines.join("\n"));
    assert.ok(lines.every((line) => line.includes(" 77 ")));
    // None that the primary did not send: the MNAME of the SOA record is no name server.
    script.current = (query) => [
      isSoaQuestion(query)
        ? [rootSoa(8)]
        : [rootSoa(8), ns(odd[0] ?? ""), a("www.example.com", 1), rootSoa(8)],
    ];
    secondary.app.advance(301_000);
    await until("the change is served", async () => (await served()).length === 1);
    assert.match((await served())[0] ?? "", /192/);
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

  test("that knows no incremental transfers, or sends them malformed, is asked for the whole zone", async (t) => {
    const script: { current: Script } = {
      current: (query) => [isSoaQuestion(query) ? [rootSoa(7)] : first],
    };
    const port = await servePrimary(t, script);
    const secondary = await startSecondary(t, engine, { port, isSigned: false });
    await until("the first transfer", async () => (await secondary.records()).length === 2);
    const refusal = (query: Message, rcode: number): Uint8Array =>
      encodeMessage({ ...query, flags: 0x8000 | rcode, authorities: [], additionals: [] });
    const answersToChanges: readonly ((query: Message) => ReturnType<Script>)[] = [
      (query) => [refusal(query, 1)],
      (query) => [refusal(query, 4)],
      () => [[a("www.example.com", 9)]],
    ];
    for (const [at, answer] of answersToChanges.entries()) {
      const serial = 8 + at;
      const whole = [rootSoa(serial), a("whole.example.com", at), rootSoa(serial)];
      script.current = (query) => {
        if (isSoaQuestion(query)) return [[rootSoa(serial)]];
        return query.questions[0]?.type === 251 ? answer(query) : [whole];
      };
      secondary.app.advance(301_000);
      await until(
        "the zone has been transferred",
        async () => (await secondary.state()).soa_serial === serial,
      );
      assert.deepEqual(await secondary.records(), [`whole.example.com 60 A 192.0.2.${at}`]);
    }
  });

  test("that sends a TTL above 2,147,483,647 has it taken for 0", async (t) => {
    const long = { ...a("www.example.com", 1), ttl: 0x8000_0000 };
    const script = {
      current: ((query) => [isSoaQuestion(query) ? [rootSoa(7)] : [rootSoa(7), long, rootSoa(7)]]) as Script,
    };
    const port = await servePrimary(t, script);
    const secondary = await startSecondary(t, engine, { port, isSigned: false });
    await until("it is transferred", async () => (await secondary.records()).length === 1);
    assert.deepEqual(await secondary.records(), ["www.example.com 0 A 192.0.2.1"]);
  });
});
