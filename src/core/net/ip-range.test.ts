import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { parseClientAddress } from "./client-network.ts";
import { addressBits, parseIpAddress, printIpAddress, type IpAddress } from "./ip-address.ts";
import { cidrOfAddress, isInRange, parseCidr } from "./ip-range.ts";

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
const mapped = ipv4.map((address) => `::ffff:${address}`);

function parsed(text: string): IpAddress {
  const address = parseIpAddress(text);
  assert.ok(address !== undefined, text);
  return address;
}

const numberOf = ({ words }: IpAddress): bigint =>
  words.reduce((number, word) => (number << 32n) | BigInt(word), 0n);

describe("an IP address", () => {
  test("is the same after it was printed", () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6, mapped), (text) => {
        assert.deepEqual(parsed(printIpAddress(parsed(text))), parsed(text));
      }),
    );
  });

  test("is refused with leading zeros, missing or additional parts, or a zone", async (t) => {
    const refused = ["", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.4.", " 1.2.3.4", "0x1.2.3.4"];
    const refusedIpv6 = ["1:2:3", "::1::", ":::", "fe80::1%eth0", "::1.2.3", "1:2:3:4:5:6:7:8:9", "::g"];
    for (const text of [...refused, ...refusedIpv6])
      await t.test(JSON.stringify(text), () => assert.equal(parseIpAddress(text), undefined, text));
  });
});

describe("a range in CIDR notation", () => {
  test("holds the addresses with the same prefix, and none of the other version", () => {
    const pair = fc.oneof(fc.tuple(ipv4, ipv4), fc.tuple(ipv6, ipv6), fc.tuple(ipv4, ipv6));
    fc.assert(
      fc.property(pair, fc.nat({ max: 128 }), ([base, other], length) => {
        const [network, address] = [parsed(base), parsed(other)];
        const bits = Math.min(length, addressBits(network));
        const range = parseCidr(`${base}/${bits}`);
        assert.ok(range !== undefined);
        assert.equal(isInRange(network, range), true);
        const shift = BigInt(addressBits(network) - bits);
        const hasPrefix = numberOf(address) >> shift === numberOf(network) >> shift;
        assert.equal(isInRange(address, range), address.version === network.version && hasPrefix);
      }),
      { numRuns: 1000 },
    );
  });

  test("of IPv4-mapped addresses is the IPv4 range, as a mapped client address is an IPv4 address", () => {
    fc.assert(
      fc.property(ipv4, fc.nat({ max: 32 }), (address, bits) => {
        assert.deepEqual(parseCidr(`::ffff:${address}/${96 + bits}`), parseCidr(`${address}/${bits}`));
        assert.deepEqual(parseClientAddress(`::ffff:${address}`), parsed(address));
      }),
    );
  });

  test("has a length without leading zeros and within the address", async (t) => {
    for (const text of ["1.2.3.4", "1.2.3.4/33", "1.2.3.4/08", "1.2.3.4/", "::/129", "::1%a/128", "/8"])
      await t.test(text, () => {
        assert.equal(parseCidr(text), undefined, text);
      });
    assert.deepEqual(["192.0.2.1", "::1", "x"].map(cidrOfAddress), ["192.0.2.1/32", "::1/128", undefined]);
  });
});
