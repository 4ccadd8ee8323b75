import * as fc from "fast-check";

import type { Transport } from "../../src/name-server/listeners.ts";
import { mulberry32 } from "../../tools/fuzz/random.ts";
import { typeCodes } from "../../src/core/dns/wire/codes.ts";
import { encodeMessage } from "../../src/core/dns/wire/message.ts";
import { messages } from "../support/arbitraries/dns-messages.ts";
import { dnsQuery } from "../support/dns-client.ts";

export interface DnsPacket {
  readonly bytes: Buffer;
  readonly address: string;
  readonly transport: Transport;
}

const names = [
  ".", "example.com", "www.example.com", "WwW.eXample.COM", "missing.example.com", "big.example.com", "mail.example.com", "any.wild.example.com",
  "any.walias.example.com", "loop.example.com", "chain.example.com", "x.sub.example.com", "sub.example.com", "ent.example.com", "flat.example.com",
  "example.net", "com", "signed.example", "www.signed.example", "missing.signed.example", "hashed.example", "missing.hashed.example",
  "x.wild.signed.example", "any.wild.hashed.example", "peer.catalog.invalid", "version.bind", `${"a.".repeat(100)}example.com`, `${"x".repeat(63)}.example.com`,
]; // prettier-ignore
const types = [...Object.values(typeCodes), 0, 253, 254, 65_280, 65_535];
const classes = [1, 1, 1, 1, 0, 3, 254, 255];
const addresses = ["192.0.2.1", "198.51.100.77", "2001:db8::1", "::ffff:192.0.2.9", "fe80::1%eth0"];
const addressesOfOne = 1 << 16;
const octetsEnd = 256;

/** Packets as nobody means well sends them, the same ones for the same seed. */
export class DnsPackets {
  readonly #random: () => number;
  readonly #messages: readonly Buffer[];

  constructor(seed: number) {
    this.#random = mulberry32(seed);
    this.#messages = fc
      .sample(messages, { numRuns: 2_000, seed })
      .map((message) => Buffer.from(encodeMessage({ ...message, flags: message.flags & 0x7fff })));
  }

  next(): DnsPacket {
    const kind = this.#random();
    const bytes =
      kind < 0.1
        ? this.#octets(this.#below(600))
        : kind < 0.25
          ? this.#loops()
          : kind < 0.35
            ? this.#query()
            : this.#altered(kind < 0.6 ? Buffer.from(this.#pick(this.#messages)) : this.#query());
    return { bytes, address: this.#address(), transport: this.#random() < 0.8 ? "udp" : "tcp" };
  }

  #query(): Buffer {
    const name = this.#random() < 0.2 ? `${this.#below(1_000_000)}.${this.#pick(names)}` : this.#pick(names);
    const type = this.#pick(types);
    const options = Array.from({ length: this.#below(3) }, () => ({
      code: this.#pick([3, 8, 10, 10, 11, 12, 65_001]),
      data: this.#octets(this.#pick([0, 4, 8, 8, 16, 24, 40, 41])).toString("latin1"),
    }));
    const edns = {
      payloadSize: this.#pick([0, 511, 512, 600, 1232, 4096, 65_535]),
      version: this.#random() < 0.05 ? this.#below(octetsEnd) : 0,
      dnssecOk: this.#random() < 0.5,
      options,
    };
    return Buffer.from(
      dnsQuery({
        name: "example.com",
        ...(this.#random() < 0.7 && { edns }),
        change: (message) => ({
          ...message,
          id: this.#below(65_536),
          flags: this.#random() < 0.8 ? 0x0100 : this.#below(65_536),
          questions: Array.from({ length: this.#random() < 0.95 ? 1 : this.#below(4) }, () => ({
            name: name.startsWith(".") || name.endsWith("..") ? "." : name.replace(/\.\.$/, ""),
            type,
            class: this.#pick(classes),
          })),
        }),
      }),
    );
  }

  /** Octets are changed, put in, taken out, or put at the end. */
  #altered(bytes: Buffer): Buffer {
    let altered = bytes;
    for (let left = 1 + this.#below(5); left > 0; left -= 1) {
      const at = this.#below(altered.length + 1);
      const how = this.#random();
      const taken = how < 0.5 ? 1 : how < 0.7 ? this.#below(20) : 0;
      const put = how < 0.5 ? this.#octets(1) : how < 0.7 ? Buffer.alloc(0) : this.#octets(this.#below(12));
      altered = Buffer.concat([altered.subarray(0, at), put, altered.subarray(at + taken)]);
    }
    return altered;
  }

  /** A message of labels and pointers to anywhere, mostly to one another. */
  #loops(): Buffer {
    const header = Buffer.alloc(12);
    header.writeUInt16BE(this.#below(65_536), 0);
    for (const at of [4, 6, 8, 10]) header.writeUInt16BE(this.#random() < 0.7 ? 1 : this.#below(65_536), at);
    const parts = Array.from({ length: this.#below(200) }, () => {
      const kind = this.#random();
      if (kind < 0.5)
        return Buffer.of(0xc0 | (this.#random() < 0.9 ? 0 : this.#below(64)), this.#below(octetsEnd));
      if (kind < 0.7) return Buffer.of(0, 0, 1, 0, 1);
      const length = this.#below(64);
      return Buffer.concat([Buffer.of(length), this.#octets(length)]);
    });
    return Buffer.concat([header, ...parts]);
  }

  #address(): string {
    if (this.#random() < 0.5) return this.#pick(addresses);
    const host = this.#below(addressesOfOne);
    return `10.9.${host >> 8}.${host & 255}`;
  }

  #octets(length: number): Buffer {
    const octets = Buffer.alloc(length);
    for (let at = 0; at < length; at += 1) octets[at] = this.#below(octetsEnd);
    return octets;
  }

  #pick<Of>(list: readonly Of[]): Of {
    return list[this.#below(list.length)] as Of;
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }
}
