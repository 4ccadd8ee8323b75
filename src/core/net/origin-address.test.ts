import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { originRule, isPublicAddress } from "./origin-address.ts";

/** An address of each range that is not public, and of each form that embeds one. */
const special = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.1
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.0.170 192.31.196.1
  192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1 198.19.255.255
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::127.0.0.1 ::10.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:0:127.0.0.1
  64:ff9b::127.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::a00:1 100::1 100:0:0:1::1 1::1
  2001::1 2001:0:7f00:1:: 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1
  2001:30::1 2001:1ff::1 2002:7f00:1::1 2002:808:808::1 2620:4f:8000::1 4000::1
  5f00::1 8000::1 fc00::1 fdff::1 fe80::1 fec0::1 ff02::1 ffff::1
`
  .trim()
  .split(/\s+/);

test("no address with a special purpose is public, nor that of an origin, in any form", () => {
  const mayBeOrigin = originRule([]);
  for (const address of special) {
    assert.equal(isPublicAddress(address), false, address);
    assert.equal(mayBeOrigin(address), false, address);
  }
});

test("addresses beside those ranges are public, and those of documents count as such", () => {
  const beside = ["1.0.0.1", "9.255.255.255", "100.63.255.255", "100.128.0.0", "172.32.0.0", "192.0.1.1"];
  const beside6 = [
    "2000::1",
    "2001:200::1",
    "2003::1",
    "2606:4700::1111",
    "3ffe::1",
    "2001:db8::1",
    "3fff::1",
  ];
  for (const address of [...beside, ...beside6, "192.0.2.1", "203.0.113.9", "223.255.255.255"]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test("no IPv6 address that embeds an IPv4 address is public by that address", () => {
  const forms = ["::V4", "::ffff:V4", "::ffff:0:V4", "64:ff9b::V4", "64:ff9b:1::V4"];
  fc.assert(
    fc.property(fc.constantFrom(...forms), fc.ipV4(), (form, address) => {
      assert.equal(isPublicAddress(form.replace("V4", address)), false);
    }),
  );
});
