import assert from "node:assert/strict";
import { test } from "node:test";

import { parseSvcParams, svcParamsIdentity, svcParamsOctets } from "./service-binding.ts";

test("service parameters keep their order and get quoted, canonical values", async (t) => {
  const cases: readonly (readonly [string, string])[] = [
    ["", ""],
    ["  ", ""],
    ['alpn="h3,h2" ipv4hint="127.0.0.1" ipv6hint="::1"', 'alpn="h3,h2" ipv4hint="127.0.0.1" ipv6hint="::1"'],
    ["port=8443 \t alpn=h2", 'port="8443" alpn="h2"'],
    ["alpn=h2 no-default-alpn", 'alpn="h2" no-default-alpn=""'],
    ['alpn=h2 no-default-alpn=""', 'alpn="h2" no-default-alpn=""'],
    // RFC 9460 appendix D.2, figures 9 and 10.
    [String.raw`alpn="f\\\\oo\\,bar,h2"`, String.raw`alpn="f\\\\oo\\,bar,h2"`],
    [String.raw`alpn=f\\\092oo\092,bar,h2`, String.raw`alpn="f\\\\oo\\,bar,h2"`],
    ["ipv6hint=2001:DB8:0::1,::2", 'ipv6hint="2001:db8::1,::2"'],
    ["ech=TWFu", 'ech="TWFu"'],
    ["dohpath=/dns-query{?dns}", 'dohpath="/dns-query{?dns}"'],
    ["mandatory=port,alpn alpn=h2 port=1", 'mandatory="alpn,port" alpn="h2" port="1"'],
    [String.raw`key667="a\"b \255"`, String.raw`key667="a\"b \255"`],
    ["key667=", 'key667=""'],
    ["key667=ü", String.raw`key667="\195\188"`],
    ["ohttp", 'ohttp=""'],
  ];
  for (const [text, expected] of cases)
    await t.test(JSON.stringify(text), () => {
      assert.equal(parseSvcParams(text), expected, text);
      assert.equal(parseSvcParams(expected), expected, text);
    });
});

test("parameters that are unknown, repeated, malformed or contradictory are refused", async (t) => {
  const refused = [
    "unknown=1",
    "constructor",
    "ALPN=h2",
    "alpn",
    "alpn=h2,,h3",
    "alpn=h2 alpn=h3",
    String.raw`alpn="a\\b"`,
    String.raw`alpn="a\\"`,
    String.raw`alpn="a\\,,"`,
    "alpn=h2 no-default-alpn=x",
    "no-default-alpn",
    "port=65536",
    "port=x",
    "port",
    "ipv4hint=1.2.3",
    "ipv4hint=::1",
    "ipv6hint=1.2.3.4",
    "ech=!!",
    "dohpath=dns-query{?dns}",
    "dohpath=/dns-query",
    "dohpath=/dns-query{?dns",
    "dohpath=/{?id}/dns/{?name}",
    "mandatory=port",
    "mandatory=mandatory",
    "mandatory=port,port port=1",
    "key1=x",
    "key01=x",
    "key65535=x",
    "key99999=x",
    'alpn="h2',
    'alpn="h2"x',
    "=x",
  ];
  for (const text of refused)
    await t.test(JSON.stringify(text), () => assert.equal(parseSvcParams(text), undefined, text));
});

test("a DoH path whose braces are not closed is refused in linear time", () => {
  const start = performance.now();
  assert.equal(parseSvcParams(`dohpath=/{${"dns,".repeat(100_000)}`), undefined);
  const seconds = (performance.now() - start) / 1000;
  // Far above what linear time needs on a busy machine, far below what quadratic time would take.
  assert.ok(seconds < 20, `${seconds.toFixed(1)} s`);
});

test("the wire length counts a header and the value of every parameter", () => {
  const text = parseSvcParams(
    "alpn=h2,http/1.1 port=1 ipv4hint=1.1.1.1,2.2.2.2 ipv6hint=::1 key667=abc no-default-alpn",
  );
  assert.equal(svcParamsOctets(text ?? ""), 6 * 4 + (3 + 9) + 2 + 8 + 16 + 3);
});

test("parameters in another order are the same parameters", () => {
  assert.equal(svcParamsIdentity('port="1" alpn="h2"'), svcParamsIdentity('alpn="h2" port="1"'));
  assert.notEqual(svcParamsIdentity('alpn="h2,h3"'), svcParamsIdentity('alpn="h3,h2"'));
});
