import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp, type DnsZone } from "../../../test/support/dns-zone.ts";
import { onEachEngine } from "../../../test/support/harness.ts";
import { importFile } from "../../../test/support/zone-file-form.ts";
import type { DnsRecord } from "./schema.ts";

onEachEngine("importDnsRecords", (engine) => {
  const app = shareApp(engine);

  /** Imports a file that is accepted, and answers what the server says of it. */
  const imported = async (zone: DnsZone, file: string, proxied?: string): Promise<unknown> => {
    const { status, text, body } = await importFile(app(), zone.id, file, proxied);
    assert.equal(status, 200, text);
    return body.result;
  };

  test("adds the records of a file in all the forms of RFC 1035, and says how many of each type", async (t) => {
    const zone = await createDnsZone(t, app());
    const file = [
      "; a comment alone",
      "$TTL 1h30m",
      "$ORIGIN example.com.",
      "@\tIN\tSOA\tns1 hostmaster (",
      "\t2024010101 ; serial",
      "\t1d 2h 4w 1h )",
      "\tIN NS ns1.elsewhere.example.",
      "@ 300 IN MX 10 mail",
      "  MX 20 mx.example.net.",
      "mail A 192.0.2.1",
      "     IN 60 AAAA 2001:DB8::1",
      'text TXT "one \\"string\\"" "and another\\059"',
      "$ORIGIN sub",
      "@ CNAME other.example.net.",
      "www CNAME example.com.",
      "$ORIGIN example.com.",
      "_sip._tcp 120 SRV 1 2 5060 sip.sub",
      "",
    ].join("\r\n");
    const answer = await imported(zone, `\ufeff${file}`);
    assert.deepEqual(answer, {
      recs_added: 8,
      recs_added_by_type: { A: 1, AAAA: 1, CNAME: 2, MX: 2, SRV: 1, TXT: 1 },
      total_records_parsed: 10,
    });
    assert.deepEqual((await zone.list({ order: "name" })).map(shown).toSorted(), [
      "_sip._tcp.example.com 120 SRV 1 2 5060 sip.sub.example.com",
      "example.com 300 MX 10 mail.example.com",
      "example.com 5400 MX 20 mx.example.net",
      "mail.example.com 5400 A 192.0.2.1",
      "mail.example.com 60 AAAA 2001:db8::1",
      "sub.example.com 5400 CNAME other.example.net",
      'text.example.com 5400 TXT "one \\"string\\"" "and another\\059"',
      "www.sub.example.com 5400 CNAME example.com",
    ]);
    assert.equal((await zone.send("GET", "?per_page=1")).body.result_info?.total_count, 8);
  });

  test("passes over SOA and the NS records of the apex, which are the zone's own, and counts them as parsed", async (t) => {
    const zone = await createDnsZone(t, app());
    const file = [
      "example.com. 3600 IN SOA ns.example.net. dns.example.net. 1 2 3 4 5",
      "example.com. 86400 IN NS ns1.example.net.",
      "example.com. 86400 IN NS ns2.example.net.",
      "below.example.com. 86400 IN NS ns1.example.net.",
      "",
    ].join("\n");
    assert.deepEqual(await imported(zone, file), {
      recs_added: 1,
      recs_added_by_type: { NS: 1 },
      total_records_parsed: 4,
    });
    assert.deepEqual((await zone.list()).map(shown), ["below.example.com 86400 NS ns1.example.net"]);
  });

  test("passes over what the zone or the file has already, whatever else is said of it", async (t) => {
    const zone = await createDnsZone(t, app());
    const kept = await zone.create({
      type: "A",
      name: "www",
      content: "192.0.2.1",
      ttl: 600,
      comment: "mine",
    });
    const file = [
      "www 300 A 192.0.2.1 ; another comment",
      "WWW.example.com. 60 A 192.0.2.1",
      "www 300 A 192.0.2.2",
      "www 300 A 192.0.2.2",
      "v6 AAAA 2001:db8::1",
      "v6 AAAA 2001:DB8:0:0::1",
      "",
    ].join("\n");
    const parsed = { total_records_parsed: 6 };
    assert.deepEqual(await imported(zone, file), {
      recs_added: 2,
      recs_added_by_type: { A: 1, AAAA: 1 },
      ...parsed,
    });
    assert.deepEqual(await imported(zone, file), { recs_added: 0, recs_added_by_type: {}, ...parsed });
    const records = await zone.list();
    assert.equal(records.length, 3);
    assert.deepEqual(
      records.find(({ id }) => id === kept.id),
      kept,
    );
  });

  test("brings a TTL within the bounds of the plan, and 1 or none is automatic", async (t) => {
    const ttls = [undefined, 0, 1, 2, 29, 30, 60, 3600, 86_400, 86_401, 2 ** 31 - 1];
    const file = ttls.map((ttl, index) => `r${index} ${ttl ?? ""} TXT a`).join("\n");
    const expected = { enterprise: 30, free: 60 };
    for (const [plan, least] of Object.entries(expected)) {
      const zone = await createDnsZone(t, app(), `${plan}.example`, plan === "free" ? plan : undefined);
      // The first record states none, and no other one went before it.
      await imported(zone, file);
      const byName = new Map((await zone.list()).map(({ name, ttl }) => [name, ttl]));
      assert.deepEqual(
        ttls.map((_, index) => byName.get(`r${index}.${zone.name}`)),
        [1, least, 1, least, least, Math.max(30, least), 60, 3600, 86_400, 86_400, 86_400],
      );
    }
  });

  test("proxies what can be where the field `proxied` says so, unless the file says otherwise", async (t) => {
    const file = [
      "a 300 A 192.0.2.1",
      "private 300 A 10.0.0.1",
      "text 300 TXT a",
      "off 300 A 192.0.2.2 ; cf_tags=cf-proxied:false",
      "on 300 A 192.0.2.3 ; cf_tags=cf-proxied:true",
      "",
    ].join("\n");
    const fields = [
      ["true", "a 1, on 1"],
      ["True", "a 1, on 1"],
      ["false", "on 1"],
      ["", "on 1"],
      [undefined, "on 1"],
    ] as const;
    for (const [index, [field, expected]] of fields.entries()) {
      const zone = await createDnsZone(t, app(), `zone${index}.example`);
      await imported(zone, file, field);
      const proxied = (await zone.list({ order: "name" })).filter((record) => record.proxied);
      assert.equal(proxied.map(({ name, ttl }) => `${name.split(".")[0]} ${ttl}`).join(", "), expected);
    }
  });

  test("takes 5,000 records of one name, knows each of them again, and what cannot stand beside them", async (t) => {
    const zone = await createDnsZone(t, app());
    const addresses = Array.from({ length: 5_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const lines = addresses.map((address) => `www A ${address}`);
    const { status, body } = await importFile(app(), zone.id, [...lines, "www CNAME other"].join("\n"));
    assert.deepEqual([status, body.errors[0]?.code], [400, 81053]);
    assert.match(body.errors[0]?.message ?? "", /^Line 5001: /);
    assert.deepEqual(await imported(zone, [...lines, ...lines].join("\n")), {
      recs_added: 5_000,
      recs_added_by_type: { A: 5_000 },
      total_records_parsed: 10_000,
    });
  });

  test("takes 5,000 records in one file, and none of them again", async (t) => {
    const zone = await createDnsZone(t, app());
    const lines = Array.from({ length: 5_000 }, (_, index) => `host${index} 300 IN TXT "text ${index}"`);
    const counts = { recs_added: 5_000, recs_added_by_type: { TXT: 5_000 }, total_records_parsed: 5_000 };
    assert.deepEqual(await imported(zone, lines.join("\n")), counts);
    const records = await zone.list();
    assert.deepEqual(
      records.map(({ name }) => name).toSorted(),
      lines.map((_, index) => `host${index}.example.com`).toSorted(),
    );
    const exported = await zone.send("GET", "/export");
    assert.equal(exported.text.match(/^host\d+\.example\.com\.\t300\tIN\tTXT\t/gm)?.length, 5_000);
    const again = { recs_added: 0, recs_added_by_type: {}, total_records_parsed: 5_000 + 3 };
    assert.deepEqual(await imported(zone, exported.text), again);
  });
});

function shown({ name, ttl, type, priority, content }: DnsRecord): string {
  return [name, ttl, type, priority, content].filter((part) => part !== undefined).join(" ");
}
