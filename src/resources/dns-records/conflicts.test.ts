import assert from "node:assert/strict";
import { test } from "node:test";

import { pino } from "pino";

import { createDnsZone, shareApp, type Refusal } from "../../../test/support/dns-zone.ts";
import { byToken, onEachEngine, type TestAnswer } from "../../../test/support/harness.ts";
import { startApp } from "../../server/app.ts";

const details =
  "For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.";
const identical: Refusal = {
  code: 81058,
  message: "An identical record already exists.",
  pointer: "/content",
};
const addressOrAlias: Refusal = {
  code: 81053,
  message: `An A, AAAA, or CNAME record with that host already exists. ${details}`,
  pointer: "/name",
};
const alias: Refusal = {
  code: 81054,
  message: `A CNAME record with that host already exists. ${details}`,
  pointer: "/name",
};
const besideDelegation: Refusal = {
  code: 81055,
  message: "Non-NS records with that host already exists.",
  pointer: "/name",
};
const delegated: Refusal = {
  code: 81056,
  message: `NS records with that host already exist. ${details}`,
  pointer: "/name",
};

const a = { type: "A", content: "192.0.2.1" };
const aaaa = { type: "AAAA", content: "2001:db8::1" };
const cname = { type: "CNAME", content: "target.example.net" };
const ns = { type: "NS", content: "ns1.example.net" };
const txt = { type: "TXT", content: "a text" };
const mx = { type: "MX", content: "mx.example.net", priority: 10 };
const ds = { type: "DS", content: `1 13 2 ${"ab".repeat(32)}` };
const srv = { type: "SRV", data: { priority: 1, weight: 2, port: 3, target: "sip.example.net" } };
const caa = { type: "CAA", data: { flags: 0, tag: "issue", value: "ca.example.net" } };

/** Records that cannot stand beside each other at one name, the existing one first. */
const conflicts = [
  { existing: a, added: cname, refusal: addressOrAlias },
  { existing: aaaa, added: cname, refusal: addressOrAlias },
  { existing: cname, added: { ...cname, content: "other.example.net" }, refusal: addressOrAlias },
  { existing: cname, added: a, refusal: alias },
  { existing: cname, added: aaaa, refusal: alias },
  { existing: a, added: ns, refusal: besideDelegation },
  { existing: txt, added: ns, refusal: besideDelegation },
  { existing: cname, added: ns, refusal: besideDelegation },
  { existing: ns, added: a, refusal: delegated },
  { existing: ns, added: txt, refusal: delegated },
  { existing: ns, added: cname, refusal: delegated },
];

/** The same record said in two ways. */
const identicals = [
  [a, { ...a, ttl: 300, proxied: true, comment: "another", tags: ["a:b"] }],
  [aaaa, { ...aaaa, content: "2001:0DB8:0::1" }],
  [cname, { ...cname, content: "Target.Example.NET." }],
  [mx, { ...mx, content: "MX.example.net." }],
  [txt, { ...txt, content: '"a text"' }],
  [srv, { type: "SRV", content: "2\t3 sip.example.net.", priority: 1 }],
  [caa, { type: "CAA", content: '0 ISSUE "ca.example.net"' }],
] as const;

/** Records that may share a name. */
const companions = [
  [a, { ...a, content: "192.0.2.2" }],
  [a, aaaa],
  [a, txt],
  [cname, txt],
  [mx, { ...mx, priority: 20 }],
  [txt, { ...txt, content: "A text" }],
  [txt, { ...txt, content: "a text " }],
  [ns, { ...ns, content: "ns2.example.net" }],
  [ns, ds],
] as const;

onEachEngine("DNS records that cannot stand beside each other", (engine) => {
  const app = shareApp(engine);

  test("the second is refused: created, replaced, renamed or in a batch", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const [index, { existing, added, refusal }] of conflicts.entries()) {
      assert.match(refusal.message, /already exist/);
      const name = `host${index}`;
      await zone.create({ ...existing, name });
      await zone.refuses("POST", "", { ...added, name: `${name.toUpperCase()}.example.com.` }, refusal);
      const moved = await zone.create({ ...added, name: `elsewhere${index}` });
      await zone.refuses("PUT", `/${moved.id}`, { ...added, name }, refusal);
      await zone.refuses("PATCH", `/${moved.id}`, { name }, refusal);
      await zone.refuses(
        "POST",
        "/batch",
        { patches: [{ id: moved.id, name }] },
        {
          ...refusal,
          pointer: "/patches/0/name",
        },
      );
    }
  });

  test("the same record is refused however it is said, and may change itself", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const [index, [first, second]] of identicals.entries()) {
      const name = `host${index}`;
      const { id } = await zone.create({ ...first, name });
      await zone.refuses("POST", "", { ...second, name }, identical);
      const { id: movedId } = await zone.create({ ...first, name: `elsewhere${index}` });
      await zone.refuses("PUT", `/${movedId}`, { ...second, name }, identical);
      await zone.refuses("PATCH", `/${movedId}`, { name }, identical);
      assert.equal((await zone.send("PUT", `/${id}`, { ...second, name })).status, 200);
      assert.equal((await zone.send("PATCH", `/${id}`, { ttl: 600 })).status, 200);
    }
  });

  test("others share a name, and the apex has NS records beside anything", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const [index, pair] of companions.entries()) {
      for (const record of pair) await zone.create({ ...record, name: `host${index}` });
      for (const record of pair.toReversed()) await zone.create({ ...record, name: `turned${index}` });
    }
    for (const record of [ns, a, mx, txt, caa]) await zone.create({ ...record, name: "@" });
    await zone.create({ ...ns, content: "ns2.example.net", name: "@" });
    await zone.refuses("POST", "", { ...cname, name: "@" }, addressOrAlias);
  });

  test("another zone or another name is no conflict", async (t) => {
    const zone = await createDnsZone(t, app());
    const other = await createDnsZone(t, app(), "sub.example.com");
    await zone.create({ ...a, name: "www.sub" });
    await other.create({ ...a, name: "www" });
    await other.create({ ...a, name: "www.www" });
    const { id } = await zone.create({ ...cname, name: "alias" });
    assert.equal((await zone.send("DELETE", `/${id}`)).status, 200);
    await zone.create({ ...a, name: "alias" });
  });

  test("of ten identical creates at the same instant exactly one wins", async (t) => {
    const zone = await createDnsZone(t, app());
    const body = { ...a, name: "www" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => zone.send("POST", "", body)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const lost = answers.filter(({ status }) => status !== 200);
    assert.equal(lost.length, 9);
    for (const answer of lost) assert.deepEqual(outcomeOf(answer), [400, identical.code]);
    assert.equal((await zone.list()).length, 1);
  });

  test("of a CNAME and an A record at the same instant exactly one wins", async (t) => {
    const zone = await createDnsZone(t, app());
    for (let round = 0; round < 10; round += 1) {
      const name = `host${round}`;
      const answers = await Promise.all([cname, a].map((body) => zone.send("POST", "", { ...body, name })));
      const winners = answers.filter(({ status }) => status === 200);
      const [lost] = answers.filter(({ status }) => status !== 200).map(outcomeOf);
      assert.equal(winners.length, 1);
      const code = winners[0]?.body.result.type === "A" ? addressOrAlias.code : alias.code;
      assert.deepEqual(lost, [400, code]);
      assert.equal((await zone.list({ name: `${name}.example.com` })).length, 1);
    }
  });

  test("exactly one wins also when two servers share the store", async (t) => {
    const zone = await createDnsZone(t, app());
    const second = await startApp(app().config, { logger: pino({ level: "silent" }) });
    t.after(() => second.close());
    const create = async (baseUrl: string, body: object): Promise<number> => {
      const response = await fetch(`${baseUrl}/zones/${zone.id}/dns_records`, {
        method: "POST",
        headers: byToken,
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      return response.status;
    };
    const baseUrls = [app().baseUrl, second.baseUrl, app().baseUrl, second.baseUrl];
    const statuses = await Promise.all(
      baseUrls.flatMap((baseUrl) => [a, cname].map((body) => create(baseUrl, { ...body, name: "www" }))),
    );
    assert.deepEqual(
      statuses.filter((status) => status !== 400),
      [200],
    );
    assert.equal((await zone.list()).length, 1);
    assert.equal((await zone.send("GET", "")).body.result_info?.total_count, 1);
  });
});

function outcomeOf({ status, body }: TestAnswer): [number, number | undefined] {
  return [status, body.errors[0]?.code];
}
