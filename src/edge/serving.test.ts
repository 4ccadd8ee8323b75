import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../test/support/edge-app.ts";
import { onComparedEngines, until } from "../../test/support/harness.ts";

onComparedEngines("the edge", (engine) => {
  test("serves proxied names of active zones, and tells others that it does not", async (t) => {
    const { visit, change, untilStatus } = await startEdgeApp(t, engine, await startOrigin(t));
    const answer = await visit("/a/../b?c=d%20e", { method: "POST", body: "hello" });
    assert.equal(answer.status, 200);
    assert.deepEqual(
      [answer.echo.method, answer.echo.url, answer.echo.body],
      ["POST", "/a/../b?c=d%20e", "hello"],
    );
    assert.match(String(answer.headers["cf-ray"]), /^[0-9a-f]{16}-[A-Z]{3}$/);
    assert.equal(answer.echo.headers["cf-ray"], answer.headers["cf-ray"]);

    const unknown: readonly (readonly [host: string, status: number, code: number])[] = [
      ["example.com", 409, 1001],
      ["www.example.net", 409, 1001],
      ["127.0.0.1", 403, 1003],
    ];
    for (const [host, status, code] of unknown) {
      const refused = await visit("/", { host, headers: { accept: "application/json" } });
      assert.deepEqual([refused.status, JSON.parse(refused.text).error_code], [status, code], host);
      assert.equal(`${JSON.parse(refused.text).ray_id}-ZWD`, refused.headers["cf-ray"]);
    }
    await change("POST", "/dns_records", {
      type: "CNAME",
      name: "*",
      content: "www.example.com",
      proxied: true,
    });
    await untilStatus("/", 200, { host: "anything.example.com" });
    // Names outside DNS are not served: no asterisk stands below a name that exists (RFC 4592 section 3.3.1).
    await change("POST", "/dns_records", { type: "TXT", name: "a.b", content: '"x"' });
    for (const host of ["x.b.example.com", "b.example.com", "a.b.example.com"])
      await untilStatus("/", 409, { host });
    await untilStatus("/", 200, { host: "x.c.example.com" });
    const { id } = (await change("GET", "/dns_records?name=www.example.com"))[0];
    await change("PATCH", `/dns_records/${id}`, { proxied: false });
    await untilStatus("/", 409);
  });

  test("serves a name whose CNAME records lead to a proxied one of the same account, by the rules of its own zone", async (t) => {
    const { app, visit, change, untilStatus, rules } = await startEdgeApp(t, engine, await startOrigin(t));
    const other = await app.createZone("example.net");
    const ofOther = (method: string, path: string, body?: object) =>
      app.request(method, `/zones/${other}${path}`, body && { body });
    await ofOther("PUT", "/activation_check");
    const cname = { type: "CNAME", proxied: false };
    await change("POST", "/dns_records", { ...cname, name: "shop", content: "shop.example.net" });
    await change("POST", "/dns_records", { ...cname, name: "round", content: "back.example.com" });
    await change("POST", "/dns_records", { ...cname, name: "back", content: "round.example.com" });
    await change("POST", "/dns_records", { ...cname, name: "outside", content: "elsewhere.test" });
    await ofOther("POST", "/dns_records", { ...cname, name: "shop", content: "in.example.net" });
    await ofOther("POST", "/dns_records", { ...cname, name: "in", content: "localhost" });
    for (const name of ["shop", "round", "outside", "absent"])
      await untilStatus("/", 409, { host: `${name}.example.com` });
    const { body } = await ofOther("GET", "/dns_records?name=in.example.net");
    await ofOther("PATCH", `/dns_records/${body.result[0].id}`, { proxied: true });
    await untilStatus("/", 200, { host: "shop.example.com" });
    for (const name of ["round", "outside", "absent"])
      assert.equal((await visit("/", { host: `${name}.example.com` })).status, 409, name);
    await rules("http_request_firewall_custom", [
      { action: "block", expression: 'http.host eq "shop.example.com"' },
    ]);
    await untilStatus("/", 403, { host: "shop.example.com" });
  });

  test("records what skips something, unless its rule is not logged", async (t) => {
    const { app, zoneId, visit, rules, untilStatus } = await startEdgeApp(t, engine, await startOrigin(t));
    const isAt = (path: string) => `http.request.uri.path eq "${path}"`;
    const skip = { action: "skip", action_parameters: { ruleset: "current" } };
    await rules("http_request_firewall_custom", [
      { ...skip, expression: isAt("/logged"), description: "let through" },
      { ...skip, expression: isAt("/quiet"), logging: { enabled: false } },
      { action: "block", expression: "true" },
    ]);
    await untilStatus("/", 403);
    const eventsOf = async (path: string) => {
      const { headers } = await visit(path);
      const ray = String(headers["cf-ray"]).split("-")[0] ?? "";
      const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptive(limit: 10, filter: { rayName: "${ray}" }) { action source ruleMessage edgeResponseStatus } } } }`;
      return async () => {
        const { text } = await app.request("POST", "/graphql", { body: { query } });
        return JSON.parse(text).data.viewer.zones[0].firewallEventsAdaptive as readonly unknown[];
      };
    };
    const ofQuiet = await eventsOf("/quiet");
    const ofLogged = await eventsOf("/logged");
    let logged: readonly unknown[] = [];
    await until("the event is stored", async () => (logged = await ofLogged()).length > 0);
    const event = { action: "skip", source: "firewallCustom", ruleMessage: "let through" };
    assert.deepEqual(logged, [{ ...event, edgeResponseStatus: 200 }]);
    assert.deepEqual(await ofQuiet(), [], "events are stored in their order");
  });

  test("puts rules into force, and records what they did", async (t) => {
    const { app, zoneId, visit, rules, untilStatus } = await startEdgeApp(t, engine, await startOrigin(t));
    await rules("http_request_firewall_custom", [
      { action: "block", expression: 'http.request.uri.path contains "/admin"', description: "no admins" },
    ]);
    const blocked = await untilStatus("/admin", 403, {
      headers: { accept: "text/html", "user-agent": "a browser" },
    });
    const ray = String(blocked.headers["cf-ray"]).split("-")[0] ?? "";
    assert.ok(blocked.text.includes(ray) && blocked.text.includes("1020"), blocked.text);
    assert.equal((await visit("/")).status, 200);
    const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptive(limit: 10, filter: { rayName: "${ray}" }) { action source ruleMessage edgeResponseStatus userAgent clientRequestPath } } } }`;
    const found = async () => {
      const answer = await app.request("POST", "/graphql", { body: { query } });
      return JSON.parse(answer.text).data?.viewer.zones[0].firewallEventsAdaptive ?? answer.text;
    };
    let events = await found();
    while (events.length === 0) events = await found();
    assert.deepEqual(events, [
      {
        action: "block",
        source: "firewallCustom",
        ruleMessage: "no admins",
        edgeResponseStatus: 403,
        userAgent: "a browser",
        clientRequestPath: "/admin",
      },
    ]);
  });
});

test("a visitor that accepts what is no content type gets a page", async (t) => {
  const { visit } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  for (const accept of ["constructor", "__proto__", "__proto__;q=0.5, constructor", "a/b", ",", ";q=1"]) {
    const { status, headers } = await visit("/", { host: "www.example.net", headers: { accept } });
    assert.deepEqual([status, headers["content-type"]], [409, "text/html; charset=UTF-8"], accept);
  }
});
