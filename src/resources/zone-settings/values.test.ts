import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";
import type { ZoneSetting } from "./schema.ts";

onComparedEngines("values of zone settings", (engine) => {
  test("a value that the setting does not have is refused", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    const wrong: [string, unknown][] = [
      ["always_use_https", { value: "yes" }],
      ["always_use_https", { value: true }],
      ["always_use_https", { value: null }],
      ["always_use_https", {}],
      ["browser_cache_ttl", { value: "14400" }],
      ["browser_cache_ttl", { value: 7 }],
      ["cache_level", { value: "bypass" }],
      ["proxy_read_timeout", { value: 0 }],
      ["proxy_read_timeout", { value: "6001" }],
      ["minify", { value: { css: "maybe" } }],
      ["minify", { value: "on" }],
      ["nel", { value: { enabled: "on" } }],
      ["security_header", { value: { strict_transport_security: { max_age: -1 } } }],
      ["mobile_redirect", { value: { mobile_subdomain: "a b" } }],
      ["ciphers", { value: ["AES128-SHA", "AES128-SHA"] }],
      ["ciphers", { value: ["ROT13"] }],
      ["aegis", { value: { pool_id: "x".repeat(65) } }],
      ["aegis", { value: { pool_id: "\0" } }],
      ["aegis", { value: { pool_id: "\ud800" } }],
      ["automatic_platform_optimization", { value: { hostnames: ["not a host"] } }],
    ];
    for (const [id, body] of wrong)
      await t.test(`${id} ${JSON.stringify(body).slice(0, 80)}`, async () => {
        await settings.refuses("PATCH", `/${id}`, body, {
          code: 1007,
          message: `Invalid value for zone setting ${id}`,
          pointer: "/value",
        });
      });
  });

  test("a value that only a higher plan has is refused until the zone has that plan", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings", { plan: "free" });
    const gates: [string, string | number, string][] = [
      ["cname_flattening", "flatten_all", "pro"],
      ["edge_cache_ttl", 3_600, "pro"],
      ["edge_cache_ttl", 1_800, "business"],
      ["edge_cache_ttl", 30, "enterprise"],
      ["max_upload", 200, "business"],
      ["max_upload", 500, "enterprise"],
      ["security_level", "off", "enterprise"],
    ];
    for (const [id, value] of gates) {
      await settings.refuses(
        "PATCH",
        `/${id}`,
        { value },
        {
          code: 1007,
          message: `Invalid value for zone setting ${id}`,
          pointer: "/value",
        },
      );
    }
    for (const [id, value, plan] of gates) {
      await settings.setPlan(plan);
      assert.equal((await settings.result("PATCH", `/${id}`, { value })).value, value);
    }
  });

  test("members of a value that are left out stay, unknown ones are ignored", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    const patch = async (id: string, value: unknown) =>
      ((await settings.result("PATCH", `/${id}`, { value })) as ZoneSetting).value;
    assert.deepEqual(await patch("minify", { css: "on", all: "on" }), { css: "on", html: "off", js: "off" });
    assert.deepEqual(await patch("minify", { js: "on" }), { css: "on", html: "off", js: "on" });
    assert.deepEqual(await patch("security_header", { strict_transport_security: { max_age: 60 } }), {
      strict_transport_security: {
        enabled: false,
        max_age: 60,
        include_subdomains: false,
        preload: false,
        nosniff: false,
      },
    });
    assert.deepEqual(await patch("mobile_redirect", { status: "on", mobile_subdomain: "M" }), {
      status: "on",
      mobile_subdomain: "m",
      strip_uri: false,
    });
    assert.deepEqual(await patch("mobile_redirect", { status: "off", mobile_subdomain: "" }), {
      status: "off",
      mobile_subdomain: null,
      strip_uri: false,
    });
    assert.deepEqual(await patch("ciphers", ["AES128-SHA", "AES256-SHA"]), ["AES128-SHA", "AES256-SHA"]);
    assert.deepEqual(await patch("ciphers", []), []);
  });

  test("proxy_read_timeout is read as number or text and answered as text", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    assert.equal((await settings.result("GET", "/proxy_read_timeout")).value, "100");
    for (const value of [300, "301"]) {
      const answer = await settings.result("PATCH", "/proxy_read_timeout", { value });
      assert.equal(answer.value, String(value));
    }
  });

  test("ssl_recommender is answered as `value` and `enabled`, and changed as either", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    const answer = await settings.send("PATCH", "/ssl_recommender", { enabled: true });
    const shown = (value: boolean) =>
      `{"result":{"id":"ssl_recommender","value":${value},"enabled":${value},"modified_on":"2026`;
    assert.ok(answer.text.startsWith(shown(true)), answer.text);
    const back = await settings.send("PATCH", "/ssl_recommender", { value: false });
    assert.ok(back.text.startsWith(shown(false)), back.text);
    await settings.refuses(
      "PATCH",
      "/ssl_recommender",
      { enabled: "on" },
      {
        code: 1007,
        message: "Invalid value for zone setting ssl_recommender",
        pointer: "/enabled",
      },
    );
  });
});
