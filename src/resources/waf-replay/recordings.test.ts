import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp } from "../../../test/support/harness.ts";
import {
  eventsOf,
  harOf,
  replay,
  reportOf,
  scriptInjection,
  zoneOf,
  type Entry,
} from "../../../test/support/replay-api.ts";
import { storedRows } from "../../../test/support/store.ts";

onEachEngine("recordings that are replayed", (engine) => {
  test("reads an access log, whose clients and hosts are those of its lines", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const line = (client: string, target: string) =>
      `${client} - - [10/Oct/2025:13:55:36 -0700] "GET ${target} HTTP/1.1" 200 2326 "https://a.example/" "curl/8"`;
    const long = "/".padEnd(8_192 - "https://shop.example.com".length + 1, "x");
    const log = [
      "# a line of something else",
      line("203.0.113.9", scriptInjection),
      line("crawler.example", scriptInjection),
      line("203.0.113.9", "http://elsewhere.example/"),
      '203.0.113.9 - - [10/Oct/2025:13:55:36 -0700] "-" 408 0 "-" "-"',
      line("203.0.113.9", long.slice(1).replace("x", "/")),
      line("203.0.113.9", long),
    ].join("\n");
    const report = await reportOf(app, zone.id, log, { host: "shop.example.com" });
    assert.equal(report.format, "combined_log");
    assert.deepEqual(report.requests, { judged: 3, other_hosts: 1, unreadable: 3, decided_earlier: 0 });
    assert.deepEqual(report.unreadable_entries, [
      { entry: 1, reason: "is not in the combined log format" },
      { entry: 5, reason: "holds no HTTP request" },
      { entry: 7, reason: "url must have at most 8192 characters" },
    ]);
    assert.equal(report.acted_on_by_new[0].url, `https://shop.example.com${scriptInjection}`);
    const events = await eventsOf(app, zone.id);
    assert.deepEqual(
      events.map(({ clientIP }) => clientIP),
      ["203.0.113.9", "127.0.0.1"],
    );
  });

  test("a version of HTTP that there is not is read as HTTP/1.1", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const har = harOf({ url: `https://example.com${scriptInjection}` });
    const expected = await reportOf(app, zone.id, har);
    for (const version of ["HTTP/9", "constructor", "__proto__"]) {
      assert.deepEqual(await reportOf(app, zone.id, har.replace("HTTP/1.1", version)), expected, version);
    }
  });

  test("a request for another host may be of any length, one for the zone is skipped above that of a trace", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const url = `https://example.com${scriptInjection}&`.padEnd(8_192, "x");
    const long = {
      url: `https://example.net/${"x".repeat(9_000)}`,
      headers: { "x-long": "x".repeat(9_000) },
    };
    const data = { url: `data:text/plain,${"x".repeat(9_000)}` };
    const report = await reportOf(app, zone.id, harOf({ url }, long, data));
    assert.deepEqual(report.requests, { judged: 1, other_hosts: 2, unreadable: 0, decided_earlier: 0 });

    const cases: readonly (readonly [request: Entry, part: string])[] = [
      [{ url: `${url}x` }, "url"],
      [{ url, headers: { "x-long": "x".repeat(8_193) } }, "headers"],
      [{ url, headers: { ["x".repeat(256)]: "" } }, "headers"],
      [
        {
          url,
          headers: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`x-${n}`, "x".repeat(8_000)])),
        },
        "headers",
      ],
    ];
    for (const [request, part] of cases) {
      const { requests, unreadable_entries } = await reportOf(app, zone.id, harOf({ url }, request));
      assert.deepEqual(requests, { judged: 1, other_hosts: 0, unreadable: 1, decided_earlier: 0 });
      assert.equal(unreadable_entries[0].entry, 2);
      assert.match(unreadable_entries[0].reason, new RegExp(`^${part} must have`));
    }
  });

  test("requests are judged in the order in which they were recorded, each with its time", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const har = JSON.parse(
      harOf(
        ...["/c", "/a", "/b"].map((path) => ({
          url: `https://example.com${path}${scriptInjection.slice(1)}`,
        })),
      ),
    );
    const [c, a, b] = har.log.entries;
    c.startedDateTime = "none";
    a.startedDateTime = "2025-12-31T23:00:00-02:00";
    b.startedDateTime = "2026-01-01T01:00:01Z";
    const report = await reportOf(app, zone.id, JSON.stringify(har));
    assert.deepEqual(
      report.acted_on_by_new.map((request: { url: string; recorded_on: string | null }) => [
        new URL(request.url).pathname,
        request.recorded_on,
      ]),
      [
        ["/a", "2026-01-01T01:00:00.000Z"],
        ["/b", "2026-01-01T01:00:01.000Z"],
        ["/c", null],
      ],
    );
    const paths = (await eventsOf(app, zone.id)).map(({ clientRequestPath }) => clientRequestPath);
    assert.deepEqual([...new Set(paths)], ["/a", "/b", "/c"]);
  });

  test("what cannot be replayed is refused, and nothing is written", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await zoneOf(app);
    const before = await storedRows(app);
    const one = harOf({ url: "https://example.com/" });
    const many = harOf(...Array.from({ length: 10_001 }, () => ({ url: "https://example.com/" })));
    const cases: readonly (readonly [string, number, number, string, Record<string, string>?])[] = [
      ["", 400, 40020, "/file"],
      ["no format", 400, 40020, "/file"],
      ["{", 400, 40021, ""],
      [one.replace('"url"', '"uri"'), 400, 40023, "/file"],
      [harOf({ url: "https://example.net/" }), 400, 40023, "/file"],
      [harOf({ url: "https://notexample.com/" }), 400, 40023, "/file"],
      [harOf(), 400, 40023, "/file"],
      [many, 400, 40024, "/file"],
      [one, 400, 1003, "/host", { host: "example.net" }],
      [one + " ".repeat(16 * 1024 * 1024), 413, 10413, "/file"],
    ];
    for (const [file, status, code, pointer, fields] of cases)
      await t.test(`${pointer} of ${file.slice(0, 60)}`, async () => {
        const answer = await replay(app, zone.id, file, fields);
        const [error] = answer.body.errors;
        assert.deepEqual([answer.status, error?.code, error?.source?.pointer ?? ""], [status, code, pointer]);
      });
    const noForm = await app.request("POST", `/zones/${zone.id}/waf_migration/replay`, { body: {} });
    assert.deepEqual([noForm.status, noForm.body.errors[0]?.code], [400, 1003]);
    assert.deepEqual(await storedRows(app), before);
  });
});
