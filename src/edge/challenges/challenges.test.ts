import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { cookieOf, passChallenge, sendAnswer, solvePage } from "../../../test/support/challenge.ts";
import {
  startEdgeApp,
  startOrigin,
  type EdgeApp,
  type VisitorAnswer,
} from "../../../test/support/edge-app.ts";
import { onComparedEngines, until, type Engine } from "../../../test/support/harness.ts";
import type { Config } from "../../config/settings.ts";
import { queryGraphql } from "../../../test/support/security-event-api.ts";

const at = (path: string) => `starts_with(http.request.uri.path, "${path}")`;
const browser = { "user-agent": "a browser" };

/** An edge whose zone has a rule for each challenge; the path says which. */
async function startChallengingEdge(
  t: TestContext,
  engine: Engine,
  settings: Partial<Config> = {},
): Promise<EdgeApp> {
  const edge = await startEdgeApp(t, engine, await startOrigin(t), settings);
  await edge.change("PATCH", "/settings/challenge_ttl", { value: 300 });
  await edge.rules("http_request_firewall_custom", [
    { action: "js_challenge", expression: at("/js") },
    { action: "managed_challenge", expression: at("/managed"), description: "prove it" },
    { action: "challenge", expression: at("/interactive") },
    { action: "block", expression: at("/managed/no") },
  ]);
  await edge.untilStatus("/managed", 403);
  return edge;
}

/** Another zone, `example.net`, that challenges all visitors of its `www`. */
async function addChallengingZone({ app }: EdgeApp): Promise<void> {
  const zoneId = await app.createZone("example.net");
  const change = async (method: string, path: string, body?: object) =>
    assert.ok((await app.request(method, `/zones/${zoneId}${path}`, body && { body })).body.success);
  await change("PUT", "/activation_check");
  await change("POST", "/dns_records", { type: "A", name: "www", content: "127.0.0.1", proxied: true });
  await change("PUT", "/rulesets/phases/http_request_firewall_custom/entrypoint", {
    rules: [{ action: "js_challenge", expression: "true" }],
  });
}

const rayOf = ({ headers: { "cf-ray": ray } }: VisitorAnswer): string => String(ray).split("-")[0] ?? "";

/** The events of a request. */
async function eventsOf({ app, zoneId }: EdgeApp, answer: VisitorAnswer): Promise<object[]> {
  const query = `query($zoneTag: String!, $rayName: String!) { viewer { zones(filter: { zoneTag: $zoneTag }) {
    firewallEventsAdaptive(limit: 10, filter: { rayName: $rayName }) { action source description originatorRayName }
  } } }`;
  const { data } = await queryGraphql(app, query, { zoneTag: zoneId, rayName: rayOf(answer) });
  return data.viewer.zones[0].firewallEventsAdaptive;
}

const isChallenged = ({ status, headers }: VisitorAnswer): boolean =>
  status === 403 && headers["cf-mitigated"] === "challenge";

onComparedEngines("challenges of the edge", (engine) => {
  test("a visitor that passes a challenge is let through while that counts, and events say so", async (t) => {
    const edge = await startChallengingEdge(t, engine);
    const page = await edge.visit("/managed", { headers: browser });
    assert.ok(isChallenged(page));
    const answer = await sendAnswer(edge, solvePage(page), { headers: browser });
    assert.equal(answer.status, 200);
    assert.match(
      answer.headers["set-cookie"]?.[0] ?? "",
      /^cf_clearance=[\w-]+; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
    );
    const headers = { ...browser, cookie: `other=1; ${cookieOf(answer)}` };
    const passed = await edge.visit("/managed?q=1", { headers });
    assert.deepEqual([passed.status, passed.echo.url], [200, "/managed?q=1"]);
    assert.equal((await edge.visit("/managed/no", { headers })).status, 403, "a later rule still judges");

    const event = { source: "firewallCustom", description: "prove it", originatorRayName: "" };
    await until("the events are stored", async () => (await eventsOf(edge, passed)).length > 0);
    assert.deepEqual(await eventsOf(edge, page), [{ ...event, action: "managed_challenge" }]);
    assert.deepEqual(await eventsOf(edge, answer), [
      {
        ...event,
        action: "managed_challenge_non_interactive_solved",
        originatorRayName: rayOf(page),
      },
    ]);
    assert.deepEqual(await eventsOf(edge, passed), [{ ...event, action: "managed_challenge_bypassed" }]);

    edge.app.advance(299_000);
    assert.equal((await edge.visit("/managed", { headers })).status, 200);
    edge.app.advance(2_000);
    assert.ok(isChallenged(await edge.visit("/managed", { headers })));
  });

  test("a challenge passes for itself and for weaker ones", async (t) => {
    const edge = await startChallengingEdge(t, engine);
    const paths = ["/js", "/managed", "/interactive"];
    for (const [strength, path] of paths.entries()) {
      const cookie = await passChallenge(edge, path);
      const statuses = await Promise.all(
        paths.map(async (other) => (await edge.visit(other, { headers: { cookie } })).status),
      );
      assert.deepEqual(
        statuses,
        paths.map((_, other) => (other <= strength ? 200 : 403)),
        path,
      );
    }
  });

  test("answers that are wrong, late, repeated or another visitor's give no cookie", async (t) => {
    const edge = await startChallengingEdge(t, engine);
    await edge.change("POST", "/dns_records", {
      type: "CNAME",
      name: "shop",
      content: "localhost",
      proxied: true,
    });
    await edge.untilStatus("/js", 403, { host: "shop.example.com" });
    const refuses = async (answer: URLSearchParams, options = {}): Promise<void> => {
      const refused = await sendAnswer(edge, answer, options);
      assert.deepEqual([refused.status, refused.headers["set-cookie"]], [403, undefined]);
      assert.equal(refused.headers["cf-mitigated"], "challenge");
    };
    const solved = solvePage(await edge.visit("/js", { headers: browser }));
    const puzzle = solved.get("puzzle") ?? "";
    const changed = `${puzzle.slice(0, -2)}${puzzle.endsWith("AA") ? "BB" : "AA"}`;
    for (const answer of ["", "-1", "1e3", "9".repeat(16)])
      await refuses(new URLSearchParams({ puzzle, answer }), { headers: browser });
    await refuses(new URLSearchParams({ puzzle: changed, answer: solved.get("answer") ?? "" }), {
      headers: browser,
    });
    await refuses(new URLSearchParams(), { headers: browser });
    await refuses(solved, { headers: { "user-agent": "another browser" } });
    await refuses(solved, { headers: browser, host: "shop.example.com" });

    const first = await sendAnswer(edge, solved, { headers: browser });
    assert.equal(first.status, 200);
    await refuses(solved, { headers: browser });

    const late = solvePage(await edge.visit("/js"));
    edge.app.advance(300_000);
    await refuses(late);
  });

  test("an event tells of each answer that fails, and of none to what is no puzzle of the zone", async (t) => {
    const edge = await startChallengingEdge(t, engine);
    const failed = {
      js: "jschallenge_failed",
      managed: "managed_challenge_failed",
      interactive: "challenge_failed",
    };
    for (const [path, action] of Object.entries(failed)) {
      const page = await edge.visit(`/${path}`, { headers: browser });
      const solved = solvePage(page);
      const wrong = new URLSearchParams({ puzzle: solved.get("puzzle") ?? "", answer: "-1" });
      const answers = [
        await sendAnswer(edge, wrong, { headers: browser }),
        await sendAnswer(edge, solved, { headers: { "user-agent": "another browser" } }),
      ];
      assert.equal(
        (await sendAnswer(edge, solved, { headers: browser })).status,
        200,
        "it may be tried again",
      );
      answers.push(await sendAnswer(edge, solved, { headers: browser }));
      const late = await edge.visit(`/${path}`, { headers: browser });
      edge.app.advance(300_000);
      answers.push(await sendAnswer(edge, solvePage(late), { headers: browser }));
      for (const [index, answer] of answers.entries()) {
        await until("the event is stored", async () => (await eventsOf(edge, answer)).length > 0);
        const originator = rayOf(index === 3 ? late : page);
        assert.deepEqual(await eventsOf(edge, answer), [
          {
            action,
            source: "firewallCustom",
            description: path === "managed" ? "prove it" : "",
            originatorRayName: originator,
          },
        ]);
      }
    }

    await addChallengingZone(edge);
    const foreign = solvePage(await edge.untilStatus("/js", 403, { host: "www.example.net" }));
    const unknown = [
      await sendAnswer(edge, new URLSearchParams({ puzzle: "made-up", answer: "1" })),
      await sendAnswer(edge, foreign),
    ];
    const last = await sendAnswer(
      edge,
      new URLSearchParams({ ...Object.fromEntries(solvePage(await edge.visit("/js"))), answer: "-1" }),
    );
    await until("the last event is stored", async () => (await eventsOf(edge, last)).length > 0);
    for (const answer of unknown) {
      assert.equal(answer.status, 403);
      assert.deepEqual(await eventsOf(edge, answer), []);
    }
  });

  test("a client that fails twenty times within a minute is not heard, and makes no more events", async (t) => {
    const edge = await startChallengingEdge(t, engine, { trusted_proxies: ["127.0.0.1"] });
    const from = (address: string) => ({ headers: { ...browser, "x-forwarded-for": address } });
    const one = from("192.0.2.1");
    const solved = solvePage(await edge.visit("/js", one));
    const wrong = new URLSearchParams({ puzzle: solved.get("puzzle") ?? "", answer: "-1" });
    for (let failure = 0; failure < 20; failure += 1)
      assert.equal((await sendAnswer(edge, wrong, one)).status, 403);

    const unheard = await sendAnswer(edge, solved, one);
    assert.deepEqual(
      [unheard.status, unheard.headers["retry-after"], unheard.headers["set-cookie"]],
      [429, "60", undefined],
    );
    await passChallenge(edge, "/js", from("192.0.2.2"));
    edge.app.advance(60_000);
    const last = await sendAnswer(edge, wrong, one);
    await until("the last event is stored", async () => (await eventsOf(edge, last)).length > 0);
    assert.deepEqual(await eventsOf(edge, unheard), []);
    assert.equal((await sendAnswer(edge, solved, one)).status, 200);
  });

  test("a cookie counts for the zone, host and visitor that it was given to, and no forged one does", async (t) => {
    const edge = await startChallengingEdge(t, engine);
    await addChallengingZone(edge);
    await edge.change("POST", "/dns_records", {
      type: "CNAME",
      name: "shop",
      content: "localhost",
      proxied: true,
    });
    for (const host of ["shop.example.com", "www.example.net"]) await edge.untilStatus("/js", 403, { host });

    const cookie = await passChallenge(edge, "/interactive", { headers: browser });
    const headers = { ...browser, cookie };
    assert.equal((await edge.visit("/js", { headers })).status, 200);
    const forged = [
      "cf_clearance=",
      "cf_clearance=true",
      `${cookie.slice(0, -2)}AA`,
      `cf_clearance=${"A".repeat(200)}`,
      cookie.replace("cf_clearance", "CF_CLEARANCE"),
    ];
    for (const one of forged)
      assert.ok(isChallenged(await edge.visit("/js", { headers: { ...browser, cookie: one } })), one);
    assert.ok(isChallenged(await edge.visit("/js", { headers: { "user-agent": "another", cookie } })));
    for (const host of ["shop.example.com", "www.example.net"])
      assert.ok(isChallenged(await edge.visit("/js", { headers, host })), host);

    const puzzle = solvePage(await edge.visit("/js", { headers: browser })).get("puzzle") ?? "";
    const asCookie = { ...browser, cookie: `cf_clearance=${puzzle}` };
    assert.ok(isChallenged(await edge.visit("/js", { headers: asCookie })), "a puzzle is no clearance");
  });

  test("a challenge that another proxy shows is passed at the edge", async (t) => {
    const edge = await startChallengingEdge(t, engine, {
      edge_judge: ["127.0.0.1:0"],
      trusted_proxies: ["127.0.0.1"],
    });
    const ask = async (headers: Record<string, string> = {}) => {
      const asked = { ...browser, "x-forwarded-method": "GET", "x-forwarded-proto": "https", ...headers };
      const answer = await fetch(`http://${edge.app.edgeJudgeAddresses[0]}/traefik`, {
        headers: {
          ...asked,
          "x-forwarded-host": "www.example.com",
          "x-forwarded-uri": "/managed",
          "x-forwarded-for": "192.0.2.7",
        },
      });
      return { status: answer.status, text: await answer.text() };
    };
    const challenged = await ask();
    assert.equal(challenged.status, 403);
    const headers = { ...browser, "x-forwarded-for": "192.0.2.7" };
    const cookie = cookieOf(await sendAnswer(edge, solvePage(challenged), { headers }));
    assert.deepEqual([(await ask({ cookie })).status, (await ask()).status], [200, 403]);
  });

  test("a cookie still counts after a restart", async (t) => {
    const edge = await startChallengingEdge(t, engine);
    const cookie = await passChallenge(edge, "/managed");
    await edge.app.restart();
    assert.equal((await edge.visit("/managed", { headers: { cookie } })).status, 200);
    assert.ok(isChallenged(await edge.visit("/managed")));
  });
});
