import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { routeTo, startEdgeApp, startOrigin, type EdgeApp } from "../../../test/support/edge-app.ts";
import { freePort } from "../../../test/support/fixed-port.ts";
import { onComparedEngines, until, type Engine } from "../../../test/support/harness.ts";

const isAt = (path: string) => `http.request.uri.path eq "${path}"`;

const serveError = (expression: string, parameters: object): object => ({
  action: "serve_error",
  expression,
  action_parameters: { content_type: "text/plain", ...parameters },
});

/** An edge whose responses say in `x-error` what rules know of an error. At `/down` nobody listens. */
async function startWithErrors(t: TestContext, engine: Engine, rules: readonly object[]): Promise<EdgeApp> {
  const port = await startOrigin(t, (request, response) => {
    response.writeHead(request.url === "/own-503" ? 503 : 200).end("of the origin");
  });
  const edge = await startEdgeApp(t, engine, port);
  const down = { ...routeTo(await freePort()), expression: isAt("/down") };
  const nowhere = {
    action: "route",
    expression: isAt("/nowhere"),
    action_parameters: { origin: { host: "absent.example.com" } },
  };
  await edge.rules("http_request_origin", [routeTo(port), down, nowhere]);
  await edge.rules("http_request_firewall_custom", [
    { action: "block", expression: isAt("/blocked") },
    {
      action: "block",
      expression: isAt("/teapot"),
      action_parameters: { response: { status_code: 418, content_type: "text/plain", content: "a teapot" } },
    },
    { action: "managed_challenge", expression: isAt("/prove") },
  ]);
  await edge.rules("http_ratelimit", [
    {
      action: "block",
      expression: isAt("/limited"),
      ratelimit: { characteristics: ["ip.src", "cf.colo.id"], period: 60, requests_per_period: 1 },
    },
  ]);
  await edge.rules("http_custom_errors", rules);
  const error = 'concat(cf.response.error_type, " ", to_string(cf.response.1xxx_code))';
  await edge.rules("http_response_headers_transform", [
    {
      action: "rewrite",
      expression: "true",
      action_parameters: { headers: { "X-Error": { operation: "set", expression: error } } },
    },
  ]);
  await until("the rules are in force", async () => (await edge.visit("/")).headers["x-error"] !== undefined);
  return edge;
}

onComparedEngines("errors at the edge", (engine) => {
  test("rules for responses see what kind of error the edge answers, and none on an origin's own", async (t) => {
    const edge = await startWithErrors(t, engine, []);
    await edge.untilStatus("/limited", 429);
    const seen: unknown[] = [];
    for (const path of ["/", "/own-503", "/down", "/nowhere", "/blocked", "/teapot", "/limited", "/prove"]) {
      const { status, headers } = await edge.visit(path);
      seen.push([path, status, headers["x-error"]]);
    }
    assert.deepEqual(seen, [
      ["/", 200, "0"],
      ["/own-503", 503, "0"],
      ["/down", 521, "5xx 521"],
      ["/nowhere", 530, "1xxx 1016"],
      ["/blocked", 403, "waf 1020"],
      ["/teapot", 418, "waf 0"],
      ["/limited", 429, "ratelimit 1015"],
      ["/prove", 403, undefined],
    ]);
  });

  test("a rule for errors answers in place of the edge's own errors, and not of what rules stop", async (t) => {
    const content = "::RAY_ID:: from ::CLIENT_IP:: in ::GEO::, not ::OTHER::";
    const edge = await startWithErrors(t, engine, [
      serveError('cf.response.error_type eq "1xxx"', { content: "nowhere", status_code: 404 }),
      serveError("http.response.code ge 400", { content }),
    ]);
    const down = await edge.visit("/down");
    const ray = String(down.headers["cf-ray"]);
    assert.equal(down.text, `${ray} from 127.0.0.1 in XX, not ::OTHER::`);
    assert.deepEqual(
      [down.headers["content-type"], down.headers["retry-after"], down.headers["x-error"]],
      ["text/plain", "120", "5xx 521"],
    );
    const nowhere = await edge.visit("/nowhere");
    assert.deepEqual([nowhere.status, nowhere.text], [404, "nowhere"]);
    const own = await edge.visit("/own-503");
    assert.deepEqual(
      [own.status, own.text],
      [503, `${String(own.headers["cf-ray"])} from 127.0.0.1 in XX, not ::OTHER::`],
    );
    assert.equal((await edge.visit("/teapot")).text, "a teapot");
    for (const path of ["/blocked", "/prove"])
      assert.match((await edge.visit(path)).text, /^<!DOCTYPE html>/);
  });

  test("of two rules for one error, that of the zone counts before that of its account", async (t) => {
    const edge = await startWithErrors(t, engine, [serveError(isAt("/own-503"), { content: "the zone" })]);
    const account = await edge.change("GET", "").then((zone) => zone.account.id as string);
    const path = `/accounts/${account}/rulesets/phases/http_custom_errors/entrypoint`;
    const rules = [serveError("http.response.code ge 400", { content: "the account" })];
    assert.equal((await edge.app.request("PUT", path, { body: { rules } })).status, 200);
    await until("the account's rule acts", async () => (await edge.visit("/down")).text === "the account");
    const own = await edge.visit("/own-503");
    assert.equal(own.text, "the zone");
    assert.equal(own.rawHeaders.filter((name) => name.toLowerCase() === "date").length, 1);
  });
});
