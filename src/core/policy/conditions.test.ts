import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { compileAddressCondition, parseTimeWindow, windowPhase } from "./conditions.ts";

const isIn = (range: string, address: string): boolean => compileAddressCondition({ in: [range] })(address);

describe("an address condition", () => {
  test("lets in the addresses of its ranges", async (t) => {
    const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
      ["192.0.2.0/24", ["192.0.2.0", "192.0.2.255"], ["192.0.1.255", "192.0.3.0", "::"]],
      ["192.0.2.77/24", ["192.0.2.0", "192.0.2.255"], ["192.0.3.77"]],
      ["192.0.2.1/32", ["192.0.2.1"], ["192.0.2.0", "192.0.2.2"]],
      ["255.255.255.255/32", ["255.255.255.255"], ["127.255.255.255", "0.0.0.0"]],
      ["128.0.0.0/1", ["128.0.0.0", "255.255.255.255"], ["127.255.255.255"]],
      ["0.0.0.0/0", ["0.0.0.0", "203.0.113.9", "255.255.255.255", "::ffff:203.0.113.9"], ["::1", "::"]],
      ["2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1", "2001:DB8:0:0::1"], ["2001:db9::", "192.0.2.1"]],
      ["2001:db8:0:8::/61", ["2001:db8:0:8::", "2001:db8:0:f::1"], ["2001:db8:0:10::", "2001:db8:0:7::"]],
      ["2001:db8::1/128", ["2001:db8::1", "2001:0db8:0:0:0:0:0:0001"], ["2001:db8::2"]],
      ["::/0", ["::", "::1", "2001:db8::1", "::192.0.2.1"], ["192.0.2.1", "::ffff:192.0.2.1"]],
      ["fe80::/10", ["fe80::1", "fe80::1%eth0", "febf::%1"], ["fec0::1", "fec0::1%eth0"]],
      ["::192.0.2.0/120", ["::192.0.2.1", "::c000:201"], ["192.0.2.1", "::ffff:192.0.2.1"]],
    ];
    for (const [range, inside, outside] of cases)
      await t.test(range, () => {
        for (const address of inside) assert.equal(isIn(range, address), true, `${address} in ${range}`);
        for (const address of outside)
          assert.equal(isIn(range, address), false, `${address} not in ${range}`);
      });
  });

  test("takes an IPv4-mapped address for the IPv4 address, in ranges too", async (t) => {
    const spellings = [
      "192.0.2.1",
      "::ffff:192.0.2.1",
      "::FFFF:192.0.2.1",
      "::ffff:c000:201",
      "0:0:0:0:0:ffff:c000:0201",
      "0000::ffff:192.0.2.1",
      "::ffff:192.0.2.1%eth0",
    ];
    const ranges = ["192.0.2.0/24", "::ffff:192.0.2.0/120", "::ffff:c000:201/128", "::ffff:0:0/96"];
    for (const range of ranges)
      await t.test(range, () => {
        for (const address of spellings) assert.equal(isIn(range, address), true, `${address} in ${range}`);
      });
    assert.equal(isIn("::ffff:192.0.2.0/120", "192.0.3.1"), false);
    assert.equal(isIn("::ffff:0:0/95", "192.0.2.1"), false);
    assert.equal(isIn("::ffff:0:0/95", "::fffe:192.0.2.1"), true);
  });

  test("keeps out what `not_in` names, whatever `in` says", () => {
    const both = compileAddressCondition({
      in: ["199.27.128.0/21", "2400:cb00::/32"],
      not_in: ["199.27.128.0/24", "2400:cb00:1::/48"],
    });
    const answers = ["199.27.129.1", "199.27.128.1", "::ffff:199.27.128.1", "2400:cb00::1", "2400:cb00:1::1"];
    assert.deepEqual(answers.map(both), [true, false, false, true, false]);
    const onlyNotIn = compileAddressCondition({ not_in: ["192.0.2.0/24"] });
    assert.deepEqual(["192.0.2.1", "192.0.3.1", "::1"].map(onlyNotIn), [false, true, true]);
  });

  test("lets everybody in where it has no lists, and nobody where its lists are empty", () => {
    for (const condition of [{}, { in: undefined, not_in: undefined }]) {
      assert.equal(compileAddressCondition(condition)("unknown"), true);
    }
    const empty = [{ in: [] }, { not_in: [] }, { in: [], not_in: [] }, { in: [], not_in: ["192.0.2.0/24"] }];
    for (const condition of empty) {
      const allows = compileAddressCondition(condition);
      assert.deepEqual(["192.0.2.1", "198.51.100.1", "::1", "unknown"].map(allows), [
        false,
        false,
        false,
        false,
      ]);
    }
    assert.equal(compileAddressCondition({ in: ["192.0.2.0/24"], not_in: [] })("192.0.2.1"), true);
  });

  test("keeps out what is no address", async (t) => {
    const open = compileAddressCondition({ in: ["0.0.0.0/0", "::/0"] });
    const unlessExcluded = compileAddressCondition({ not_in: ["192.0.2.0/24"] });
    const noAddresses = [
      "",
      "unknown",
      "192.0.2",
      "192.0.2.",
      ".192.0.2.1",
      "192.0..2.1",
      "192.0.2.1.5",
      "192.0.2.256",
      "192.0.2.01",
      "192.0.2.1:80",
      "192.0.2.1%eth0",
      "[::1]",
      "3221225985",
      "0xc0.0.2.1",
      " 192.0.2.1",
      "192.0.2.1 ",
      "::ffff:192.0.2.256",
      "::ffff:",
      "1::2::3",
      "%eth0",
      `${"0:".repeat(40)}1`,
    ];
    for (const text of noAddresses)
      await t.test(JSON.stringify(text), () => {
        assert.equal(open(text), false, text);
        assert.equal(unlessExcluded(text), false, text);
      });
  });

  test("refuses what is not in CIDR notation, and shows how a bare address is written", async (t) => {
    const refusals = [
      ["192.0.2.1", "192.0.2.1/32"],
      ["2001:db8::1", "2001:db8::1/128"],
      ["", "192.0.2.0/24"],
      ["192.0.2.0/33", "192.0.2.0/24"],
      ["192.0.2.0/-1", "192.0.2.0/24"],
      ["192.0.2.0/024", "192.0.2.0/24"],
      ["192.0.2.0/24.5", "192.0.2.0/24"],
      ["192.0.2.0/", "192.0.2.0/24"],
      ["192.0.2.0/255.255.255.0", "192.0.2.0/24"],
      ["192.0.2/24", "192.0.2.0/24"],
      ["192.0.2.0 /24", "192.0.2.0/24"],
      ["192.0.2.0/24\n", "192.0.2.0/24"],
      ["2001:db8::/129", "2001:db8::/32"],
      ["fe80::1%eth0/64", "2001:db8::/32"],
      ["example.com/24", "192.0.2.0/24"],
    ] as const;
    for (const [text, shown] of refusals)
      await t.test(JSON.stringify(text), () => {
        for (const field of ["in", "not_in"] as const) {
          assert.throws(
            () => compileAddressCondition({ [field]: ["192.0.2.0/24", text] }),
            (error: { code?: unknown; pointer?: unknown; message: string }) =>
              error.code === 1001 &&
              error.pointer === `/condition/request.ip/${field}/1` &&
              error.message.includes(shown),
            text,
          );
        }
      });
  });

  test("agrees with arithmetic on all IPv4 addresses and prefix lengths", () => {
    const address = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
    const near = fc
      .tuple(address, fc.nat(32), fc.nat(32), fc.boolean())
      .map(([base, bits, flipped, flips]) => ({
        base,
        bits,
        other: flips && flipped < 32 ? base ^ (1n << BigInt(flipped)) : base,
      }));
    const quad = (value: bigint): string =>
      [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
    fc.assert(
      fc.property(near, ({ base, bits, other }) => {
        const host = BigInt(32 - bits);
        assert.equal(isIn(`${quad(base)}/${bits}`, quad(other)), base >> host === other >> host);
      }),
      { numRuns: 2000 },
    );
  });

  test("agrees with arithmetic on all IPv6 addresses and prefix lengths", () => {
    const colons = (value: bigint): string =>
      Array.from({ length: 8 }, (_, index) =>
        ((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16),
      ).join(":");
    fc.assert(
      fc.property(
        fc.bigInt({ min: 2n ** 64n, max: 2n ** 128n - 1n }),
        fc.nat(128),
        fc.nat(127),
        (base, bits, bit) => {
          const other = base ^ (1n << BigInt(bit));
          const host = BigInt(128 - bits);
          assert.equal(isIn(`${colons(base)}/${bits}`, colons(base)), true);
          assert.equal(isIn(`${colons(base)}/${bits}`, colons(other)), base >> host === other >> host);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("a time window", () => {
  test("is open from `not_before` until `expires_on`", () => {
    const window = parseTimeWindow({
      not_before: "2020-04-01T05:20:00Z",
      expires_on: "2020-04-10T00:00:00Z",
    });
    const phases = ["05:19:59.999Z", "05:20:00.000Z", "05:20:00.001Z"].map((time) =>
      windowPhase(window, Date.parse(`2020-04-01T${time}`)),
    );
    assert.deepEqual(phases, ["early", "open", "open"]);
    assert.equal(windowPhase(window, Date.parse("2020-04-09T23:59:59.999Z")), "open");
    assert.equal(windowPhase(window, Date.parse("2020-04-10T00:00:00.000Z")), "over");
  });

  test("is open where nothing is said", () => {
    for (const body of [{}, { not_before: undefined, expires_on: null }, { not_before: null }]) {
      assert.equal(windowPhase(parseTimeWindow(body), 0), "open");
    }
    const begun = parseTimeWindow({ not_before: "2020-04-01T05:20:00Z" });
    assert.equal(windowPhase(begun, Date.parse("9999-12-31T23:59:59Z")), "open");
  });

  test("ends after it begins", async (t) => {
    const not_before = "2020-04-01T05:20:00Z";
    for (const expires_on of [not_before, "2020-04-01T05:19:59Z", "2019-12-31T00:00:00Z"])
      await t.test(expires_on, () => {
        assert.throws(() => parseTimeWindow({ not_before, expires_on }), {
          code: 1001,
          pointer: "/expires_on",
        });
      });
    assert.ok(parseTimeWindow({ not_before, expires_on: "2020-04-01T05:20:01Z" }));
  });

  test("is written as YYYY-MM-DDThh:mm:ssZ, with a day and a time that exist", async (t) => {
    const refused = [
      "",
      "2020-04-01",
      "2020-04-01T05:20Z",
      "2020-04-01T05:20:00",
      "2020-04-01T05:20:00.000Z",
      "2020-04-01T05:20:00+00:00",
      "2020-04-01 05:20:00Z",
      "2020-04-01t05:20:00z",
      "2020-04-01T05:20:00Z\n",
      "20200401T052000Z",
      "+002020-04-01T05:20:00Z",
      "2020-00-01T00:00:00Z",
      "2020-13-01T00:00:00Z",
      "2020-01-00T00:00:00Z",
      "2020-04-31T00:00:00Z",
      "2021-02-29T00:00:00Z",
      "2100-02-29T00:00:00Z",
      "2020-04-01T24:00:00Z",
      "2020-04-01T05:60:00Z",
      "2016-12-31T23:59:60Z",
    ];
    for (const text of refused)
      await t.test(JSON.stringify(text), () => {
        for (const field of ["not_before", "expires_on"]) {
          assert.throws(() => parseTimeWindow({ [field]: text }), { code: 1001, pointer: `/${field}` }, text);
        }
      });
    for (const text of ["2000-02-29T00:00:00Z", "2024-02-29T23:59:59Z", "0001-01-01T00:00:00Z"])
      await t.test(text, () => {
        assert.equal(parseTimeWindow({ not_before: text }).notBefore, Date.parse(text));
      });
  });

  test("agrees with the calendar of the platform", () => {
    const seconds = fc.integer({
      min: Date.parse("0001-01-01") / 1000,
      max: Date.parse("9999-12-31") / 1000,
    });
    fc.assert(
      fc.property(seconds, (second) => {
        const not_before = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
        assert.equal(parseTimeWindow({ not_before }).notBefore, second * 1000);
      }),
      { numRuns: 2000 },
    );
  });
});
