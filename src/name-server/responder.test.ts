import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { dnsQuery, linesOf, type DnsQuery } from "../../test/support/dns-client.ts";
import { serveExample } from "../../test/support/responder.ts";
import { flagBits, rcodes, typeCodes } from "../core/dns/wire/codes.ts";
import { readEdns } from "../core/dns/wire/edns.ts";
import { decodeMessage, type Message } from "../core/dns/wire/message.ts";

const www = { name: "wWw.example.com" };
const has = ({ flags }: Message, bit: keyof typeof flagBits): boolean => (flags & flagBits[bit]) !== 0;

describe("a response", () => {
  test("has the id, opcode, question and RD of its query, AA for data of ours, and neither RA nor AD", () => {
    const answer = serveExample().ask(www);
    assert.equal(answer.id, 4711);
    assert.equal(answer.flags, flagBits.response | flagBits.authoritative | flagBits.recursionDesired);
    assert.deepEqual(answer.questions, [{ name: "wWw.example.com", type: 1, class: 1 }]);
    assert.deepEqual(linesOf(answer), ["NOERROR", "wWw.example.com 60 A 192.0.2.1"]);
    assert.deepEqual(answer.additionals, []);
  });

  test("copies CD, and ignores the other bits of a query", () => {
    const query = { ...www, change: (message: Message) => ({ ...message, flags: 0x07f0 }) };
    const { flags } = serveExample().ask(query);
    assert.equal(flags & ~0x8500, flagBits.checkingDisabled);
  });

  test("is none to what is no query", () => {
    const server = serveExample();
    assert.equal(server.respond(new Uint8Array(11)), undefined);
    const response = dnsQuery({ ...www, change: (message) => ({ ...message, flags: 0x8000 }) });
    assert.equal(server.respond(response), undefined);
  });

  const codes: readonly (readonly [what: string, change: (message: Message) => Message, code: string])[] = [
    ["without a question", (message) => ({ ...message, questions: [] }), "FORMERR"],
    [
      "with two",
      (message) => ({ ...message, questions: [...message.questions, ...message.questions] }),
      "FORMERR",
    ],
    ["of the class CH", ofClass(3), "REFUSED"],
    ["of the class ANY", ofClass(255), "REFUSED"],
    ["of the class 0", ofClass(0), "REFUSED"],
    ["for a zone of others", asked("example.net"), "REFUSED"],
    ["for version.bind", asked("version.bind", 16, 3), "REFUSED"],
    ["by IQUERY", ofOpcode(1), "NOTIMP"],
    ["by STATUS", ofOpcode(2), "NOTIMP"],
    ["by NOTIFY", ofOpcode(4), "REFUSED"],
    ["by UPDATE", ofOpcode(5), "NOTIMP"],
    ["by the last opcode", ofOpcode(15), "NOTIMP"],
    ["for a transfer over UDP", asked("example.com", typeCodes.AXFR), "NOTIMP"],
    ["for an incremental transfer from no serial", asked("example.com", typeCodes.IXFR), "FORMERR"],
    ["for OPT", asked("www.example.com", typeCodes.OPT), "NOERROR"],
    ["for the type 0", asked("www.example.com", 0), "NOERROR"],
    ["for a type that nobody knows", asked("www.example.com", 65_280), "NOERROR"],
    ["for MAILB", asked("www.example.com", 253), "NOERROR"],
  ];
  for (const [what, change, code] of codes) {
    test(`is ${code} to a query ${what}`, () => {
      assert.deepEqual(linesOf(serveExample().ask({ ...www, change })), [code]);
    });
  }

  test("is FORMERR to what is cut or has octets behind it", () => {
    const query = Buffer.from(dnsQuery(www));
    const server = serveExample();
    for (let length = 12; length < query.length; length += 1) {
      const answer = decodeMessage(server.respond(query.subarray(0, length)) ?? Buffer.alloc(0));
      assert.deepEqual(linesOf(answer), ["FORMERR"], String(length));
    }
    assert.deepEqual(
      linesOf(decodeMessage(server.respond(Buffer.concat([query, Buffer.alloc(1)])) ?? query)),
      ["FORMERR"],
    );
  });

  test("is SERVFAIL for an unknown name as long as not every zone is known", () => {
    const server = serveExample({ isComplete: false });
    assert.deepEqual(linesOf(server.ask({ name: "example.net" })), ["SERVFAIL"]);
    assert.equal(linesOf(server.ask(www)).length, 2);
  });

  test("names the zone and the code to whoever counts", () => {
    const server = serveExample();
    server.ask({ name: "nothing.example.com" });
    server.ask({ name: "example.net" });
    assert.deepEqual(
      server.outcomes.map(({ zone, rcode, transport }) => [zone?.name, rcode, transport]),
      [
        ["example.com", rcodes.NXDOMAIN, "udp"],
        [undefined, rcodes.REFUSED, "udp"],
      ],
    );
  });
});

describe("EDNS", () => {
  test("is answered by an OPT record of version 0 with DO as it was, exactly if the query has one", () => {
    for (const dnssecOk of [true, false]) {
      const answer = serveExample().ask({
        ...www,
        edns: { dnssecOk, options: [{ code: 65_001, data: "x" }] },
      });
      assert.deepEqual(readEdns(answer), {
        payloadSize: 1232,
        version: 0,
        extendedRcode: 0,
        dnssecOk,
        options: [],
      });
    }
    assert.equal(readEdns(serveExample().ask(www)), undefined);
    assert.ok(readEdns(serveExample().ask({ name: "example.net", edns: {} })));
  });

  test("of another version is BADVERS", () => {
    const answer = serveExample().ask({ ...www, edns: { version: 1 } });
    assert.deepEqual(linesOf(answer), ["BADVERS"]);
    assert.equal(readEdns(answer)?.version, 0);
  });

  test("of another version is BADVERS too where its data is nothing that this one knows", () => {
    const change = (message: Message): Message => ({
      ...message,
      additionals: message.additionals.map((opt) => ({ ...opt, rdata: "x" })),
    });
    const ask = (version: number): Message => serveExample().ask({ ...www, edns: { version }, change });
    assert.deepEqual(linesOf(ask(2)), ["BADVERS"]);
    assert.deepEqual(linesOf(ask(0)), ["FORMERR"]);
  });

  test("twice, or with malformed options, is FORMERR", () => {
    const twice = (message: Message): Message => ({
      ...message,
      additionals: [...message.additionals, ...message.additionals],
    });
    assert.deepEqual(linesOf(serveExample().ask({ ...www, edns: {}, change: twice })), ["FORMERR"]);
    const cookie = { options: [{ code: 10, data: "x".repeat(9) }] };
    assert.deepEqual(linesOf(serveExample().ask({ ...www, edns: cookie })), ["FORMERR"]);
  });

  test("bounds an answer by what the client takes, from 512 octets to 1232, else it is truncated and empty", () => {
    const server = serveExample();
    for (const payloadSize of [0, 511, 512, 1231, 1232, 4096, 65_535]) {
      const bytes = server.respond(dnsQuery({ name: "big.example.com", type: "TXT", edns: { payloadSize } }));
      const answer = decodeMessage(bytes ?? Buffer.alloc(0));
      assert.ok(has(answer, "truncated") && has(answer, "authoritative"));
      assert.deepEqual([answer.answers, answer.authorities], [[], []]);
      assert.ok(readEdns(answer));
    }
    assert.equal(server.ask({ name: "big.example.com", type: "TXT" }, "tcp").answers.length, 40);
    for (const [payloadSize, most] of [
      [512, 512],
      [1232, 1232],
      [65_535, 1232],
    ] as const) {
      const bytes = server.respond(dnsQuery({ name: "mail.example.com", type: "MX", edns: { payloadSize } }));
      const answer = decodeMessage(bytes ?? Buffer.alloc(0));
      assert.ok((bytes?.length ?? Infinity) <= most);
      assert.ok(!has(answer, "truncated"), "addresses that are not needed are left out");
      assert.equal(answer.answers.length, 12);
    }
  });

  test("a referral without room for glue that it needs is truncated", () => {
    const answer = serveExample().ask({ name: "x.sub.example.com" });
    assert.ok(has(answer, "truncated"));
    const whole = serveExample().ask({ name: "x.sub.example.com", edns: {} });
    assert.ok(!has(whole, "truncated") && !has(whole, "authoritative"));
    assert.equal(whole.authorities.length, 10);
    assert.equal(whole.additionals.length, 11);
  });
});

describe("a cookie", () => {
  const client = "12345678";
  const cookieOf = (message: Message): string => readEdns(message)?.options[0]?.data ?? "";

  test("is answered with one of the server, also alone", () => {
    const server = serveExample();
    const edns = { options: [{ code: 10, data: client }] };
    const cookie = cookieOf(server.ask({ ...www, edns }));
    assert.equal(cookie.length, 24);
    assert.ok(cookie.startsWith(client));
    const alone = server.ask({ ...www, edns, change: (message) => ({ ...message, questions: [] }) });
    assert.deepEqual([linesOf(alone), cookieOf(alone)], [["NOERROR"], cookie]);
  });

  test("exempts whoever shows it from the limit of responses", () => {
    const server = serveExample({ perSecond: 1 });
    const cookie = cookieOf(server.ask({ ...www, edns: { options: [{ code: 10, data: client }] } }));
    for (let count = 0; count < 10; count += 1) {
      const answer = server.ask({ ...www, edns: { options: [{ code: 10, data: cookie }] } });
      assert.equal(linesOf(answer).length, 2);
    }
  });
});

describe("the limit of responses", () => {
  test("drops equal ones to a network above it, but sends every second truncated", () => {
    const clock = { now: 1_700_000_000_000 };
    const server = serveExample({ perSecond: 3, now: () => clock.now });
    const kinds = (query: DnsQuery, count: number): string[] =>
      Array.from({ length: count }, (_, index) => {
        const bytes = server.respond(dnsQuery(query), "udp", `192.0.2.${index}`);
        if (bytes === undefined) return "dropped";
        return has(decodeMessage(bytes), "truncated") ? "truncated" : "sent";
      });
    assert.deepEqual(kinds(www, 7), ["sent", "sent", "sent", "dropped", "truncated", "dropped", "truncated"]);
    assert.deepEqual(kinds({ name: "example.com", type: "SOA" }, 2), ["sent", "sent"]);
    assert.equal(linesOf(server.ask(www, "tcp")).length, 2);
    assert.ok(server.respond(dnsQuery(www), "udp", "192.0.3.1"));
    clock.now += 1_000;
    assert.deepEqual(kinds(www, 2), ["sent", "sent"]);
  });

  test("counts names that one wildcard stands for, or that do not exist, as one", () => {
    for (const suffix of ["wild.example.com", "example.com", "example.net"]) {
      const server = serveExample({ perSecond: 2 });
      const sent = Array.from({ length: 6 }, (_, index) =>
        server.respond(dnsQuery({ name: `r${index}.${suffix}` })),
      );
      assert.equal(
        sent.filter((bytes) => bytes !== undefined && !has(decodeMessage(bytes), "truncated")).length,
        2,
      );
    }
  });
});

function ofClass(classCode: number): (message: Message) => Message {
  return (message) => ({ ...message, questions: [{ name: "www.example.com", type: 1, class: classCode }] });
}

function ofOpcode(opcode: number): (message: Message) => Message {
  return (message) => ({ ...message, flags: opcode << 11 });
}

function asked(name: string, type = 1, classCode = 1): (message: Message) => Message {
  return (message) => ({ ...message, questions: [{ name, type, class: classCode }] });
}
