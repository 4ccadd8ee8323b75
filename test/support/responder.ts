import assert from "node:assert/strict";

import { edgeSets, type StoredRecord } from "../../src/core/dns/served/record-sets.ts";
import type { Sources } from "../../src/core/dns/served/sources.ts";
import { ZoneIndex } from "../../src/core/dns/served/zone-index.ts";
import { ZoneView } from "../../src/core/dns/served/zone-view.ts";
import { decodeMessage, type Message } from "../../src/core/dns/wire/message.ts";
import { isTransfer, type Query } from "../../src/name-server/listeners.ts";
import { type Outcome, ResponseRateLimit } from "../../src/name-server/replies.ts";
import { Responder } from "../../src/name-server/responder.ts";
import { dnsQuery, type DnsQuery } from "./dns-client.ts";

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

/** A responder with one zone, and what it said of its queries. */
interface Server {
  respond(query: Uint8Array, transport?: Query["transport"], address?: string): Buffer | undefined;
  ask(query: DnsQuery, transport?: Query["transport"]): Message;
  readonly outcomes: Outcome[];
  readonly index: ZoneIndex;
  /** The zone example.com. */
  readonly view: ZoneView;
}

export function serveExample(
  options: {
    perSecond?: number;
    now?: () => number;
    isComplete?: boolean;
    outside?: Sources["outside"];
  } = {},
): Server {
  const index = new ZoneIndex();
  const apex = { name: "example.com", nameServers: ["ns1.test.net"], hostmaster: "dns.test.net", serial: 7 };
  const view = new ZoneView(apex, { edge: edgeSets(["192.0.2.80"]), flattensAll: false });
  for (const [name, its] of Object.entries(records)) view.setRecords(name, its);
  index.set(view);
  const outcomes: Outcome[] = [];
  const responder = new Responder({
    zones: index,
    readZone: () => Promise.resolve(),
    isComplete: () => options.isComplete ?? true,
    outside: { addressesOf: options.outside ?? (() => "failed"), lookUp: async () => undefined },
    cookieSecret: new Uint8Array(16),
    rateLimit: options.perSecond === undefined ? undefined : new ResponseRateLimit(options.perSecond),
    nowMs: options.now ?? (() => 1_700_000_000_000),
    observe: (outcome) => void outcomes.push(outcome),
  });
  const respond: Server["respond"] = (bytes, transport = "udp", address = "127.0.0.1") => {
    const answer = responder.respond({ bytes: Buffer.from(bytes), address, transport });
    assert.ok(!(answer instanceof Promise) && !isTransfer(answer));
    return answer && Buffer.from(answer);
  };
  return {
    respond,
    ask: (query, transport) => decodeMessage(respond(dnsQuery(query), transport) ?? Buffer.alloc(0)),
    outcomes,
    index,
    view,
  };
}
