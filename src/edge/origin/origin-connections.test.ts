import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { OriginPools, poolsMax, type OriginTarget } from "./origin-connections.ts";

function poolsFor(t: TestContext): OriginPools {
  const pools = new OriginPools(
    1_000,
    () => [],
    () => 0,
  );
  t.after(() => pools.close());
  return pools;
}

const target = (accountId: string, name: string, zoneId = "zone"): OriginTarget => ({
  zone: { id: zoneId, accountId },
  address: "192.0.2.1",
  port: 443,
  tls: { serverName: `${name}.example.com`, checksCertificate: false },
});

test("10,000 names of one zone close no pool of another zone or account that holds less than its share", async (t) => {
  const pools = poolsFor(t);
  const [other, sibling] = [target("other", "www"), target("flooding", "www", "sibling")];
  const kept = [other, sibling].map((each) => pools.poolFor(each));
  const first = pools.poolFor(target("flooding", "0"));
  for (let name = 1; name < 10_000; name += 1) pools.poolFor(target("flooding", String(name)));
  assert.equal(pools.size, poolsMax);
  assert.deepEqual(
    [other, sibling].map((each) => pools.poolFor(each)),
    kept,
  );
  assert.notEqual(pools.poolFor(target("flooding", "0")), first);
  await new Promise(setImmediate);
  assert.deepEqual(
    [first, ...kept].map(({ closed }) => closed),
    [true, false, false],
  );
});

test("a pool that is in use stays, and accounts share none", (t) => {
  const pools = poolsFor(t);
  const used = pools.poolFor(target("a", "www"));
  for (let name = 0; name < 2 * poolsMax; name += 1) {
    pools.poolFor(target("a", String(name)));
    assert.equal(pools.poolFor(target("a", "www")), used);
  }
  assert.notEqual(pools.poolFor(target("b", "www")), used);
});

test("zones share no connections to an origin, nor do requests with another server name or check of its certificate", (t) => {
  const pools = poolsFor(t);
  const one = target("account", "www", "one");
  const plain = { ...one, tls: undefined };
  const all = [
    one,
    target("account", "www", "two"),
    target("other", "www", "one"),
    target("account", "shop", "one"),
    { ...one, tls: { serverName: "www.example.com", checksCertificate: true } },
    { ...one, port: 8443 },
    plain,
    { ...plain, zone: { id: "two", accountId: "account" } },
  ];
  assert.equal(new Set(all.map((each) => pools.poolFor(each))).size, all.length);
  assert.equal(pools.poolFor({ ...one }), pools.poolFor(one));
});
