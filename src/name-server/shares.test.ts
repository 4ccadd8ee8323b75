import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { ZoneView } from "../core/dns/served/zone-view.ts";
import { typeCodes } from "../core/dns/wire/codes.ts";
import { OutsideTargets } from "./outside-addresses.ts";
import { QueryCounts } from "./query-counts.ts";
import { Transfers, type TransferSource } from "./transfers.ts";

describe("accounts at the name server", () => {
  test("have a share of the look-ups that run: those of one fail none of another one", async () => {
    const asked: string[] = [];
    const pending = Promise.withResolvers<undefined>();
    const targets = new OutsideTargets(
      (name) => {
        asked.push(name);
        return name.startsWith("slow")
          ? pending.promise
          : Promise.resolve({ addresses: ["192.0.2.1"], ttl: 60 });
      },
      () => 0,
    );
    const running: Promise<void>[] = [];
    for (let n = 0; n < 500; n += 1)
      running.push(targets.lookUp({ name: `slow${n}.example`, type: typeCodes.A }, "b"));
    const before = asked.length;
    assert.ok(before > 0 && before < 100, String(before));
    await targets.lookUp({ name: "a.example", type: typeCodes.A }, "a");
    assert.notEqual(targets.addressesOf("a.example", typeCodes.A), "unknown");
    assert.notEqual(targets.addressesOf("a.example", typeCodes.A), "failed");
    pending.resolve(undefined);
    await Promise.all(running);
  });

  test("have a share of the zones that are counted by name", () => {
    const counts = new QueryCounts();
    const observe = (name: string, accountId: string): void =>
      counts.observe({
        address: "192.0.2.1",
        transport: "udp",
        question: undefined,
        zone: { name, accountId },
        rcode: 0,
      });
    for (let n = 0; n < 5_000; n += 1) observe(`b${n}.example`, "b");
    observe("a.example", "a");
    const tally = counts.take();
    assert.ok(tally.size < 1_000, String(tally.size));
    assert.equal(tally.has("a.example"), true);
    assert.equal(tally.get("other")?.counts.size, 1);
  });

  test("have a share of the transfers that are sent, and turns among those that wait", async () => {
    const source = { transferred: () => undefined } as unknown as TransferSource;
    const outside = {
      zoneOf: () => undefined,
      addressesOf: () => "failed" as const,
      lookUp: async () => undefined,
    };
    const transfers = new Transfers(source, outside);
    const zoneOf = (accountId: string): ZoneView =>
      new ZoneView(
        {
          name: `${accountId}.example`,
          nameServers: ["ns1.test.net"],
          hostmaster: "dns.test.net",
          serial: 7,
        },
        { accountId, edge: undefined, flattensAll: false },
      );
    const zones = { a: zoneOf("a"), b: zoneOf("b") };
    const begun: string[] = [];
    const begin = (account: "a" | "b") => {
      const question = { name: zones[account].name, type: typeCodes.AXFR, class: 1 };
      const response = { id: 1, flags: 0, question, edns: undefined, reserved: 0 };
      const client = { since: undefined, backlogSerial: 0, address: "192.0.2.1" };
      const messages = transfers.messagesOf(zones[account], response, client);
      void messages.next().then(() => begun.push(account));
      return messages;
    };
    const ofB = Array.from({ length: 60 }, () => begin("b"));
    await nextTurn();
    assert.equal(begun.length, 20, "the others wait");
    begin("a");
    await nextTurn();
    assert.equal(begun.at(-1), "a");
    for (const messages of ofB.slice(0, 2)) await messages.return();
    await nextTurn();
    assert.equal(begun.length, 22, "of what is left of its share, the next one begins");
    assert.equal(transfers.hasRoomFor(zones.a), true);
  });
});
