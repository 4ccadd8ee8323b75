import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assert as assertProperty, constantFrom, ipV4, property } from "fast-check";

import { isDeniedHost } from "./denied-hosts.ts";

/** Every form of an IPv6 address that leads to an IPv4 address. */
const forms = [
  "::ffff:AABB:CCDD",
  "::AABB:CCDD",
  "::ffff:0:AABB:CCDD",
  "2002:AABB:CCDD::1",
  "64:ff9b::AABB:CCDD",
  "64:ff9b:1:AABB:CC:DD00::",
  "64:ff9b:1:12AA:BB:CCDD::",
  "64:ff9b:1:1234:AA:BBCC:DD00::",
  "64:ff9b:1:1234::AABB:CCDD",
];

function embed(form: string, ipv4: string): string {
  const [a = "", b = "", c = "", d = ""] = ipv4
    .split(".")
    .map((octet) => Number(octet).toString(16).padStart(2, "0"));
  return form
    .replace("AABB", a + b)
    .replace("CCDD", c + d)
    .replace("BBCC", b + c)
    .replace("12AA", `12${a}`)
    .replace("DD00", `${d}00`)
    .replace("AA", a)
    .replace("BB", b)
    .replace("CC", c);
}

describe("hosts that only serve the machine itself or its neighbours", () => {
  test("are told from others, by address and by name", async (t) => {
    for (const host of [
      "169.254.0.0",
      "169.254.169.254",
      "169.254.255.255",
      "100.100.100.200",
      "192.0.0.192",
      "168.63.129.16",
      "fe80::1",
      "[fe80::1]",
      "fe80::1%eth0",
      "febf:ffff::",
      "[FD00:EC2:0:0::254]",
      "fd20:ce::254",
      "fd00:42::42",
      "[::ffff:169.254.1.1]",
      "2001:0:a9fe:a9fe::1",
      "2001:0:cb00:7109:0:0:5601:5601",
      "Metadata.Google.Internal.",
      "metadata",
      "instance-data",
    ])
      await t.test(host, () => {
        assert.equal(isDeniedHost(host), true, host);
      });
    for (const host of [
      "127.0.0.1",
      "10.0.0.1",
      "169.253.255.255",
      "169.255.0.0",
      "100.100.100.201",
      "::",
      "[::1]",
      "fec0::1",
      "[2001:db8::1]",
      "fd00:ec3::254",
      "node.example",
      "metadata.example",
    ])
      await t.test(host, () => {
        assert.equal(isDeniedHost(host), false, host);
      });
  });

  test("are found in every form that embeds their IPv4 address", async (t) => {
    for (const form of forms)
      await t.test(form, () => {
        assert.equal(isDeniedHost(embed(form, "169.254.169.254")), true, form);
        assert.equal(isDeniedHost(`[${embed(form, "168.63.129.16")}]`), true, form);
        assert.equal(isDeniedHost(embed(form, "203.0.113.9")), false, form);
      });
  });

  test("a form is denied with its IPv4 address, whatever that is, and never without", () => {
    // Where several lengths of a prefix are possible, another reading of it may be denied as well.
    const unambiguous = constantFrom(...forms.filter((form) => !form.startsWith("64:ff9b:1")));
    assertProperty(
      property(unambiguous, ipV4(), (form, ipv4) => {
        assert.equal(isDeniedHost(embed(form, ipv4)), isDeniedHost(ipv4), `${form} ${ipv4}`);
      }),
    );
  });
});
