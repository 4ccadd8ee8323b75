import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, until } from "../../../test/support/harness.ts";
import { servePrimary, serveTcp, type Script } from "../../../test/support/scripted-primary.ts";
import { startSecondary } from "../../../test/support/secondary.ts";
import { besideServer } from "../../../test/support/store.ts";
import type { Transferred } from "../../core/dns/wire/transfer-reader.ts";
import { readStartOfAuthority } from "../../core/dns/wire/start-of-authority.ts";
import type { Message, ResourceRecord } from "../../core/dns/wire/message.ts";
import { nameToOctets } from "../../core/dns/wire/names.ts";
import { fourOctets } from "../../core/dns/wire/octets.ts";
import { createContext } from "../../process/open-store.ts";
import { selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import { clearStaging, stageTransferred } from "./transferred.ts";

const soa = (serial: number): ResourceRecord => ({
  name: "example.com",
  type: 6,
  class: 1,
  ttl: 60,
  rdata:
    nameToOctets("ns1.example.net") +
    nameToOctets("x.example.net") +
    fourOctets(serial).concat(fourOctets(600).repeat(4)),
});
const a = (name: string, last: number, ttl = 60): ResourceRecord => ({
  name: `${name}.example.com`,
  type: 1,
  class: 1,
  ttl,
  rdata: `\u00c0\0\u0002${String.fromCharCode(last)}`,
});
/** A record that the API cannot express. */
const unknown = (name: string, ttl = 60): ResourceRecord => ({
  ...a(name, 1, ttl),
  type: 65_400,
  rdata: "abc",
});
const many = (prefix: string, last: number, ttl = 60): ResourceRecord[] =>
  Array.from({ length: 600 }, (_, index) => a(`${prefix}${index}`, last, ttl));

const isSoaQuestion = ({ questions }: Message): boolean => questions[0]?.type === 6;

/** A primary whose zone is what it is told to be. */
function zoneOf(records: { current: readonly ResourceRecord[]; serial: number }): { current: Script } {
  return {
    current: (query) => {
      const start = soa(records.serial);
      if (isSoaQuestion(query)) return [[start]];
      const messages: ResourceRecord[][] = [[start]];
      for (let at = 0; at < records.current.length; at += 100)
        messages.push(records.current.slice(at, at + 100));
      return [...messages, [start]];
    },
  };
}

const hidden = (db: Db) =>
  Promise.all(
    (["dns_records", "wire_records"] as const).map(async (table) => {
      const rows = await db.selectFrom(table).select(["identity", "shown_until"]).execute();
      return rows.filter(({ identity, shown_until }) => identity.startsWith("~") || shown_until !== null)
        .length;
    }),
  );

onEachEngine("a transfer that is stored in portions", (engine) => {
  test("is seen by nobody until all of it is there, and then as a whole, with records that differ by TTL alone", async (t) => {
    const zone = { current: [...many("a", 1), unknown("u")] as readonly ResourceRecord[], serial: 7 };
    const secondary = await startSecondary(t, engine, {
      port: await servePrimary(t, zoneOf(zone)),
      isSigned: false,
    });
    const { app, zoneId } = secondary;
    await until("the first transfer", async () => (await secondary.records()).length === 600);
    const before = await secondary.records();
    const path = `/zones/${zoneId}/dns_records`;
    const matching = async (): Promise<number> =>
      (await app.request("GET", `${path}?type=A&per_page=5000`)).body.result_info?.total_count ?? 0;
    const lastPage = async (): Promise<unknown> =>
      (await app.request("GET", `${path}?per_page=100&page=6&order=name`)).body.result;
    const page = await lastPage();

    // Another process stores a transfer, and ends before it shows it.
    const beside = await app.storeBeside();
    const context = createContext(beside, () => new Date());
    const row = (await selectRow(beside.read, "zones", { id: zoneId })) ?? assert.fail();
    const next = [...many("a", 1, 90), ...many("b", 2), unknown("u", 90), unknown("v")];
    const transferred: Transferred = { kind: "whole", soa: readStartOfAuthority(soa(8)), records: next };
    assert.notEqual(await stageTransferred(context, row, transferred), undefined);
    assert.notDeepEqual(await hidden(beside.read), [0, 0]);
    assert.deepEqual(await secondary.records(), before);
    assert.deepEqual([await matching(), await lastPage()], [600, page]);
    assert.deepEqual(await secondary.lines("a1.example.com", "A"), [
      "NOERROR",
      "a1.example.com 60 A 192.0.2.1",
    ]);
    const exported = await app.request("GET", `${path}/export`);
    assert.ok(!exported.text.includes("b1.example.com") && !exported.text.includes("\t90\t"));

    await app.restart();
    const later = await app.storeBeside();
    await until("what it left is deleted", async () => {
      const counts = await hidden(later.read);
      return counts.every((count) => count === 0);
    });
    assert.deepEqual(await secondary.records(), before);

    zone.current = next;
    zone.serial = 8;
    app.advance(1);
    await secondary.force();
    await until("the next transfer", async () => (await secondary.state()).soa_serial === 8);
    const after = await secondary.records();
    assert.equal(after.length, 1_200);
    assert.ok(
      after.includes("a1.example.com 90 A 192.0.2.1") && after.includes("b1.example.com 60 A 192.0.2.2"),
    );
    assert.equal(await matching(), 1_200);
    await until("it is served", async () => (await secondary.lines("b1.example.com", "A")).length === 2);
    await until("nothing is hidden", async () => (await hidden(later.read)).every((count) => count === 0));
    const stored = await later.read.selectFrom("dns_records").select("identity").execute();
    assert.equal(new Set(stored.map(({ identity }) => identity)).size, 1_200);
    const wire = await later.read.selectFrom("wire_records").select("ttl").orderBy("ttl").execute();
    assert.deepEqual(
      wire.map(({ ttl }) => ttl),
      [60, 90],
    );
  });

  test("gives way to other work by the records that it looks at, also where they are all the same", async (t) => {
    const zone = { current: [a("www", 1)], serial: 7 };
    const { app, zoneId, ...secondary } = await startSecondary(t, engine, {
      port: await servePrimary(t, zoneOf(zone)),
      isSigned: false,
    });
    await until("the first transfer", async () => (await secondary.records()).length === 1);
    const beside = await app.storeBeside();
    const context = createContext(beside, () => new Date());
    const row = (await selectRow(beside.read, "zones", { id: zoneId })) ?? assert.fail();
    const same = Array.from({ length: 40_000 }, () => a("www", 1));
    const whole: Transferred = { kind: "whole", soa: readStartOfAuthority(soa(8)), records: same };
    const steps = [{ removed: same.slice(0, 20_000), added: same.slice(0, 20_000) }];
    for (const transferred of [whole, { kind: "changes", soa: whole.soa, steps } as const]) {
      let turns = 0;
      let isOver = false;
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      await stageTransferred(context, row, transferred);
      isOver = true;
      assert.ok(turns > 5, `${turns}`);
    }
    await clearStaging(context, zoneId);
    assert.equal((await secondary.records()).length, 1);
  });

  test("is not held up by primaries of another account that say nothing", async (t) => {
    let silent = 0;
    const slowPort = await serveTcp(t, (socket) => {
      silent += 1;
      t.after(() => socket.destroy());
    });
    const zone = { current: [a("www", 1)], serial: 7 };
    const script = zoneOf(zone);
    let isWaiting = true;
    const port = await servePrimary(t, {
      get current(): Script {
        return isWaiting ? () => [] : script.current;
      },
    });
    const { app, ...secondary } = await startSecondary(t, engine, {
      port,
      isSigned: false,
      settings: { create_accounts: "owner" },
    });
    const made = async (method: string, path: string, body?: unknown) => {
      const answer = await app.request(method, path, body === undefined ? {} : { body });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result;
    };
    const { id: other } = await made("POST", "/accounts", { name: "Other" });
    const peer = await made("POST", `/accounts/${other}/secondary_dns/peers`, {
      name: "slow",
      ip: "127.0.0.1",
      port: slowPort,
    });
    for (let number = 0; number < 9; number += 1) {
      const name = `slow${number}.example`;
      const { id } = await made("POST", "/zones", { name, type: "secondary", account: { id: other } });
      await made("POST", `/zones/${id}/secondary_dns/incoming`, {
        name,
        peers: [peer.id],
        auto_refresh_seconds: 300,
      });
    }
    await until("the slow ones have their share", () => silent >= 4);
    isWaiting = false;
    app.advance(61_000);
    await secondary.force();
    await until("the zone is transferred", async () => (await secondary.records()).length === 1);
    assert.equal(silent, 4);
    // Nothing of it has to be waited for when the test ends.
    await besideServer(app, (tx) => tx.deleteFrom("incoming_transfers").execute());
  });
});
