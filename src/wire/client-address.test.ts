import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  array,
  assert as assertProperty,
  constantFrom,
  ipV4,
  ipV6,
  nat,
  property,
  string,
  tuple,
} from "fast-check";

import { clientAddressesBehind } from "./client-address.ts";

const proxy = "10.0.0.1";
const addresses = clientAddressesBehind(["10.0.0.0/8", "2001:db8:a::1"]);

function addressOf(forwarded: string | undefined, remoteAddress: string | undefined = proxy): string {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return addresses.of({ socket: { remoteAddress } as never, headers });
}

describe("the address of a client", () => {
  test("is that of the connection, unless a trusted proxy names another", () => {
    assert.equal(addressOf(undefined), proxy);
    assert.equal(addressOf(""), proxy);
    assert.equal(addressOf(" , "), proxy);
    assert.equal(addressOf("192.0.2.1", "198.51.100.1"), "198.51.100.1");
    assert.equal(addressOf("192.0.2.1", ""), "");
    assert.equal(clientAddressesBehind([]).of({ socket: {} as never, headers: {} }), "");
  });

  test("is IPv4 where a dual-stack socket or a proxy has it in IPv6 form", () => {
    for (const mapped of ["::ffff:198.51.100.1", "::FFFF:c633:6401", "0:0:0:0:0:ffff:198.51.100.1"]) {
      assert.equal(addressOf(undefined, mapped), "198.51.100.1");
      assert.equal(addressOf(mapped), "198.51.100.1");
      assert.equal(addresses.behind(mapped, ""), "198.51.100.1");
      const direct = clientAddressesBehind([]);
      assert.equal(direct.of({ socket: { remoteAddress: mapped } as never, headers: {} }), "198.51.100.1");
    }
    for (const other of ["2001:db8::ffff:1", "::ffff:1", "fe80::ffff:1%eth0"])
      assert.equal(addressOf(undefined, other), other);
  });

  test("has no port, whatever the proxies add", () => {
    for (const [hop, address] of [
      ["192.0.2.1:4711", "192.0.2.1"],
      ["[2001:db8::1]:4711", "2001:db8::1"],
      ["[2001:db8::1]", "2001:db8::1"],
      ["[::1]:5", "::1"],
      ["::1", "::1"],
      ["2001:db8::1:4711", "2001:db8::1:4711"],
    ] as const) {
      assert.equal(addressOf(hop), address);
      assert.equal(addressOf(`203.0.113.1, ${hop}, 10.2.3.4:80, [2001:db8:a::1]:80`), address);
    }
  });

  test("is unknown if a trusted proxy names something else", () => {
    for (const hop of [
      "unknown",
      "_hidden",
      "192.0.2.1:",
      "192.0.2.1:123456",
      "[192.0.2.1",
      "[]:1",
      "1:2:3",
    ]) {
      assert.equal(addressOf(`192.0.2.9, ${hop}`), "unknown", hop);
    }
  });

  test("does not depend on the entries left of it, nor on ports", () => {
    const noise = array(string({ unit: "grapheme-ascii" }), { maxLength: 5 }).map((hops) => hops.join(","));
    const client = ipV4()
      .filter((address) => !address.startsWith("10."))
      .map((address) => [address, address] as const);
    const client6 = ipV6().map((address) => [address, `[${address}]`] as const);
    const port = tuple(constantFrom("", ":"), nat(65_535)).map(([colon, number]) => colon && `:${number}`);
    assertProperty(
      property(noise, client, client6, port, (before, ipv4, ipv6, suffix) => {
        for (const [address, written] of [ipv4, ipv6]) {
          assert.equal(addressOf(`${before},${written}${suffix},10.9.9.9${suffix}`), address);
        }
      }),
    );
  });
});
