import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { createZonePart, type ZonePart } from "../../../test/support/zone-parts.ts";
import { loggedActions } from "../../../test/support/logged-actions.ts";

const part = "managed_headers";
const turn = (id: string, enabled: boolean) => ({ managed_request_headers: [{ id, enabled }] });
const security = { managed_response_headers: [{ id: "add_security_headers", enabled: true }] };

interface Shown {
  readonly id: string;
  readonly enabled: boolean;
  readonly has_conflict: boolean;
}

async function idsOf(zone: ZonePart, key: "enabled" | "has_conflict"): Promise<string[]> {
  const { managed_request_headers: request, managed_response_headers: response } = await zone.result("GET");
  return [...request, ...response].filter((one: Shown) => one[key]).map(({ id }: Shown) => id);
}

onComparedEngines("managed transforms", (engine) => {
  test("of a zone are turned on and off, and all of them off, each change in the audit log", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    const off = { enabled: false, has_conflict: false };
    const untouched = await zone.result("GET");
    assert.deepEqual(untouched, {
      managed_request_headers: [
        { id: "add_bot_protection_headers", ...off },
        { id: "add_client_certificate_headers", ...off },
        { id: "add_visitor_location_headers", ...off },
        { id: "add_true_client_ip_headers", ...off, conflicts_with: ["remove_visitor_ip_headers"] },
        { id: "remove_visitor_ip_headers", ...off, conflicts_with: ["add_true_client_ip_headers"] },
        { id: "add_waf_credential_check_status_header", ...off },
      ],
      managed_response_headers: [
        { id: "remove_x-powered-by_header", ...off },
        { id: "add_security_headers", ...off },
      ],
    });
    const answered = await zone.result("PATCH", "", {
      ...turn("remove_visitor_ip_headers", true),
      ...security,
    });
    await app.restart();
    assert.deepEqual(await zone.result("GET"), answered);
    assert.deepEqual(await idsOf(zone, "enabled"), ["remove_visitor_ip_headers", "add_security_headers"]);
    assert.deepEqual(await idsOf(zone, "has_conflict"), ["add_true_client_ip_headers"]);
    await zone.result("PATCH", "", {
      managed_request_headers: [
        { id: "add_true_client_ip_headers", enabled: true },
        { id: "remove_visitor_ip_headers", enabled: false },
      ],
    });
    assert.deepEqual(await idsOf(zone, "enabled"), ["add_true_client_ip_headers", "add_security_headers"]);
    const { status, text } = await zone.send("DELETE");
    assert.deepEqual([status, text], [204, ""]);
    assert.deepEqual(await zone.result("GET"), untouched);
    assert.equal((await loggedActions(app, "managed_transforms_edit")).length, 3);
  });

  test("that are unknown, conflict or are not on the plan are refused, and nothing changes", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    await zone.result("PATCH", "", turn("remove_visitor_ip_headers", true));
    const before = await zone.result("GET");
    const first = "/managed_request_headers/0/id";
    for (const [body, refusal, code, pointer] of [
      [turn("add_true_client_ip_headers", true), 403, 20410, first],
      [turn("add_headers", true), 404, 1003, first],
      [turn("add_security_headers", true), 404, 1003, first],
      [
        { managed_request_headers: [{ id: "add_visitor_location_headers" }] },
        400,
        1003,
        "/managed_request_headers/0/enabled",
      ],
    ] as const) {
      const { status, body: answer } = await zone.send("PATCH", "", { ...security, ...body });
      assert.deepEqual(
        [status, answer.errors[0]?.code, answer.errors[0]?.source?.pointer],
        [refusal, code, pointer],
      );
    }
    assert.deepEqual(await zone.result("GET"), before);
    await zone.setPlan("business");
    const shown = (await zone.result("GET")).managed_request_headers.map(({ id }: Shown) => id);
    assert.ok(!shown.includes("add_true_client_ip_headers"));
    assert.equal((await zone.send("PATCH", "", turn("add_bot_protection_headers", true))).status, 404);
  });

  test("change the headers of the request that the origin gets", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await createZonePart(app, part);
    const sent = { "True-Client-IP": "192.0.2.9", "X-Forwarded-For": "192.0.2.9", Accept: "*/*" };
    const headersOf = async (headers: object = sent) => {
      const body = {
        url: "https://example.com/",
        method: "GET",
        headers,
        context: { bot_score: 30, geoloc: { city: "São Paulo", iso_code: "BR", latitude: -23.5 } },
      };
      const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
      const { result } = (await app.request("POST", path, { body })).body;
      const pairs: { name: string; value: string }[] = result.origin_request.headers;
      return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
    };
    const rest = { host: "example.com", accept: "*/*" };
    const address = "127.0.0.1";
    assert.deepEqual(await headersOf(), {
      ...rest,
      "true-client-ip": "192.0.2.9",
      "x-forwarded-for": "192.0.2.9",
    });
    await zone.result("PATCH", "", turn("remove_visitor_ip_headers", true));
    assert.deepEqual(await headersOf(), { ...rest, "x-forwarded-for": address });
    assert.deepEqual(await headersOf({ Accept: "*/*", "CF-Connecting-IP": "192.0.2.9" }), rest);
    await zone.result("PATCH", "", {
      managed_request_headers: [
        { id: "remove_visitor_ip_headers", enabled: false },
        { id: "add_true_client_ip_headers", enabled: true },
        { id: "add_visitor_location_headers", enabled: true },
        { id: "add_bot_protection_headers", enabled: true },
        { id: "add_client_certificate_headers", enabled: true },
      ],
    });
    assert.deepEqual(await headersOf({ Accept: "*/*", "True-Client-IP": "192.0.2.9" }), {
      ...rest,
      "true-client-ip": address,
      "cf-bot-score": "30",
      // A field that nobody judges here has its neutral value.
      "cf-verified-bot": "false",
      "cf-cert-presented": "false",
      "cf-cert-revoked": "false",
      "cf-cert-verified": "false",
      "cf-ipcity": String.raw`S\u00c3\u00a3o Paulo`,
      "cf-ipcountry": "BR",
      "cf-iplatitude": "-23.5",
    });
  });
});
