import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp, type DnsZone } from "../../../test/support/dns-zone.ts";
import { byToken, onEachEngine, type Envelope, type RequestOptions } from "../../../test/support/harness.ts";
import { fieldPart, formRequest, importFile } from "../../../test/support/zone-file-form.ts";

const fileBytesMax = 8 * 1024 * 1024;
const formBytesMax = 64 * 1024;
const good = "www 300 A 192.0.2.1";

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

  test("name the line that is no part of a zone file wherever it stands, and nothing is stored", async (t) => {
    const zone = await createDnsZone(t, app());
    const lines = Array.from({ length: 1_300 }, (_, index) => `host${index} 300 A 192.0.2.1`);
    const issue = "A quoted text has no closing quote.";
    for (const at of [0, 499, 601, 1_299]) {
      const file = lines.with(at, 'host TXT "open').join("\n");
      await refuses(zone, file, 9350, at + 1, issue);
    }
    const file = ["; a comment", "", ...lines.slice(0, 7), "host A ( ; open", "", ""].join("\r\n");
    await refuses(zone, file, 9350, 10, "An opening parenthesis has no closing one.");
  });

  test("say what is wrong with the line", async (t) => {
    const zone = await createDnsZone(t, app());
    const issues: readonly (readonly [line: string, issue: string])[] = [
      ["www 300", "The record has no type."],
      ['www 300 TXT "open', "A quoted text has no closing quote."],
      ["www 300 ( TXT a", "An opening parenthesis has no closing one."],
      ["$INCLUDE other.zone", "$INCLUDE directive not allowed"],
      ["$GENERATE 1-2 a", "$GENERATE is malformed."],
      ["$GENERATE 1-70000 a$ A 192.0.2.1", "$GENERATE makes more than 65536 records or 8388608 characters."],
      ["This is no zone file.", "This is no record: it has no type."],
    ];
    for (const [line, issue] of issues) await refuses(zone, `${good}\n${line}`, 9350, 2, issue);
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
