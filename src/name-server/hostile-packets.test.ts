import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { messages } from "../../test/support/arbitraries/dns-messages.ts";
import { dnsQuery } from "../../test/support/dns-client.ts";
import { serveExample } from "../../test/support/responder.ts";
import { roundsOr } from "../../test/support/rounds.ts";
import { flagBits } from "../core/dns/wire/codes.ts";
import { readEdns } from "../core/dns/wire/edns.ts";
import { decodeMessage } from "../core/dns/wire/message.ts";

describe("hostile packets", () => {
  const server = serveExample();
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
    const head = Buffer.from(dnsQuery({ name: "www.example.com" })).subarray(0, 12);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (rest) => holds(Buffer.concat([head, rest]))),
      { numRuns },
    );
  });

  test("that are altered queries, too", () => {
    const queries = [
      { name: "www.example.com" },
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
