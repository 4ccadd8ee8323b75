import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { dnsQuery, linesOf } from "../../test/support/dns-client.ts";
import { serveExample } from "../../test/support/responder.ts";
import { ZoneView } from "../core/dns/served/zone-view.ts";
import { decodeMessage } from "../core/dns/wire/message.ts";
import { AnswerCache } from "./answer-cache.ts";
import { codeAlone } from "./replies.ts";

const www = { name: "wWw.example.com", edns: {} };
const apexOf = (name: string) => ({ name, nameServers: ["ns1.test.net"], hostmaster: "dns.test.net" });
const plain = { ttl: 60, proxied: false, settings: {} };

describe("an answer to an equal query", () => {
  test("is the same but for the id, and counted as the first", () => {
    const server = serveExample();
    const [first, second] = [1, 2].map((id) =>
      server.respond(dnsQuery({ ...www, change: (message) => ({ ...message, id }) })),
    );
    assert.deepEqual(first?.subarray(2), second?.subarray(2));
    assert.deepEqual([first?.readUInt16BE(), second?.readUInt16BE()], [1, 2]);
    const [counted, again] = server.outcomes.map(({ zone, rcode, address }) => [zone?.name, rcode, address]);
    assert.deepEqual(counted, again);
  });

  test("is another one once a record of the zone has changed, or its serial", () => {
    const server = serveExample();
    server.ask(www);
    server.view.setRecords("www.example.com", [{ ...plain, type: "A", content: "192.0.2.9" }]);
    assert.deepEqual(linesOf(server.ask(www)), ["NOERROR", "wWw.example.com 60 A 192.0.2.9"]);
    const soa = { name: "example.com", type: "SOA" } as const;
    const before = linesOf(server.ask(soa));
    const apex = { name: "example.com", nameServers: ["ns1.test.net"], hostmaster: "dns.test.net" };
    server.view.changeApex({ ...apex, serial: 8 });
    assert.notDeepEqual(linesOf(server.ask(soa)), before);
  });

  test("is another one once a zone below has come, changed or gone", () => {
    const server = serveExample();
    const apex = {
      name: "www.example.com",
      nameServers: ["ns1.test.net"],
      hostmaster: "dns.test.net",
      serial: 1,
    };
    const below = new ZoneView(apex, { edge: undefined, flattensAll: false });
    server.ask(www);
    server.index.set(below);
    assert.deepEqual(linesOf(server.ask(www)).slice(0, 2), ["NOERROR"]);
    below.setRecords("www.example.com", [{ ...plain, type: "A", content: "192.0.2.7" }]);
    assert.deepEqual(linesOf(server.ask(www)), ["NOERROR", "wWw.example.com 60 A 192.0.2.7"]);
    server.index.delete("www.example.com");
    assert.deepEqual(linesOf(server.ask(www)), ["NOERROR", "wWw.example.com 60 A 192.0.2.1"]);
  });

  test("has the addresses that the target of a flattened CNAME has now", () => {
    let octet = 1;
    const server = serveExample({
      outside: () => ({ type: 1, ttl: 60, rdatas: [String.fromCharCode(192, 0, 2, octet)] }),
    });
    const settings = { flatten_cname: true };
    server.view.setRecords("www.example.com", [
      { ...plain, type: "CNAME", content: "elsewhere.net", settings },
    ]);
    server.ask(www);
    octet = 2;
    assert.deepEqual(linesOf(server.ask(www)), ["NOERROR", "wWw.example.com 60 A 192.0.2.2"]);
  });

  test("is longer over TCP than over UDP", () => {
    const server = serveExample();
    const query = dnsQuery({ name: "big.example.com", type: "TXT" });
    for (const [transport, records] of [
      ["udp", 0],
      ["tcp", 40],
      ["udp", 0],
    ] as const) {
      const answer = decodeMessage(server.respond(query, transport) ?? query);
      assert.equal(answer.answers.length, records, transport);
    }
  });

  test("is found again whatever becomes of zones that have no part in it", () => {
    const server = serveExample();
    const bytes = dnsQuery(www);
    const other = new ZoneView(
      { ...apexOf("other.net"), serial: 1 },
      { edge: undefined, flattensAll: false },
    );
    const cache = new AnswerCache();
    const found = (): boolean => cache.find(Buffer.from(bytes), server.index) !== undefined;
    const zone = server.index.inChargeOf("www.example.com", false);
    const from = [{ name: "www.example.com", isAbove: false, revision: zone?.revision }];
    const answer = { ...codeAlone(0), zone: server.view };
    const response = { id: 1, flags: 0, question: undefined, answer, edns: undefined, sizeMax: 512 };
    cache.keep(Buffer.from(bytes), response, bytes, from);
    const seen = [found()];
    server.index.set(other);
    seen.push(found());
    other.setRecords("www.other.net", [{ ...plain, type: "A", content: "192.0.2.7" }]);
    seen.push(found());
    server.index.delete("other.net");
    seen.push(found());
    assert.deepEqual(seen, [true, true, true, true]);
    server.view.setRecords("new.example.com", [{ ...plain, type: "A", content: "192.0.2.8" }]);
    assert.equal(found(), false);
  });

  test("is another one once the zone that a CNAME leads to has changed, come or gone", () => {
    const server = serveExample();
    const target = "www.other.net";
    server.view.setRecords("www.example.com", [{ ...plain, type: "CNAME", content: target }]);
    const addresses = (): readonly string[] => linesOf(server.ask(www)).filter((line) => / A /.test(line));
    assert.deepEqual(addresses(), []);
    const other = new ZoneView(
      { ...apexOf("other.net"), serial: 1 },
      { edge: undefined, flattensAll: false },
    );
    other.setRecords(target, [{ ...plain, type: "A", content: "192.0.2.7" }]);
    server.index.set(other);
    assert.deepEqual(addresses(), [`${target} 60 A 192.0.2.7`]);
    other.setRecords(target, [{ ...plain, type: "A", content: "192.0.2.8" }]);
    assert.deepEqual(addresses(), [`${target} 60 A 192.0.2.8`]);
    server.index.delete("other.net");
    assert.deepEqual(addresses(), []);
  });

  test("is right after many more queries than are remembered", () => {
    const server = serveExample();
    for (let index = 0; index < 25_000; index += 1) {
      const name = `n${index % 24_000}.wild.example.com`;
      assert.deepEqual(linesOf(server.ask({ name })), ["NOERROR", `${name} 60 A 192.0.2.3`]);
    }
  });
});
