import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseIpAddress } from "../../net/ip-address.ts";
import { parseIpRange } from "../../net/ip-range.ts";
import { mayTransfer, type TransferAccess } from "./transfer-access.ts";
import type { TsigKey } from "../wire/tsig.ts";

const keyOf = (secret: string): TsigKey => ({
  name: "key.example",
  algorithm: "hmac-sha256",
  secret: Buffer.from(secret),
});
const access = (
  peers: readonly (readonly [address: string | undefined, key?: TsigKey])[],
  ...ranges: readonly string[]
): TransferAccess => ({
  peers: peers.map(([address, key]) => ({
    address: address === undefined ? undefined : parseIpAddress(address),
    key,
  })),
  ranges: ranges.flatMap((range) => parseIpRange(range) ?? []),
});

describe("a zone may be transferred", () => {
  test("from the addresses of its peers and the access lists, in either form of IPv4", () => {
    const rules = access([["192.0.2.1"], [undefined]], "198.51.100.0/24", "2001:db8::/64");
    for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "198.51.100.7", "2001:db8::7"]) {
      assert.ok(mayTransfer(rules, address, undefined), address);
    }
    for (const address of ["192.0.2.2", "198.51.101.7", "2001:db8:0:1::7", "nowhere"]) {
      assert.ok(!mayTransfer(rules, address, undefined), address);
    }
  });

  test("only with the key of a peer where one has a key, at the address of a peer with its own", () => {
    const [one, other] = [keyOf("one"), keyOf("other")];
    const rules = access([["192.0.2.1", one], ["192.0.2.2", other], ["192.0.2.3"]], "198.51.100.0/24");
    assert.ok(mayTransfer(rules, "192.0.2.1", keyOf("one")));
    assert.ok(mayTransfer(rules, "198.51.100.7", other));
    for (const [address, key] of [
      ["192.0.2.1", undefined],
      ["192.0.2.1", other],
      ["192.0.2.3", undefined],
      ["192.0.2.3", one],
      ["198.51.100.7", undefined],
      ["198.51.100.7", keyOf("third")],
    ] as const) {
      assert.ok(!mayTransfer(rules, address, key), address);
    }
  });

  test("from nowhere without peers and access lists", () => {
    assert.ok(!mayTransfer(access([]), "127.0.0.1", undefined));
  });
});
