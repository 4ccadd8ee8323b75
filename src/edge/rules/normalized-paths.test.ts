import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";
import { ask, startJudge } from "../../../test/support/judge.ts";

const custom = "http_request_firewall_custom";
const block = (expression: string) => ({ action: "block", expression });
const forAdmin = [block('http.request.uri.path eq "/admin"')];

/** Ways to write `/admin` that many programs take for it. */
const spellings = ["/admin", "//admin", "/\\admin", "///\\//admin", "/.//admin", "/x/..//admin", "/%61dmin"];

test("a rule, a page rule and a lockdown for a path stand before all of its spellings", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const { change, rules, visit, untilStatus } = edge;
  await rules(custom, forAdmin);
  await untilStatus("/admin", 403);
  await serveHttps(edge);
  const session = openHttp2(t, edge);
  for (const path of spellings) {
    assert.equal((await visit(path)).status, 403, path);
    const stream = session.request({ ":path": path, ":authority": "www.example.com" });
    const [head] = (await once(stream.resume(), "response")) as [Record<string, unknown>];
    assert.equal(head[":status"], 403, `HTTP/2 ${path}`);
  }
  await rules(custom, []);
  await untilStatus("/admin", 200);
  const page = await change("POST", "/pagerules", {
    targets: [{ target: "url", constraint: { operator: "matches", value: "www.example.com/admin" } }],
    actions: [{ id: "forwarding_url", value: { url: "https://example.net/", status_code: 302 } }],
    status: "active",
  });
  await untilStatus("/admin", 302);
  for (const path of spellings) assert.equal((await visit(path)).status, 302, path);
  await change("DELETE", `/pagerules/${page.id}`);
  await change("POST", "/firewall/lockdowns", {
    urls: ["www.example.com/admin"],
    configurations: [{ target: "ip", value: "192.0.2.1" }],
  });
  await untilStatus("/admin", 403);
  for (const path of spellings) assert.equal((await visit(path)).status, 403, path);
});

test("an origin gets one separator where its zone's rules see one, and other zones keep what they chose", async (t) => {
  const { change, visit, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const sentOn = async (path: string) => (await visit(path)).echo.url;
  assert.equal(await sentOn("//admin"), "/admin");
  assert.equal(await sentOn("/\\admin"), "/admin");
  assert.equal(await sentOn("//%61/..\\b?c=//d\\e"), "/%61/../b?c=//d\\e");
  await change("PUT", "/url_normalization", { type: "rfc3986", scope: "incoming" });
  await untilStatus("/", 200);
  while ((await sentOn("//admin")) !== "//admin");
  await change("PUT", "/url_normalization", { type: "cloudflare", scope: "none" });
  assert.equal(await sentOn("//admin"), "//admin");
});

test("proxies that ask the judge are told the path that its rules saw", async (t) => {
  const { rules, port } = await startJudge(t, "sqlite");
  const asked = (path: string) =>
    ask(port, "/nginx", {
      headers: {
        "x-original-method": "GET",
        "x-original-url": `https://www.example.com${path}`,
        "x-real-ip": "192.0.2.7",
      },
    });
  const { headers } = await asked("//a\\b");
  assert.equal(headers["x-zoneward-uri"], "/a/b");
  await rules(custom, forAdmin);
  for (const path of spellings) assert.equal((await asked(path)).status, 403, path);
});
