import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp, type DnsZone } from "../../../test/support/dns-zone.ts";
import { onEachEngine } from "../../../test/support/harness.ts";
import { importFile } from "../../../test/support/zone-file-form.ts";
import type { DnsRecord } from "./schema.ts";

onEachEngine("importDnsRecords", (engine) => {
  const app = shareApp(engine);

  /** Imports a file that is accepted, and answers what the server says of it. */
  const imported = async (zone: DnsZone, file: string, proxied?: string): Promise<unknown> =>
    (await told(zone, file, proxied)).result;

  /** The same with its messages, as `CODE NAME: TEXT`. */
  const told = async (zone: DnsZone, file: string, proxied?: string) => {
    const { status, text, body } = await importFile(app(), zone.id, file, proxied);
    assert.equal(status, 200, text);
    const messages = body.messages as { code: number; message: string }[];
    return { result: body.result, messages: messages.map(({ code, message }) => `${code} ${message}`) };
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

  test("passes over each record that is refused, with a message that names it, and adds the others", async (t) => {
    const zone = await createDnsZone(t, app());
    await zone.create({ type: "CNAME", name: "alias", content: "example.net" });
    const moreDetails =
      "For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.";
    const alias = `A CNAME record with that host already exists. ${moreDetails}`;
    const cases: readonly (readonly [line: string, message: string])[] = [
      ["www 300 A", "9011 www.example.com: Content for A record must not be empty."],
      ["WWW 300 A nowhere", "9005 www.example.com: Content for A record must be a valid IPv4 address."],
      ["www 300 A 192.0.2.7 ; cf_tags=:", "9350 www.example.com: The tags after cf_tags= are malformed."],
      ["www 300 MX ten mx", "9102 www.example.com: priority must be a whole number from 0 to 65535."],
      ["a..b 300 A 192.0.2.1", "9000 a..b.example.com: DNS name is invalid."],
      ["www 300 SPF text", "9002 www.example.com: DNS record type is invalid."],
      ["www 300 HINFO PC Linux", "9002 www.example.com: DNS record type is invalid."],
      ["www 300 RRSIG A 13 3 300 ( 1 1 1 example.com. AA== )", "9002 www.example.com: DNS record type is invalid."],
      ["www 300 CH A 192.0.2.1", "9350 www.example.com: The class of a record can only be IN."],
      ["www.example.net. 300 A 192.0.2.1", "9000 www.example.net: The name is outside of the zone example.com."],
      ["lan A 10.0.0.1 ; cf_tags=cf-proxied:true", "9003 lan.example.com: Target 10.0.0.1 is not allowed for a proxied record."],
      ["mx MX 1 a ; cf_tags=cf-proxied:true", "9004 mx.example.com: This record type cannot be proxied."],
      ["www A 192.0.2.8 ; cf_tags=cf-proxied:true,cf-flatten-cname:x", "9350 www.example.com: The tags after cf_tags= are malformed."],
      [`long TXT${' "x"'.repeat(2049)}`, "9015 long.example.com: Record content exceeds the allowed length of 4096 wire format bytes."],
      ["alias 300 A 192.0.2.1", `81054 alias.example.com: ${alias}`],
      ["www 300 CNAME example.net.", `81053 www.example.com: An A, AAAA, or CNAME record with that host already exists. ${moreDetails}`],
      ["new 300 CNAME example.net.\nnew AAAA ::1", `81054 new.example.com: ${alias}`],
      ["www NS ns.example.net.", "81055 www.example.com: Non-NS records with that host already exists."],
      ["sub NS ns.example.net.\nsub A 192.0.2.1", `81056 sub.example.com: NS records with that host already exist. ${moreDetails}`],
      ["www 60 A 192.0.2.1 ; again", "81058 www.example.com: An identical record already exists."],
    ]; // prettier-ignore
    const lines = ["www 300 A 192.0.2.1", ...cases.map(([line]) => line), "last 300 A 192.0.2.1"];
    const { result, messages } = await told(zone, lines.join("\n"));
    assert.deepEqual(
      messages,
      cases.map(([, message]) => message),
    );
    assert.deepEqual(result, {
      recs_added: 4,
      recs_added_by_type: { A: 2, CNAME: 1, NS: 1 },
      total_records_parsed: 4 + cases.length,
    });
    const names = (await zone.list()).map(({ name }) => name.replace(".example.com", ""));
    assert.deepEqual(names.toSorted(), ["alias", "last", "new", "sub", "www"]);
    const audit = await app().request("GET", `/accounts/${app().owner.accountId}/audit_logs`);
    const entry = audit.body.result.find(
      ({ action }: { action: { type: string } }) => action.type === "rec_import",
    );
    assert.partialDeepStrictEqual(entry.metadata, result);
  });

  test("says the same of a file that a worker reads", async (t) => {
    const zone = await createDnsZone(t, app());
    const lines = Array.from({ length: 1_000 }, (_, index) => `host${index} A 192.0.2.1`);
    const file = [...lines, "bad A x", ...lines.slice(0, 2), "bad SPF x", "host0 CNAME example.net."].join(
      "\n",
    );
    const { result, messages } = await told(zone, file);
    assert.equal((result as { recs_added: number }).recs_added, 1_000);
    assert.deepEqual(
      messages.map((message) => message.split(":")[0]),
      [
        "9005 bad.example.com",
        "81058 host0.example.com",
        "81058 host1.example.com",
        "9002 bad.example.com",
        "81053 host0.example.com",
      ],
    );
  });

  test("names 10,000 records that are refused, and counts the others", async (t) => {
    const zone = await createDnsZone(t, app());
    const file = Array.from({ length: 10_003 }, (_, index) => `host${index} SPF x`).join("\n");
    const { result, messages } = await told(zone, file);
    assert.deepEqual(result, { recs_added: 0, recs_added_by_type: {}, total_records_parsed: 10_003 });
    assert.equal(messages.length, 10_001);
    assert.equal(messages.at(-1), "9350 3 more records were not added.");
  });

  test("keeps to the limits of the plan", async (t) => {
    const zone = await createDnsZone(t, app(), "free.example", "free");
    const file = `a A 192.0.2.1 ; ${"c".repeat(101)}\nb A 192.0.2.1 ; cf_tags=a:b\nc A 192.0.2.1 ; ${"c".repeat(100)}`;
    const { result, messages } = await told(zone, file);
    assert.equal((result as { recs_added: number }).recs_added, 1);
    assert.deepEqual(messages, [
      "9313 a.free.example: DNS record comment exceeds the maximum length of 100 characters.",
      "9300 b.free.example: DNS record has 1 tags, exceeding the quota of 0.",
    ]);
  });

  test("adds what $GENERATE makes", async (t) => {
    const zone = await createDnsZone(t, app());
    const { result, messages } = await told(zone, "$GENERATE 1-300/3 host-${0,3} 300 IN A 10.0.${0,1,d}.1\n");
    assert.deepEqual(result, { recs_added: 85, recs_added_by_type: { A: 85 }, total_records_parsed: 100 });
    assert.equal(
      messages[0],
      "9005 host-256.example.com: Content for A record must be a valid IPv4 address.",
    );
    const names = (await zone.list()).map(({ name }) => name).toSorted();
    assert.deepEqual(names.slice(0, 2), ["host-001.example.com", "host-004.example.com"]);
  });

  test("cuts texts as other changes do, and knows the limit of all texts of a name", async (t) => {
    const zone = await createDnsZone(t, app());
    const long = "x".repeat(1_000);
    const lines = Array.from({ length: 9 }, (_, index) => `long TXT "${index}${long}"`);
    const { messages } = await told(zone, lines.join("\n"));
    const limit =
      "Combined content length of records with this name and type must not exceed 8192 characters.";
    assert.deepEqual(messages, [`83011 long.example.com: ${limit}`]);
    const first = (await zone.list()).find(({ content }) => content.startsWith('"0'));
    assert.equal(
      first?.content,
      `"${`0${long}`.slice(0, 255)}" "${"x".repeat(255)}" "${"x".repeat(255)}" "${"x".repeat(236)}"`,
    );
    const again = await told(zone, 'long TXT "9"');
    assert.deepEqual(again.messages, []);
    assert.deepEqual((await told(zone, `long TXT "10${"x".repeat(100)}"`)).messages, [
      `83011 long.example.com: ${limit}`,
    ]);
  });

  test("takes 700 records of one name, knows each of them again, and what cannot stand beside them", async (t) => {
    const zone = await createDnsZone(t, app());
    const addresses = Array.from({ length: 700 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const lines = addresses.map((address) => `www A ${address}`);
    const { result, messages } = await told(zone, [...lines, "www CNAME other", ...lines].join("\n"));
    assert.deepEqual(result, {
      recs_added: 700,
      recs_added_by_type: { A: 700 },
      total_records_parsed: 1_401,
    });
    const codes = messages.map((message) => message.split(" ")[0]);
    assert.deepEqual(codes, ["81053", ...lines.map(() => "81058")]);
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
