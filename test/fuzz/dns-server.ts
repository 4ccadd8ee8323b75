import assert from "node:assert/strict";

import { parseIpRange } from "../../src/core/net/ip-range.ts";
import { ZoneIndex } from "../../src/core/dns/served/zone-index.ts";
import type { ZoneView } from "../../src/core/dns/served/zone-view.ts";
import { flagBits } from "../../src/core/dns/wire/codes.ts";
import { readEdns } from "../../src/core/dns/wire/edns.ts";
import { decodeMessage, headerOctets, readHeader } from "../../src/core/dns/wire/message.ts";
import { type Respond, isTransfer } from "../../src/name-server/listeners.ts";
import { respondFrom } from "../support/respond.ts";
import { zone } from "../support/served-zones.ts";
import { signingOf } from "../support/zone-signing.ts";
import type { DnsPacket } from "./dns-packets.ts";

const records = [
  "www A 192.0.2.1",
  "www AAAA 2001:db8::1",
  "mail MX 10 www.example.com",
  "*.wild TXT a",
  "*.walias CNAME any.wild",
  "chain CNAME loop.example.com",
  "loop CNAME chain.example.com",
  "a.ent A 192.0.2.1",
  "sub NS ns.sub.example.com",
  "ns.sub A 192.0.2.53",
  "flat CNAME somewhere.example.org ; flatten_cname",
  ...Array.from({ length: 40 }, (_, index) => `big TXT ${"x".repeat(60)}${index}`),
];

/** A name server without sockets: zones with all kinds of names, two of them signed, and transfers. */
export function createFuzzedServer(): Respond {
  const zones = new ZoneIndex();
  const add = (view: ZoneView): void => {
    for (const _ of view.link());
    zones.set(view);
  };
  add(zone("example.com", records));
  add(zone("signed.example", records, {}, signingOf()));
  add(zone("hashed.example", records, {}, signingOf({ usesNsec3: true })));
  const catalog = zone("peer.catalog.invalid", ["a TXT b"]);
  const key = { name: "key", algorithm: "hmac-sha256", secret: Buffer.alloc(32) } as const;
  return respondFrom(zones, {
    lookUpAddresses: async () => ({ addresses: ["198.51.100.1"], ttl: 60 }),
    transfers: {
      catalogOf: (name) => (name.endsWith("catalog.invalid") ? catalog : undefined),
      rulesOf: async () => ({
        keys: [key],
        access: { peers: [], ranges: [parseIpRange("192.0.2.0/24")].filter((range) => range !== undefined) },
        backlogSerial: 0,
      }),
      notifyRulesOf: async () => undefined,
      notified: async () => undefined,
      isExact: () => true,
      transferred: () => undefined,
    },
    responsesPerSecond: 1_000_000,
    logger: {
      info: () => undefined,
      error: (fields) => {
        throw "err" in fields ? fields.err : new Error("an error without reason");
      },
    },
  });
}

/** The answer to a packet. Throws where that is more than the sender takes, or no answer to it. */
export async function answerPacket(respond: Respond, packet: DnsPacket): Promise<Uint8Array | undefined> {
  const { bytes, transport } = packet;
  const response = await respond(packet);
  if (response === undefined) return undefined;
  if (isTransfer(response)) {
    assert.equal(transport, "tcp", "a transfer over UDP");
    let first: Uint8Array | undefined;
    for await (const message of response) checkAnswer(bytes, (first = message), 65_535);
    return first;
  }
  checkAnswer(bytes, response, transport === "tcp" ? 65_535 : payloadOf(bytes));
  return response;
}

function checkAnswer(query: Buffer, answer: Uint8Array, octetsMax: number): void {
  assert.ok(answer.length >= headerOctets && answer.length <= octetsMax, `${answer.length} octets`);
  const { id, flags } = decodeMessage(answer);
  assert.equal(id, readHeader(query).id, "another id");
  assert.notEqual(flags & flagBits.response, 0, "no response");
}

/** The octets that its sender takes over UDP. */
function payloadOf(query: Buffer): number {
  try {
    return Math.min(1232, Math.max(512, readEdns(decodeMessage(query))?.payloadSize ?? 512));
  } catch {
    return 512;
  }
}
