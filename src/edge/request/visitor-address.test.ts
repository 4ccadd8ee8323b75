import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import { onComparedEngines, until, type Engine } from "../../../test/support/harness.ts";

type Told = Readonly<Record<string, string>>;

const names = /^(?:cf-connecting|cf-pseudo|x-forwarded-for|true-client-ip)/;

/** An edge behind a proxy that says who the visitor is, and what its origin is told of a visitor at an address. */
async function startWithProxy(
  t: TestContext,
  engine: Engine,
): Promise<EdgeApp & { readonly toldOf: (address?: string, path?: string) => Promise<Told> }> {
  const edge = await startEdgeApp(t, engine, await startOrigin(t), { trusted_proxies: ["127.0.0.0/8"] });
  const toldOf = async (address?: string, path = "/"): Promise<Told> => {
    const headers = { "user-agent": "a", ...(address !== undefined && { "x-forwarded-for": address }) };
    const { echo } = await edge.visit(path, { headers });
    return Object.fromEntries(Object.entries(echo.headers).filter(([name]) => names.test(name))) as Told;
  };
  return { ...edge, toldOf };
}

const address6 = "2001:db8::1";

onComparedEngines("the address of a visitor", (engine) => {
  test("is an IPv4 address for an origin that asks for one, always the same for an IPv6 address", async (t) => {
    const { toldOf, change } = await startWithProxy(t, engine);
    const usual = await toldOf(address6);
    assert.deepEqual(usual, {
      "cf-connecting-ip": address6,
      "x-forwarded-for": `${address6}, ${address6}`,
    });
    const of4 = await toldOf("192.0.2.7");

    await change("PATCH", "/settings/pseudo_ipv4", { value: "add_header" });
    await until("a header is added", async () => (await toldOf(address6))["cf-pseudo-ipv4"] !== undefined);
    const { "cf-pseudo-ipv4": pseudo = "", ...rest } = await toldOf(address6);
    assert.match(pseudo, /^2(?:4\d|5[0-5])\.\d+\.\d+\.\d+$/);
    assert.deepEqual(rest, usual);
    assert.notEqual((await toldOf("2001:db8::2"))["cf-pseudo-ipv4"], pseudo);
    assert.deepEqual(await toldOf("192.0.2.7"), of4);

    await change("PATCH", "/settings/pseudo_ipv4", { value: "overwrite_header" });
    await until("headers are replaced", async () => (await toldOf(address6))["cf-connecting-ip"] === pseudo);
    assert.deepEqual(await toldOf(address6), {
      "cf-connecting-ip": pseudo,
      "cf-connecting-ipv6": address6,
      "x-forwarded-for": `${address6}, ${pseudo}`,
    });
    assert.deepEqual(await toldOf("192.0.2.7"), of4);
  });

  test("is the one of IPv4 for rules and origins where a dual-stack socket has it in IPv6 form", async (t) => {
    const { toldOf, rules, untilStatus } = await startWithProxy(t, engine);
    const of4 = await toldOf("192.0.2.7");
    assert.deepEqual(await toldOf("::ffff:192.0.2.7"), {
      ...of4,
      "x-forwarded-for": "::ffff:192.0.2.7, 192.0.2.7",
    });
    await rules("http_request_firewall_custom", [{ action: "block", expression: "ip.src eq 192.0.2.7" }]);
    for (const address of ["192.0.2.7", "::ffff:192.0.2.7"])
      await untilStatus("/", 403, { headers: { "user-agent": "a", "x-forwarded-for": address } });
  });

  test("is not told to origins where a managed transform or a rule removes it", async (t) => {
    const { toldOf, change, rules } = await startWithProxy(t, engine);
    const removed = ["CF-Connecting-IP", "X-Forwarded-For", "True-Client-IP", "Cookie"];
    const headers = Object.fromEntries(removed.map((name) => [name, { operation: "remove" }]));
    await change("PATCH", "/settings/true_client_ip_header", { value: "on" });
    await rules("http_request_late_transform", [
      {
        action: "rewrite",
        expression: 'http.request.uri.path eq "/private"',
        action_parameters: { headers },
      },
    ]);
    await until("the rule is in force", async () => {
      return (await toldOf(undefined, "/private"))["cf-connecting-ip"] === undefined;
    });
    assert.deepEqual(await toldOf(undefined, "/private"), { "x-forwarded-for": "127.0.0.1" });
    assert.deepEqual(await toldOf("192.0.2.1, 192.0.2.2", "/private"), { "x-forwarded-for": "192.0.2.2" });
    assert.deepEqual(await toldOf(), {
      "cf-connecting-ip": "127.0.0.1",
      "true-client-ip": "127.0.0.1",
      "x-forwarded-for": "127.0.0.1",
    });

    const off = { managed_request_headers: [{ id: "remove_visitor_ip_headers", enabled: true }] };
    await change("PATCH", "/managed_headers", { ...off, managed_response_headers: [] });
    await until("the transform is in force", async () => Object.keys(await toldOf()).length === 0);
    assert.deepEqual(await toldOf("192.0.2.1, 192.0.2.2"), { "x-forwarded-for": "192.0.2.2" });
  });

  test("is not told to origins where the setting visitor_ip is off", async (t) => {
    const { toldOf, change } = await startWithProxy(t, engine);
    await change("PATCH", "/settings/visitor_ip", { value: "off" });
    await until("the setting is in force", async () => Object.keys(await toldOf()).length === 0);
    assert.deepEqual(await toldOf("192.0.2.1"), { "x-forwarded-for": "192.0.2.1" });
  });
});
