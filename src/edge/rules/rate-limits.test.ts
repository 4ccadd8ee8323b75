import assert from "node:assert/strict";
import { test } from "node:test";

import { cookieOf, sendAnswer, solvePage } from "../../../test/support/challenge.ts";
import {
  startEdgeApp,
  startOrigin,
  type EdgeApp,
  type VisitOptions,
} from "../../../test/support/edge-app.ts";
import { onComparedEngines, until } from "../../../test/support/harness.ts";
import { queryGraphql } from "../../../test/support/security-event-api.ts";

const isAt = (path: string) => `http.request.uri.path eq "${path}"`;
const perAddress = { characteristics: ["ip.src", "cf.colo.id"], period: 60 };

/** Visits one after the other; the statuses. */
async function statusesOf(
  { visit }: EdgeApp,
  paths: readonly string[],
  options?: VisitOptions,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await visit(path, options)).status);
  return statuses;
}

const times = (count: number, path: string): string[] => Array.from({ length: count }, () => path);

onComparedEngines("rate limits of the edge", (engine) => {
  test("a limit on responses counts those of the origin that its expression names, and stops later requests", async (t) => {
    const port = await startOrigin(t, (request, response) => {
      response.writeHead(/^\/$|\?right$/.test(request.url ?? "") ? 200 : 401).end();
    });
    const edge = await startEdgeApp(t, engine, port);
    await edge.rules("http_ratelimit", [
      {
        action: "block",
        expression: 'starts_with(http.request.uri.path, "/login")',
        ratelimit: {
          ...perAddress,
          requests_per_period: 2,
          mitigation_timeout: 600,
          counting_expression: "http.response.code in {401 403}",
        },
      },
    ]);
    await edge.rules("http_request_firewall_custom", [{ action: "block", expression: isAt("/blocked") }]);
    await edge.untilStatus("/blocked?right", 403);

    const first = [...times(3, "/login?right"), "/login", "/blocked", "/login", "/login?right"];
    assert.deepEqual(await statusesOf(edge, first), [200, 200, 200, 401, 403, 401, 200]);
    const later = ["/elsewhere", "/login?right", "/elsewhere?right"];
    assert.deepEqual(await statusesOf(edge, later), [401, 429, 200], "the third 401 is one of another path");
    edge.app.advance(599_000);
    const { status, headers } = await edge.visit("/login?right");
    assert.deepEqual([status, headers["retry-after"]], [429, "1"]);
    edge.app.advance(2_000);
    assert.deepEqual(await statusesOf(edge, ["/login?right"]), [200]);
  });

  test("what a limit answers says after how many seconds it ends, in the words of a rule too", async (t) => {
    const edge = await startEdgeApp(t, engine, await startOrigin(t));
    const limit = { ...perAddress, requests_per_period: 1 };
    const response = { status_code: 420, content_type: "text/plain", content: "calm down" };
    await edge.rules("http_ratelimit", [
      { action: "log", expression: "true", ratelimit: { ...limit, mitigation_timeout: 600 } },
      { action: "block", expression: isAt("/a"), ratelimit: { ...limit, mitigation_timeout: 0 } },
      {
        action: "block",
        expression: isAt("/b"),
        ratelimit: { ...limit, mitigation_timeout: 300 },
        action_parameters: { response },
      },
    ]);
    await edge.untilStatus("/b", 420);
    assert.deepEqual(await statusesOf(edge, ["/a"]), [200]);
    edge.app.advance(20_500);
    const a = await edge.visit("/a", { headers: { accept: "application/json" } });
    assert.deepEqual([a.status, a.headers["retry-after"], JSON.parse(a.text).retry_after], [429, "40", 40]);
    const b = await edge.visit("/b");
    assert.deepEqual([b.status, b.headers["retry-after"], b.text], [420, "280", "calm down"]);
  });

  test("a limit on a score adds up what the origin says, and nothing that is no score", async (t) => {
    const port = await startOrigin(t, (request, response) => {
      response.setHeaders(new Map([["X-Cost", decodeURIComponent(request.url?.split("?")[1] ?? "")]])).end();
    });
    const edge = await startEdgeApp(t, engine, port);
    const byScore = {
      ...perAddress,
      score_per_period: 1_000_000,
      score_response_header_name: "x-cost",
      mitigation_timeout: 0,
    };
    await edge.rules("http_ratelimit", [
      { action: "block", expression: isAt("/costly"), ratelimit: byScore },
      { action: "block", expression: isAt("/ready"), ratelimit: { ...perAddress, requests_per_period: 1 } },
    ]);
    await edge.untilStatus("/ready", 429);

    const none = ["", "?0", "?-1", "?1.5", "?1e3", "?1000001", "?a", "?999999999999"].map(
      (score) => `/costly${score}`,
    );
    const statuses = await statusesOf(edge, [...none, "/elsewhere?1000000", "/costly?1000000", "/costly?1"]);
    assert.deepEqual(
      statuses,
      statuses.map(() => 200),
    );
    assert.deepEqual(await statusesOf(edge, ["/costly", "/elsewhere"]), [429, 200]);
    edge.app.advance(60_000);
    assert.deepEqual(await statusesOf(edge, ["/costly"]), [200]);
  });

  test("a limit whose expression differs from what it counts stops a request once more were counted than it allows", async (t) => {
    const edge = await startEdgeApp(t, engine, await startOrigin(t));
    await edge.rules("http_ratelimit", [
      {
        action: "block",
        expression: isAt("/stopped"),
        ratelimit: { ...perAddress, requests_per_period: 2, counting_expression: isAt("/counted") },
      },
      { action: "block", expression: isAt("/ready"), ratelimit: { ...perAddress, requests_per_period: 1 } },
    ]);
    await edge.untilStatus("/ready", 429);
    assert.deepEqual(
      await statusesOf(edge, ["/stopped", "/counted", "/counted", "/stopped", "/counted", "/stopped"]),
      [200, 200, 200, 200, 200, 429],
    );
  });

  test("visitors behind one address are told apart by a cookie, where a limit asks for it and nowhere else", async (t) => {
    const port = await startOrigin(t, (_request, response) => {
      response.setHeader("set-cookie", "session=1").end();
    });
    const edge = await startEdgeApp(t, engine, port);
    const visitor = { characteristics: ["cf.unique_visitor_id", "cf.colo.id"], period: 7_200 };
    assert.deepEqual((await edge.visit("/")).headers["set-cookie"], ["session=1"]);
    const limit = (limits: object) =>
      edge.rules("http_ratelimit", [
        { action: "block", expression: isAt("/limited"), ratelimit: { ...visitor, ...limits } },
        { action: "block", expression: isAt("/ready"), ratelimit: { ...perAddress, requests_per_period: 1 } },
      ]);
    await limit({ requests_per_period: 2 });
    await edge.untilStatus("/ready", 429);

    const [one, other] = await Promise.all(["/a", "/b"].map((path) => visitorOf(edge, path)));
    for (const options of [one, other, {}])
      assert.deepEqual(await statusesOf(edge, times(4, "/limited"), options), [200, 200, 429, 429]);
    assert.deepEqual((await edge.visit("/", one)).headers["set-cookie"], ["session=1"]);
    const blocked = await edge.visit("/limited");
    assert.deepEqual([blocked.status, blocked.headers["set-cookie"]], [429, undefined]);
    for (const cookie of ["_cfuvid=", "_cfuvid=a", `${String(one?.headers?.["cookie"]).slice(0, -4)}AAAA`])
      assert.deepEqual(await statusesOf(edge, ["/limited"], { headers: { cookie } }), [429], cookie);
    edge.app.advance(3_600_000);
    assert.deepEqual(await statusesOf(edge, ["/limited"], one), [429], "a cookie counts for an hour");
  });

  test("visitors gain no requests by taking an id with each answer, or by leaving theirs", async (t) => {
    const edge = await startEdgeApp(t, engine, await startOrigin(t));
    const ratelimit = { characteristics: ["cf.unique_visitor_id", "cf.colo.id"], period: 3_600 };
    await edge.rules("http_request_firewall_custom", [
      { action: "block", expression: isAt("/blocked") },
      { action: "managed_challenge", expression: isAt("/prove") },
    ]);
    await edge.rules("http_request_dynamic_redirect", [
      {
        action: "redirect",
        expression: isAt("/moved"),
        action_parameters: { from_value: { target_url: { value: "https://example.net/" } } },
      },
    ]);
    await edge.rules("http_ratelimit", [
      { action: "block", expression: isAt("/limited"), ratelimit: { ...ratelimit, requests_per_period: 3 } },
      { action: "block", expression: isAt("/ready"), ratelimit: { ...perAddress, requests_per_period: 1 } },
    ]);
    await edge.untilStatus("/ready", 429);
    for (const path of ["/blocked", "/prove", "/moved", "/ready", "/cdn-cgi/trace", "/cdn-cgi/none"])
      assert.equal((await edge.visit(path)).headers["set-cookie"], undefined, path);
    const ids: string[] = [];
    const statuses: number[] = [];
    for (let at = 0; at < 20; at += 1) {
      const id = ids[at % 2];
      const sent = at % 2 === 1 && id !== undefined ? { headers: { cookie: id } } : {};
      const { status, headers } = await edge.visit("/limited", sent);
      statuses.push(status);
      for (const cookie of headers["set-cookie"] ?? []) ids.unshift(cookie.split(";", 1)[0] ?? "");
    }
    assert.equal(statuses.filter((status) => status === 200).length, 6, statuses.join());
    const free = await Promise.all(times(120, "/free").map((path) => edge.visit(path)));
    const given = free.filter(({ headers }) => headers["set-cookie"] !== undefined).length;
    assert.ok(given <= 100, `a network is given ${given} ids within a minute`);
  });

  test("all addresses of an IPv6 network are counted as one", async (t) => {
    const port = await startOrigin(t);
    const edge = await startEdgeApp(t, engine, port, { trusted_proxies: ["127.0.0.0/8"] });
    await edge.rules("http_ratelimit", [
      {
        action: "block",
        expression: isAt("/limited"),
        ratelimit: { ...perAddress, requests_per_period: 2, mitigation_timeout: 60 },
      },
      { action: "block", expression: isAt("/ready"), ratelimit: { ...perAddress, requests_per_period: 1 } },
    ]);
    await edge.untilStatus("/ready", 429);
    const from = async (address: string) =>
      (await edge.visit("/limited", { headers: { "x-forwarded-for": address, "user-agent": "a" } })).status;
    assert.deepEqual(
      [await from("2001:db8::1"), await from("2001:db8::2:1"), await from("2001:db8:0:0:ffff::3")],
      [200, 200, 429],
    );
    assert.deepEqual(
      [await from("2001:db8:0:1::1"), await from("192.0.2.1"), await from("192.0.2.2")],
      [200, 200, 200],
    );
  });

  test("who passes the challenge of a limit is counted anew, and challenged again once the limit is exceeded again", async (t) => {
    const edge = await startEdgeApp(t, engine, await startOrigin(t));
    await edge.rules("http_ratelimit", [
      {
        action: "managed_challenge",
        expression: isAt("/limited"),
        ratelimit: { ...perAddress, requests_per_period: 2, mitigation_timeout: 0 },
      },
    ]);
    await edge.rules("http_request_firewall_custom", [
      { action: "managed_challenge", expression: isAt("/prove") },
    ]);
    await edge.untilStatus("/prove", 403);

    let options: VisitOptions = {};
    for (const round of [1, 2, 3]) {
      assert.deepEqual(
        await statusesOf(edge, times(4, "/limited"), options),
        [200, 200, 403, 403],
        `${round}`,
      );
      edge.app.advance(1_000);
      const answer = await sendAnswer(edge, solvePage(await edge.visit("/limited", options)), options);
      assert.equal(answer.status, 200);
      options = { headers: { cookie: cookieOf(answer) } };
    }
    assert.deepEqual(
      await statusesOf(edge, ["/prove"], options),
      [200],
      "it counts for other rules meanwhile",
    );
    assert.deepEqual(
      await statusesOf(edge, times(2, "/limited")),
      [403, 403],
      "another visitor passed nothing",
    );
    assert.deepEqual(await statusesOf(edge, times(3, "/limited"), options), [200, 200, 403]);
    assert.deepEqual(await actionsOf(edge, 17), {
      managed_challenge: 13,
      managed_challenge_non_interactive_solved: 3,
      managed_challenge_bypassed: 1,
    });
  });
});

/** A visitor that keeps the cookies that it gets at a path. */
async function visitorOf(edge: EdgeApp, path: string): Promise<VisitOptions> {
  const { headers } = await edge.visit(path);
  const [session, id = ""] = headers["set-cookie"] ?? [];
  assert.equal(session, "session=1");
  assert.match(id, /^_cfuvid=[\w-]+; Path=\/; Domain=example\.com; HttpOnly; SameSite=Lax$/);
  return { headers: { cookie: `session=1; ${id.split(";", 1)[0]}` } };
}

/** Counts each action in the security events, once there are at least `least`. */
async function actionsOf({ app, zoneId }: EdgeApp, least: number): Promise<Record<string, number>> {
  const query = `query($zoneTag: String!) { viewer { zones(filter: { zoneTag: $zoneTag }) {
    firewallEventsAdaptive(limit: 100, filter: {}) { action } } } }`;
  let actions: string[] = [];
  await until("the events are stored", async () => {
    const { data } = await queryGraphql(app, query, { zoneTag: zoneId });
    actions = data.viewer.zones[0].firewallEventsAdaptive.map(({ action }: { action: string }) => action);
    return actions.length >= least;
  });
  return Object.fromEntries(
    Map.groupBy(actions, (action) => action)
      .entries()
      .map(([action, { length }]) => [action, length]),
  );
}
