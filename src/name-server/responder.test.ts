import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { dnsQuery, linesOf, type DnsQuery } from "../../test/support/dns-client.ts";
import { roundsOr } from "../../test/support/rounds.ts";
import { edgeSets, type StoredRecord } from "../core/dns/served/record-sets.ts";
import { ZoneIndex } from "../core/dns/served/zone-index.ts";
import { ZoneView } from "../core/dns/served/zone-view.ts";
import { flagBits, rcodes, typeCodes } from "../core/dns/wire/codes.ts";
import { readEdns } from "../core/dns/wire/edns.ts";
import { decodeMessage, type Message } from "../core/dns/wire/message.ts";
import { messages } from "../../test/support/arbitraries/dns-messages.ts";
import { Responder, type Outcome, type Query } from "./responder.ts";
import { ResponseRateLimit } from "./response-rate-limit.ts";

const plain = { ttl: 60, proxied: false, settings: {} };
const records: Readonly<Record<string, readonly StoredRecord[]>> = {
  "www.example.com": [{ ...plain, type: "A", content: "192.0.2.1" }],
  "big.example.com": Array.from({ length: 40 }, (_, index) => ({
    ...plain,
    type: "TXT" as const,
    content: `${index}${"x".repeat(60)}`,
  })),
  "mail.example.com": Array.from({ length: 12 }, (_, index) => ({
    ...plain,
    type: "MX" as const,
    priority: index,
    content: `host-${index}.example.com`,
  })),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `host-${index}.example.com`,
      [
        { ...plain, type: "A" as const, content: `192.0.2.${index}` },
        { ...plain, type: "AAAA" as const, content: `2001:db8::${index}` },
      ],
    ]),
  ),
  "sub.example.com": Array.from({ length: 10 }, (_, index) => ({
    ...plain,
    type: "NS" as const,
    content: `a-rather-long-name-of-a-server-${index}.sub.example.com`,
  })),
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `a-rather-long-name-of-a-server-${index}.sub.example.com`,
      [{ ...plain, type: "A" as const, content: `192.0.2.${index}` }],
    ]),
  ),
  "*.wild.example.com": [{ ...plain, type: "A", content: "192.0.2.3" }],
};

interface Server {
  respond(query: Uint8Array, transport?: Query["transport"], address?: string): Buffer | undefined;
  ask(query: DnsQuery, transport?: Query["transport"]): Message;
  readonly outcomes: Outcome[];
}

function serve(options: { perSecond?: number; now?: () => number; isComplete?: boolean } = {}): Server {
  const index = new ZoneIndex();
  const apex = { name: "example.com", nameServers: ["ns1.test.net"], hostmaster: "dns.test.net", serial: 7 };
  const view = new ZoneView(apex, { edge: edgeSets(["192.0.2.80"]), flattensAll: false });
  for (const [name, its] of Object.entries(records)) view.setRecords(name, its);
  index.set(view);
  const outcomes: Outcome[] = [];
  const responder = new Responder({
    zoneOf: (name, isAbove) => index.enclosing(name, isAbove),
    isComplete: () => options.isComplete ?? true,
    outside: { addressesOf: () => "failed", lookUp: async () => undefined },
    cookieSecret: new Uint8Array(16),
    rateLimit: options.perSecond === undefined ? undefined : new ResponseRateLimit(options.perSecond),
    nowMs: options.now ?? (() => 1_700_000_000_000),
    observe: (outcome) => void outcomes.push(outcome),
  });
  const respond: Server["respond"] = (bytes, transport = "udp", address = "127.0.0.1") => {
    const answer = responder.respond({ bytes, address, transport });
    assert.ok(!(answer instanceof Promise));
    return answer && Buffer.from(answer);
  };
  return {
    respond,
    ask: (query, transport) => decodeMessage(respond(dnsQuery(query), transport) ?? Buffer.alloc(0)),
    outcomes,
  };
}

const www = { name: "wWw.example.com" };
const has = ({ flags }: Message, bit: keyof typeof flagBits): boolean => (flags & flagBits[bit]) !== 0;

describe("a response", () => {
  test("has the id, opcode, question and RD of its query, AA for data of ours, and neither RA nor AD", () => {
    const answer = serve().ask(www);
    assert.equal(answer.id, 4711);
    assert.equal(answer.flags, flagBits.response | flagBits.authoritative | flagBits.recursionDesired);
    assert.deepEqual(answer.questions, [{ name: "wWw.example.com", type: 1, class: 1 }]);
    assert.deepEqual(linesOf(answer), ["NOERROR", "wWw.example.com 60 A 192.0.2.1"]);
    assert.deepEqual(answer.additionals, []);
  });

  test("copies CD, and ignores the other bits of a query", () => {
    const query = { ...www, change: (message: Message) => ({ ...message, flags: 0x07f0 }) };
    const { flags } = serve().ask(query);
    assert.equal(flags & ~0x8500, flagBits.checkingDisabled);
  });

  test("is none to what is no query", () => {
    const server = serve();
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
      assert.deepEqual(linesOf(serve().ask({ ...www, change })), [code]);
    });
  }

  test("is FORMERR to what is cut or has octets behind it", () => {
    const query = Buffer.from(dnsQuery(www));
    const server = serve();
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
    const server = serve({ isComplete: false });
    assert.deepEqual(linesOf(server.ask({ name: "example.net" })), ["SERVFAIL"]);
    assert.equal(linesOf(server.ask(www)).length, 2);
  });

  test("names the zone and the code to whoever counts", () => {
    const server = serve();
    server.ask({ name: "nothing.example.com" });
    server.ask({ name: "example.net" });
    assert.deepEqual(
      server.outcomes.map(({ zone, rcode, transport }) => [zone, rcode, transport]),
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
      const answer = serve().ask({ ...www, edns: { dnssecOk, options: [{ code: 65_001, data: "x" }] } });
      assert.deepEqual(readEdns(answer), {
        payloadSize: 1232,
        version: 0,
        extendedRcode: 0,
        dnssecOk,
        options: [],
      });
    }
    assert.equal(readEdns(serve().ask(www)), undefined);
    assert.ok(readEdns(serve().ask({ name: "example.net", edns: {} })));
  });

  test("of another version is BADVERS", () => {
    const answer = serve().ask({ ...www, edns: { version: 1 } });
    assert.deepEqual(linesOf(answer), ["BADVERS"]);
    assert.equal(readEdns(answer)?.version, 0);
  });

  test("twice, or with malformed options, is FORMERR", () => {
    const twice = (message: Message): Message => ({
      ...message,
      additionals: [...message.additionals, ...message.additionals],
    });
    assert.deepEqual(linesOf(serve().ask({ ...www, edns: {}, change: twice })), ["FORMERR"]);
    const cookie = { options: [{ code: 10, data: "x".repeat(9) }] };
    assert.deepEqual(linesOf(serve().ask({ ...www, edns: cookie })), ["FORMERR"]);
  });

  test("bounds an answer by what the client takes, from 512 octets to 1232, else it is truncated and empty", () => {
    const server = serve();
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
    const answer = serve().ask({ name: "x.sub.example.com" });
    assert.ok(has(answer, "truncated"));
    const whole = serve().ask({ name: "x.sub.example.com", edns: {} });
    assert.ok(!has(whole, "truncated") && !has(whole, "authoritative"));
    assert.equal(whole.authorities.length, 10);
    assert.equal(whole.additionals.length, 11);
  });
});

describe("a cookie", () => {
  const client = "12345678";
  const cookieOf = (message: Message): string => readEdns(message)?.options[0]?.data ?? "";

  test("is answered with one of the server, also alone", () => {
    const server = serve();
    const edns = { options: [{ code: 10, data: client }] };
    const cookie = cookieOf(server.ask({ ...www, edns }));
    assert.equal(cookie.length, 24);
    assert.ok(cookie.startsWith(client));
    const alone = server.ask({ ...www, edns, change: (message) => ({ ...message, questions: [] }) });
    assert.deepEqual([linesOf(alone), cookieOf(alone)], [["NOERROR"], cookie]);
  });

  test("exempts whoever shows it from the limit of responses", () => {
    const server = serve({ perSecond: 1 });
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
    const server = serve({ perSecond: 3, now: () => clock.now });
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
      const server = serve({ perSecond: 2 });
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

describe("hostile packets", () => {
  const server = serve();
  const limit = (bytes: Uint8Array): number => {
    try {
      const edns = readEdns(decodeMessage(bytes));
      return edns === undefined ? 512 : Math.min(1232, Math.max(512, edns.payloadSize));
    } catch {
      return 512;
    }
  };
  const holds = (bytes: Uint8Array): void => {
    const answer = server.respond(bytes);
    if (answer === undefined) return;
    assert.ok(answer.length <= limit(bytes), `${answer.length} octets`);
    const { id, flags } = decodeMessage(answer);
    assert.equal(id, Buffer.from(bytes).readUInt16BE(0));
    assert.ok((flags & flagBits.response) !== 0);
  };
  const numRuns = roundsOr(3_000);

  test("of any octets are answered by a whole message within bounds, or not at all", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), holds), { numRuns });
  });

  test("that begin as queries do, too", () => {
    const head = Buffer.from(dnsQuery(www)).subarray(0, 12);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (rest) => holds(Buffer.concat([head, rest]))),
      { numRuns },
    );
  });

  test("that are altered queries, too", () => {
    const queries = [
      www,
      { name: "big.example.com", type: "TXT", edns: {} },
      { name: "x.sub.example.com", edns: {} },
    ] as const;
    const change = fc.tuple(fc.nat({ max: 80 }), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.constantFrom(...queries), fc.array(change, { maxLength: 4 }), (query, changes) => {
        const bytes = dnsQuery(query);
        for (const [at, octet] of changes) bytes[at % bytes.length] = octet;
        holds(bytes);
      }),
      { numRuns },
    );
  });

  test("that are well-formed messages of any kind, too", () => {
    fc.assert(
      fc.property(messages, (message) =>
        holds(dnsQuery({ name: "x", change: () => ({ ...message, flags: message.flags & 0x7fff }) })),
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    );
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
