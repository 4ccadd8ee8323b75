import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp, type DnsZone } from "../../../test/support/dns-zone.ts";
import { byToken, onEachEngine, type Envelope, type RequestOptions } from "../../../test/support/harness.ts";
import { fieldPart, formRequest, importFile } from "../../../test/support/zone-file-form.ts";

const fileBytesMax = 8 * 1024 * 1024;
const formBytesMax = 64 * 1024;
const good = "www 300 A 192.0.2.1";
const moreDetails =
  "For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.";

onEachEngine("refusals of importDnsRecords", (engine) => {
  const app = shareApp(engine);

  /** Shows that a file is refused for the error in `line`, and that nothing of it is stored. */
  const refuses = async (zone: DnsZone, file: string, code: number, line: number, issue: string) => {
    const kept = await zone.list();
    const { status, body } = await importFile(app(), zone.id, file);
    const message = `Line ${line}: ${issue}`;
    assert.deepEqual(
      [status, body],
      [
        400,
        {
          result: null,
          success: false,
          errors: [{ code, message, source: { pointer: "/file" }, error_chain: [{ code, message }] }],
          messages: [],
        },
      ],
    );
    assert.deepEqual(await zone.list(), kept);
    assert.equal((await zone.send("GET", "?per_page=1")).body.result_info?.total_count, kept.length);
  };

  test("name a bad line by its number wherever it stands, and nothing is stored", async (t) => {
    const zone = await createDnsZone(t, app());
    const lines = Array.from({ length: 1_300 }, (_, index) => `host${index} 300 A 192.0.2.1`);
    const issue = "Content for A record must be a valid IPv4 address.";
    for (const at of [0, 499, 601, 1_299]) {
      const file = lines.with(at, "host A nowhere").join("\n");
      await refuses(zone, file, 9005, at + 1, issue);
    }
    const file = ["; a comment", "", ...lines.slice(0, 7), "host A (", "nowhere", ")", ""].join("\r\n");
    await refuses(zone, file, 9005, 10, issue);
  });

  test("say what is wrong with the line, with the code of the record's error where it has one", async (t) => {
    const zone = await createDnsZone(t, app());
    const issues: readonly (readonly [line: string, code: number, issue: string])[] = [
      ["www 300 A", 9011, "Content for A record must not be empty."],
      ["www 300 AAAA 192.0.2.1", 9006, "Content for AAAA record must be a valid IPv6 address."],
      ["www 300 MX ten mx", 9102, "priority must be a whole number from 0 to 65535."],
      ["a..b 300 A 192.0.2.1", 9000, "DNS name is invalid."],
      ["www 300 SPF text", 9350, "The record type is unknown or not supported."],
      ["www 300 CH A 192.0.2.1", 9350, "The class of a record can only be IN."],
      ["www 300", 9350, "The record has no type."],
      ["www.example.net. 300 A 192.0.2.1", 9350, "The name is outside of the zone example.com."],
      ['www 300 TXT "open', 9350, "A quoted text has no closing quote."],
      ["www 300 ( TXT a", 9350, "An opening parenthesis has no closing one."],
      ["$INCLUDE other.zone", 9350, "$INCLUDE directive not allowed"],
      ["www 300 TXT a ; cf_tags=:", 9350, "The tags after cf_tags= are malformed."],
      ["www 300 MX 10 mx ; cf_tags=cf-proxied:true", 9041, "This DNS record cannot be proxied."],
    ];
    for (const [line, code, issue] of issues) await refuses(zone, `${good}\n${line}`, code, 2, issue);
  });

  test("keep to the limits of the plan", async (t) => {
    const zone = await createDnsZone(t, app(), "free.example", "free");
    const quota = "exceeding the quota of";
    const comment = "c".repeat(101);
    await refuses(
      zone,
      `${good}\n${good} ; ${comment}`,
      9311,
      2,
      `DNS record comment has 101 characters, ${quota} 100.`,
    );
    await refuses(zone, `${good} ; cf_tags=a:b`, 9300, 1, `DNS record has 1 tags, ${quota} 0.`);
  });

  test("name the record that cannot stand beside one of the zone or of the file", async (t) => {
    const zone = await createDnsZone(t, app());
    await zone.create({ type: "CNAME", name: "alias", content: "example.net" });
    const besideAlias = `A CNAME record with that host already exists. ${moreDetails}`;
    await refuses(zone, `${good}\nalias 300 A 192.0.2.1`, 81054, 2, besideAlias);
    await refuses(zone, `new 300 CNAME example.net.\n${good}\nnew AAAA ::1`, 81054, 3, besideAlias);
    const besideAddress = `An A, AAAA, or CNAME record with that host already exists. ${moreDetails}`;
    const far = Array.from({ length: 700 }, (_, index) => `host${index} 300 A 192.0.2.1`).join("\n");
    await refuses(zone, `${good}\n${far}\nwww 300 CNAME example.net.\n${far}`, 81053, 702, besideAddress);
    await refuses(
      zone,
      `${good}\nwww 300 NS ns.example.net.`,
      81055,
      2,
      `A record with that host already exists, and a delegation stands alone. ${moreDetails}`,
    );
  });

  test("name the first bad line of several, whatever is wrong with them", async (t) => {
    const zone = await createDnsZone(t, app());
    const conflict = "www 300 CNAME example.net.";
    const besideAddress = `An A, AAAA, or CNAME record with that host already exists. ${moreDetails}`;
    await refuses(zone, [good, conflict, "www 300 A nowhere"].join("\n"), 81053, 2, besideAddress);
    await refuses(zone, [good, conflict, "www 300 ("].join("\n"), 81053, 2, besideAddress);
    await refuses(
      zone,
      [good, "www 300 SPF a", conflict].join("\n"),
      9350,
      2,
      "The record type is unknown or not supported.",
    );
  });

  test("bound a file at 8 MiB, and what is above stores nothing", async (t) => {
    const zone = await createDnsZone(t, app());
    const tooLarge = [
      [fileOfBytes(fileBytesMax + 1), `The zone file exceeds ${fileBytesMax} bytes`, "/file"],
      [fileOfBytes(fileBytesMax + formBytesMax), `Request body exceeds ${fileBytesMax + formBytesMax} bytes`],
    ] as const;
    for (const [text, message, pointer] of tooLarge) {
      const { status, body } = await importFile(app(), zone.id, text);
      const source = pointer === undefined ? {} : { source: { pointer } };
      assert.deepEqual([status, body.errors], [413, [{ code: 10413, message, ...source }]]);
      assert.deepEqual(await zone.list(), []);
    }
    const { status, body } = await importFile(app(), zone.id, fileOfBytes(fileBytesMax));
    assert.deepEqual([status, body.result.recs_added], [200, 1]);
  });

  test("are those of what is no form, or has no file", async (t) => {
    const zone = await createDnsZone(t, app());
    const form = { code: 1003, message: "Invalid body: must be multipart/form-data with a field `file`" };
    const file = { code: 1003, message: "Invalid body `file`: is required", source: { pointer: "/file" } };
    const proxied = {
      code: 1003,
      message: "Invalid body `proxied`: must be true or false",
      source: { pointer: "/proxied" },
    };
    const part = fieldPart("file", good, "zone.txt");
    const path = `/zones/${zone.id}/dns_records/import`;
    const cases: readonly (readonly [sent: RequestOptions, error: object])[] = [
      [{}, form],
      [{ body: { file: good } }, form],
      [typed("text/plain", good), form],
      [typed("application/x-www-form-urlencoded", `file=${encodeURIComponent(good)}`), form],
      [typed("multipart/form-data", formRequest([part]).rawBody ?? ""), form],
      [typed("multipart/form-data; boundary=other", formRequest([part]).rawBody ?? ""), form],
      [typed("multipart/mixed; boundary=b", `--b\r\n${part}\r\n--b--\r\n`), form],
      [typed("multipart/form-data; boundary=b", `--b\r\n${part}\r\n`), form],
      [typed("no media type", good), { code: 6003, message: "Invalid request headers" }],
      [formRequest([fieldPart("zone", good)]), file],
      [formRequest([]), file],
      [formRequest([part, fieldPart("proxied", "yes")]), proxied],
    ];
    for (const [sent, error] of cases)
      await t.test(JSON.stringify(error).slice(0, 80), async () => {
        const { status, body, text } = await app().request("POST", path, sent);
        assert.deepEqual([status, body.errors], [400, [error]], text);
      });
    assert.deepEqual(await zone.list(), []);
  });

  test("are those of a file that is no UTF-8, in a comment of it too", async (t) => {
    const zone = await createDnsZone(t, app());
    for (const line of ['t 300 TXT "\u00fc"', "; \u00fc", '\ufffdt 300 TXT "\u00ff"']) {
      const { headers = {}, rawBody = "" } = formRequest([fieldPart("file", `${good}\n${line}`, "zone.txt")]);
      const answer = await fetch(`${app().baseUrl}/zones/${zone.id}/dns_records/import`, {
        method: "POST",
        headers,
        body: Buffer.from(rawBody, "latin1"),
      });
      const { errors } = (await answer.json()) as Envelope;
      const message = "Invalid body `file`: must be UTF-8";
      assert.deepEqual(
        [answer.status, errors],
        [400, [{ code: 1003, message, source: { pointer: "/file" } }]],
      );
    }
    assert.deepEqual(await zone.list(), []);
  });

  test("are those of a zone that does not exist, for an export too", async () => {
    const unknown = "0".repeat(32);
    const exported = await app().request("GET", `/zones/${unknown}/dns_records/export`);
    for (const { status, body } of [await importFile(app(), unknown, good), exported]) {
      assert.deepEqual([status, body.errors], [404, [{ code: 1001, message: "Invalid zone identifier" }]]);
    }
  });
});

/** A good record, and a comment that makes the file so long. */
function fileOfBytes(bytes: number): string {
  return `${good}\n;${"x".repeat(bytes - good.length - 2)}`;
}

function typed(type: string, rawBody: string): RequestOptions {
  return { headers: { ...byToken, "content-type": type }, rawBody };
}
