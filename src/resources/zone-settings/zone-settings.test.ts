import assert from "node:assert/strict";
import { test } from "node:test";

import { Ajv } from "ajv";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { addAccount, addZone, besideServer } from "../../../test/support/store.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";
import { catalogue } from "../../core/zone-settings/catalogue.ts";
import { ZoneSetting } from "./schema.ts";

const later = "2026-01-02T03:04:06.678000Z";
const notEditableOnFree = [
  "advanced_ddos",
  "aegis",
  "automatic_platform_optimization",
  "china_network_enabled",
  "filter_logs_to_cloudflare",
  "h2_prioritization",
  "http2",
  "image_resizing",
  "log_to_cloudflare",
  "long_lived_grpc",
  "mirage",
  "orange_to_orange",
  "origin_error_page_pass_thru",
  "polish",
  "prefetch_preload",
  "proxy_read_timeout",
  "response_buffering",
  "sort_query_string_for_cache",
  "tls_client_auth",
  "true_client_ip_header",
  "visitor_ip",
  "waf",
  "webp",
];

const fitsReference = new Ajv({ validateFormats: false }).compile(ZoneSetting);

onComparedEngines("zone settings", (engine) => {
  test("listZoneSettings answers every setting once, by name, as it was never changed", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    const answer = await settings.send("GET");
    const list = answer.body.result as ZoneSetting[];
    assert.deepEqual(
      list.map(({ id }) => id),
      [...catalogue.keys()],
    );
    assert.ok(list.every(({ modified_on }) => modified_on === null));
    assert.ok(list.every(({ value }) => value !== undefined));
    for (const setting of list) assert.ok(fitsReference(setting), JSON.stringify(setting));
    assert.equal(answer.body.result_info, undefined);
    assert.ok(answer.text.includes('{"id":"waf","value":"off","modified_on":null,"editable":true}'));
    for (const setting of list) assert.deepEqual(await settings.result("GET", `/${setting.id}`), setting);
  });

  test("the plan says which settings can be changed and with what some begin", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    const fixed = async () =>
      ((await settings.result("GET")) as ZoneSetting[]).flatMap(({ id, editable }) => (editable ? [] : id));
    const initial = async () =>
      Promise.all(
        ["advanced_ddos", "max_upload", "origin_max_http_version"].map(
          async (id) => ((await settings.result("GET", `/${id}`)) as ZoneSetting).value,
        ),
      );
    assert.deepEqual(await fixed(), ["advanced_ddos"]);
    assert.deepEqual(await initial(), ["on", 500, "1"]);
    await settings.setPlan("free");
    assert.deepEqual(await fixed(), notEditableOnFree);
    assert.deepEqual(await initial(), ["off", 100, "2"]);
  });

  test("editZoneSetting keeps the value and when it was changed, through a restart", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    app.advance(1_000);
    const changed = { id: "browser_cache_ttl", value: 0, modified_on: later, editable: true };
    assert.deepEqual(await settings.result("PATCH", "/browser_cache_ttl", { value: 0 }), changed);
    app.advance(1_000);
    await app.restart();
    assert.deepEqual(await settings.result("GET", "/browser_cache_ttl"), changed);
    assert.deepEqual(await settings.result("PATCH", "/browser_cache_ttl", { value: 0 }), changed);
    const rows = await besideServer(app, (tx) => tx.selectFrom("zone_settings").selectAll().execute());
    assert.deepEqual(
      rows.map(({ setting }) => setting),
      ["browser_cache_ttl"],
    );
  });

  test("a setting of any other name does not exist, and a name of another form is not routed", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    await settings.refuses("GET", "/bot_fight_mode", undefined, {
      code: 1003,
      message: "Undefined zone setting: bot_fight_mode",
    });
    for (const id of ["bot_fight_mode", "constructor"]) {
      await settings.refuses(
        "PATCH",
        `/${id}`,
        { value: "on" },
        {
          code: 1006,
          message: `Unrecognized zone setting name: ${id}`,
        },
      );
    }
    await settings.refuses("GET", "/Brotli", undefined, {
      status: 404,
      code: 7003,
      message: `Could not route to /client/v4/zones/${settings.zoneId}/settings/Brotli, perhaps your object identifier is invalid?`,
    });
  });

  test("a setting that the plan fixes cannot be changed, and keeps its value when the plan falls", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings", { plan: "free" });
    const refusal = { code: 1015, message: "Not allowed to edit setting for waf" };
    await settings.refuses("PATCH", "/waf", { value: "on" }, refusal);
    await settings.setPlan("pro");
    assert.equal((await settings.result("PATCH", "/waf", { value: "on" })).value, "on");
    await settings.setPlan("free");
    const { value, editable } = await settings.result("GET", "/waf");
    assert.deepEqual({ value, editable }, { value: "on", editable: false });
    await settings.refuses("PATCH", "/waf", { value: "off" }, refusal);
  });

  test("editZoneSettings changes all of its items in order and answers all settings", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    // The form in which the older Go client sends them.
    const items = [
      { id: "always_online", editable: false, value: "off", time_remaining: 0 },
      { id: "minify", editable: false, value: { css: "on", html: "on", js: "on" }, time_remaining: 0 },
      { id: "ssl_recommender", enabled: true },
      { id: "ssl", value: "full" },
      { id: "ssl", value: "strict" },
    ];
    const answered = (await settings.result("PATCH", "", { items })) as ZoneSetting[];
    assert.deepEqual(await settings.result("GET"), answered);
    const changed = answered.filter(({ modified_on }) => modified_on !== null);
    assert.deepEqual(
      changed.map(({ id, value, enabled }) => [id, value ?? enabled]),
      [
        ["always_online", "off"],
        ["minify", { css: "on", html: "on", js: "on" }],
        ["ssl", "strict"],
        ["ssl_recommender", true],
      ],
    );
  });

  test("editZoneSettings changes nothing when one item is refused, and says which", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    const good = { id: "brotli", value: "on" };
    await settings.refuses(
      "PATCH",
      "",
      { items: [good, { id: "ssl", value: "best" }] },
      {
        code: 1007,
        message: "Invalid value for zone setting ssl",
        pointer: "/items/1/value",
      },
    );
    await settings.refuses(
      "PATCH",
      "",
      { items: [good, { id: "railgun", value: "on" }] },
      {
        code: 1006,
        message: "Unrecognized zone setting name: railgun",
        pointer: "/items/1",
      },
    );
    await settings.refuses(
      "PATCH",
      "",
      { items: [good, { id: "advanced_ddos", value: "off" }] },
      {
        code: 1015,
        message: "Not allowed to edit setting for advanced_ddos",
        pointer: "/items/1",
      },
    );
    await settings.refuses(
      "PATCH",
      "",
      { ssl: "full" },
      {
        code: 1004,
        message: "Missing 'items'",
        pointer: "/items",
      },
    );
  });

  test("the settings of somebody else's zone are not found", async (t) => {
    const app = await startTestApp(t, engine);
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Foreign") });
    const requests: [string, string, object?][] = [
      ["GET", ""],
      ["PATCH", "", { items: [{ id: "brotli", value: "on" }] }],
      ["GET", "/brotli"],
      ["PATCH", "/brotli", { value: "on" }],
    ];
    for (const [method, path, body] of requests) {
      const answer = await app.request(method, `/zones/${foreign}/settings${path}`, { body });
      assert.equal(answer.status, 404, `${method} ${path}`);
      assert.deepEqual(answer.body.errors, [{ code: 1001, message: "Invalid zone identifier" }]);
    }
    const rows = await besideServer(app, (tx) => tx.selectFrom("zone_settings").selectAll().execute());
    assert.deepEqual(rows, []);
  });

  test("the settings go with their zone", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    await settings.result("PATCH", "/brotli", { value: "on" });
    await app.request("DELETE", `/zones/${settings.zoneId}`);
    const again = await createZonePart(app, "settings");
    assert.equal((await again.result("GET", "/brotli")).value, "off");
    const rows = await besideServer(app, (tx) => tx.selectFrom("zone_settings").selectAll().execute());
    assert.deepEqual(rows, []);
  });
});
