import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";

const unknownHost = { host: "www.example.net" };

onComparedEngines("errors of the edge", (engine) => {
  test("take the form that the client likes best", async (t) => {
    const { visit } = await startEdgeApp(t, engine, await startOrigin(t));
    const forms: readonly (readonly [accept: string | undefined, contentType: string])[] = [
      [undefined, "text/html; charset=UTF-8"],
      ["*/*", "text/html; charset=UTF-8"],
      ["image/png", "text/html; charset=UTF-8"],
      ["constructor", "text/html; charset=UTF-8"],
      [
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8",
        "text/html; charset=UTF-8",
      ],
      ["application/json, text/plain, */*", "application/json; charset=utf-8"],
      ["application/problem+json", "application/problem+json; charset=utf-8"],
      ["application/json, text/markdown;q=0.9", "application/json; charset=utf-8"],
      ["application/json;q=0, text/html;q=0.1", "text/html; charset=UTF-8"],
      ["text/markdown, application/json", "text/markdown; charset=utf-8"],
      ["text/*", "text/markdown; charset=utf-8"],
      ["text/plain", "text/plain; charset=UTF-8"],
      ["application/xml", "application/xml; charset=utf-8"],
      ["text/html;q=0.5, text/xml", "text/xml; charset=utf-8"],
    ];
    for (const [accept, contentType] of forms) {
      const headers = accept === undefined ? {} : { accept };
      const { status, headers: answered } = await visit("/", { ...unknownHost, headers });
      assert.deepEqual([status, answered["content-type"]], [409, contentType], accept);
    }
  });

  test("tell programs what went wrong, whether to try again, and who has to act", async (t) => {
    const { visit } = await startEdgeApp(t, engine, await startOrigin(t));
    const said = async (accept: string) => {
      const { text, headers } = await visit("/", { ...unknownHost, headers: { accept } });
      const ray = String(headers["cf-ray"]).split("-")[0] ?? "";
      return { ray, text: text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME").replaceAll(ray, "RAY") };
    };
    const json = await said("application/json");
    assert.match(json.ray, /^[0-9a-f]{16}$/);
    assert.deepEqual(JSON.parse(json.text), {
      type: "about:blank",
      title: "Error 1001: This host is not served here",
      status: 409,
      detail: "No active zone has a proxied record with this name.",
      instance: "RAY",
      error_code: 1001,
      error_name: "dns_resolution_error",
      error_category: "dns",
      ray_id: "RAY",
      timestamp: "TIME",
      zone: "www.example.net",
      cloudflare_error: true,
      retryable: false,
      owner_action_required: true,
      what_you_should_do:
        "Repeating the request does not help until the owner of the site changes its DNS records.",
      footer: "The edge made this response on behalf of the owner of the site.",
    });
    assert.equal(
      (await said("text/markdown")).text,
      `---
error_code: 1001
error_name: dns_resolution_error
error_category: dns
status: 409
ray_id: RAY
timestamp: TIME
zone: www.example.net
cloudflare_error: true
retryable: false
owner_action_required: true
---

# Error 1001: This host is not served here

## What Happened

No active zone has a proxied record with this name.

## What You Should Do

Repeating the request does not help until the owner of the site changes its DNS records.

---

The edge made this response on behalf of the owner of the site.
`,
    );
    const xml = (await said("application/xml")).text;
    assert.ok(
      xml.startsWith(
        '<?xml version="1.0" encoding="UTF-8"?>\n<problem xmlns="urn:ietf:rfc:7807">\n  <type>about:blank</type>',
      ),
      xml,
    );
    assert.ok(xml.includes("<error_code>1001</error_code>") && xml.endsWith("</problem>\n"), xml);
  });

  test("have the number of what bans the visitor", async (t) => {
    const { visit, change, untilStatus } = await startEdgeApp(t, engine, await startOrigin(t));
    const configuration = { target: "ip", value: "127.0.0.1" };
    await change("POST", "/firewall/access_rules/rules", { mode: "block", configuration });
    await untilStatus("/", 403);
    const { text } = await visit("/", { headers: { accept: "application/json" } });
    const { error_code, error_name, error_category, owner_action_required } = JSON.parse(text);
    assert.deepEqual(
      [error_code, error_name, error_category, owner_action_required],
      [1006, "ip_banned", "access_denied", false],
    );
  });
});
