import assert from "node:assert/strict";
import { test } from "node:test";

import { AppError } from "../../error.ts";
import { parseRdata } from "./rdata.ts";
import { proxiableRule } from "./proxiable.ts";
import type { RecordType } from "./record-types.ts";

const zone = "example.com";

test("plain content takes its canonical form", async (t) => {
  const cases: readonly (readonly [RecordType, string, string])[] = [
    ["A", "192.0.2.1", "192.0.2.1"],
    ["A", " 192.0.2.1\n", "192.0.2.1"],
    ["AAAA", "2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["AAAA", "1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["AAAA", "::ffff:192.0.2.1", "::ffff:c000:201"],
    ["AAAA", "::192.0.2.1", "::c000:201"],
    ["AAAA", "1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"],
    ["CNAME", "WWW.Example.org.", "www.example.org"],
    ["CNAME", "@", "example.com"],
    ["CNAME", "_x._domainkey.bücher.example", "_x._domainkey.xn--bcher-kva.example"],
    ["NS", "ns1.example.net.", "ns1.example.net"],
    ["PTR", "host", "host"],
    ["OPENPGPKEY", "mQEN\tBFit AA==", "mQENBFitAA=="],
    ["TXT", "  v=spf1 -all ", "  v=spf1 -all "],
    ["TXT", '"a" "b"', '"a" "b"'],
    ["TXT", String.raw`"say \"hi\" \\ \010"`, String.raw`"say \"hi\" \\ \010"`],
    ["TXT", String.raw`C:\dir "x`, String.raw`C:\dir "x`],
    ["TXT", '""', '""'],
    ["TXT", "tab\there, grüße 🎉", "tab\there, grüße 🎉"],
    ["TXT", "a".repeat(600), "a".repeat(600)],
    ["TXT", `"${"a".repeat(255)}"`, `"${"a".repeat(255)}"`],
    ["TXT", `"${"a".repeat(256)}"`, `"${"a".repeat(255)}" "a"`],
    ["TXT", `"b"  "${"a".repeat(511)}" "c"`, `"b"  "${"a".repeat(255)}" "${"a".repeat(255)}" "a" "c"`],
    ["TXT", `"${String.raw`\097`.repeat(256)}"`, `"${String.raw`\097`.repeat(255)}" "${String.raw`\097`}"`],
    ["TXT", `"${String.raw`\"`.repeat(256)}"`, `"${String.raw`\"`.repeat(255)}" "${String.raw`\"`}"`],
    ["TXT", `"${"ü".repeat(128)}b"`, `"${"ü".repeat(127)}${String.raw`\195" "\188`}b"`],
  ];
  for (const [type, content, expected] of cases)
    await t.test(`${type} ${content}`, () => {
      assert.deepEqual(parseRdata(type, { content, priority: null }, zone), { content: expected }, content);
    });
});

test("an MX record has a hostname and a priority", () => {
  assert.deepEqual(parseRdata("MX", { content: "MX1.example.com.", priority: 10 }, zone), {
    content: "mx1.example.com",
    priority: 10,
  });
  assert.deepEqual(parseRdata("MX", { content: ".", priority: 0 }, zone), { content: ".", priority: 0 });
});

test("the priority and data of a type that has none are left out", () => {
  const input = { content: "192.0.2.1", priority: 10, data: { x: 1 } };
  assert.deepEqual(parseRdata("A", input, zone), { content: "192.0.2.1" });
});

test("plain content that does not fit is refused with the code of its type", async (t) => {
  const messages: Readonly<Record<string, readonly [number, string]>> = {
    A: [9005, "Content for A record must be a valid IPv4 address."],
    AAAA: [9006, "Content for AAAA record must be a valid IPv6 address."],
    MX: [
      9009,
      "Change the content of your MX record to be a hostname (and not an IP address). For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/how-to/email-records/#add-mx-records>.",
    ],
  };
  const contents: readonly (readonly [RecordType, readonly unknown[]])[] = [
    ["A", ["1.2.3", "01.2.3.4", "1.2.3.256", "0x7f.1.1.1", "2001:db8::1", "x", 1, {}, true]],
    [
      "AAAA",
      ["1.2.3.4", "::1%eth0", "[::1]", "1::2::3", ":::", "12345::", "::ffff:01.2.3.4", ":".repeat(99)],
    ],
    ["MX", ["192.0.2.1", "10 mx.example.com", "a b", "*.example.com", [], "", undefined]],
    ["CNAME", ["192.0.2.1", "2001:db8::1", ".", "a..b", "*.example.com", "https://example.com/", 1]],
    ["NS", ["192.0.2.1", "192.0.2.1.", "."]],
    ["PTR", ["192.0.2.1", "."]],
    ["OPENPGPKEY", ["abc", "ab==", "a===", "ab=c", "mQEN!"]],
    ["TXT", ['"open', '"a" b', '"a\\"', '"\\300"', "line\nbreak", "nul\0", "\u0085", "\ud800", 1]],
  ];
  for (const [type, list] of contents) {
    const [code, message] = messages[type] ?? [9007, `Content for ${type} record is invalid.`];
    for (const content of list)
      await t.test(`${type} ${JSON.stringify(content)}`, () => {
        const expected = { kind: "invalid", code, message, chain: [{ code, message }], pointer: "/content" };
        assert.throws(
          () => parseRdata(type, { content, priority: 1 }, zone),
          expected,
          `${type} ${String(content)}`,
        );
      });
  }
});

test("blank or absent content is refused with 9011", () => {
  for (const type of ["A", "CNAME", "TXT", "OPENPGPKEY", "CAA"] as const) {
    assert.throws(() => parseRdata(type, { content: " \t" }, zone), { code: 9011, pointer: "/content" });
  }
  for (const content of [undefined, null, ""]) {
    assert.throws(() => parseRdata("A", { content }, zone), { code: 9011, pointer: "/content" });
  }
});

test("an MX record that lacks priority and host is told both", () => {
  assert.throws(
    () => parseRdata("MX", {}, zone),
    (error) => {
      assert.ok(error instanceof AppError);
      const codes = [error, ...error.others].map(({ code, pointer }) => `${code} ${pointer}`);
      assert.deepEqual(codes, ["9100 /priority", "9009 /content"]);
      return true;
    },
  );
});

test("a missing or wrong priority of an MX record is refused at /priority", async (t) => {
  const missing = { code: 9100, message: "priority is a required field.", pointer: "/priority" };
  const wrong = {
    code: 9102,
    message: "priority must be a whole number from 0 to 65535.",
    pointer: "/priority",
  };
  const content = "mx.example.com";
  for (const priority of [undefined, null]) {
    assert.throws(() => parseRdata("MX", { content, priority }, zone), missing);
  }
  for (const priority of [-1, 65536, 1.5, "ten", [], Number.NaN])
    await t.test(String(priority), () => {
      assert.throws(() => parseRdata("MX", { content, priority }, zone), wrong, String(priority));
    });
});

test("4096 octets on the wire are the most, length octets of strings included", async (t) => {
  const tooLong = {
    code: 9015,
    message: "Record content exceeds the allowed length of 4096 wire format bytes.",
    pointer: "/content",
  };
  // 16 strings of 255 octets fill the limit exactly.
  assert.ok(parseRdata("TXT", { content: "a".repeat(16 * 255) }, zone));
  assert.ok(parseRdata("TXT", { content: "ü".repeat(8 * 255) }, zone));
  assert.ok(parseRdata("OPENPGPKEY", { content: "AAAA".repeat(1365) }, zone));
  const refused: readonly (readonly [RecordType, string])[] = [
    ["TXT", "a".repeat(16 * 255 + 1)],
    ["TXT", "ü".repeat(8 * 255 + 1)],
    ["TXT", "a".repeat(1_000_000)],
    ["OPENPGPKEY", "AAAA".repeat(1366)],
    ["A", " ".repeat(1_000_000)],
    ["TLSA", `3 1 0 ${"ab".repeat(4094)}`],
  ];
  for (const [type, content] of refused)
    await t.test(type, () => assert.throws(() => parseRdata(type, { content }, zone), tooLong, type));

  const data = { flags: 0, tag: "issue", value: "a".repeat(4096) };
  assert.throws(() => parseRdata("CAA", { data }, zone), { ...tooLong, pointer: "/data" });
});

test("only public or documentation addresses, those of allowed networks and names of web sites can be proxied", async (t) => {
  const isProxiable = proxiableRule([]);
  const proxiable: readonly (readonly [RecordType, string])[] = [
    ["A", "1.1.1.4"],
    ["A", "192.0.2.1"],
    ["A", "198.51.100.4"],
    ["A", "203.0.113.9"],
    ["AAAA", "2606:4700::1"],
    ["AAAA", "2001:db8::1"],
    ["AAAA", "3fff::1"],
    ["AAAA", "100::"],
    ["CNAME", "example.net"],
    ...["dkim.mcsv.net", "a.dkim2.mcsv.net", "dkim4.mcsv.net", "zoho.com", "a.zmverify.zoho.com"].map(alias),
    ...["infusionmail.com", "amazonses.com", "onmicrosoft.com", "notonmicrosoft.com"].map(alias),
    ...["dkim.intercom.io", "acm-validations.aws", "onmicrosoft.com.example"].map(alias),
  ];
  const others: readonly (readonly [RecordType, string])[] = [
    ...["10.0.0.1", "172.16.0.1", "192.168.0.1", "127.0.0.1", "169.254.1.1", "100.64.0.1"].map(ipv4),
    ...["0.0.0.0", "224.0.0.1", "255.255.255.255", "240.0.0.1", "198.18.0.1"].map(ipv4),
    ...["::", "::1", "fe80::1", "fc00::1", "ff02::1", "::ffff:101:101"].map(ipv6),
    ["MX", "mx.example.com"],
    ["NS", "ns1.example.com"],
    ["TXT", "1.1.1.1"],
    ...["1.1.1.1", "1.0.0.1", "1.1.1.2", "1.0.0.3"].map(ipv4),
    ...["2606:4700:4700::1111", "2606:4700:4700::1001", "2606:4700:4700::1112", "2606:4700:4700::64"].map(
      ipv6,
    ),
    ...["dkim2.mcsv.net", "dkim3.mcsv.net", "zmverify.zoho.com", "dkim.infusionmail.com"].map(alias),
    ...["dkim.amazonses.com", "a.b.dkim.amazonses.com", "x.onmicrosoft.com", "a.dkim.intercom.io"].map(alias),
    ...["_x.acm-validations.aws"].map(alias),
  ];
  for (const [type, content] of proxiable)
    await t.test(`${type} ${content}`, () => assert.ok(isProxiable(type, content), content));
  for (const [type, content] of others)
    await t.test(`${type} ${content}`, () => assert.ok(!isProxiable(type, content), content));

  const isNear = proxiableRule(["10.0.0.0/8", "::1", "169.254.0.0/16", "1.1.1.0/24"]);
  const nearOnes = [ipv4("10.0.0.1"), ipv6("::1"), ipv4("169.254.1.1"), ipv6("100::"), ipv4("1.1.1.1")];
  for (const [type, content] of nearOnes) assert.ok(isNear(type, content), content);
  for (const [type, content] of [ipv4("127.0.0.1"), ipv6("fc00::1"), ipv4("1.0.0.1")])
    assert.ok(!isNear(type, content), content);
});

function ipv4(address: string): readonly [RecordType, string] {
  return ["A", address];
}

function alias(target: string): readonly [RecordType, string] {
  return ["CNAME", target];
}

function ipv6(address: string): readonly [RecordType, string] {
  return ["AAAA", address];
}
