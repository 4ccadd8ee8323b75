import assert from "node:assert/strict";
import { request } from "node:http";
import { test, type TestContext } from "node:test";

import { pino } from "pino";
import { Registry } from "prom-client";

import { routeTo, startOrigin } from "../../../test/support/edge-app.ts";
import { startTestApp, until } from "../../../test/support/harness.ts";
import { openStore } from "../../../test/support/store.ts";
import type { FailMode } from "../../core/judging/evaluation.ts";
import { startEdge } from "../../edge/edge.ts";
import { takeSeedsOnce } from "../../edge/challenges/puzzle.ts";
import { RateCounters } from "../../edge/rules/rate-counters.ts";
import type { ServedRequest } from "../../edge/rules/run-rules.ts";
import { clientAddressesBehind } from "../../wire/client-address.ts";
import { ActiveZones } from "../active-zones.ts";
import { ServedEdgeZones } from "./edge-zones.ts";
import { zoneSettingsOf } from "../dns/open-name-server.ts";
import { createContext, createSecrets } from "../../process/open-store.ts";
import { createRulesetContext } from "../../process/ruleset-context.ts";

/** An edge with a blocked path whose rules have to be compiled for each visit to another zone, and may not be. */
async function startUnready(t: TestContext, failMode: FailMode) {
  const origin = await startOrigin(t, (_request, response) => void response.end("of the origin"));
  const app = await startTestApp(t, "sqlite", { edge_origin_networks: ["127.0.0.0/8"] });
  const change = async (method: string, path: string, body?: object): Promise<void> => {
    const answer = await app.request(method, path, { body });
    assert.ok(answer.body.success, answer.text);
  };
  for (const name of ["one.example", "two.example"]) {
    const zone = `/zones/${await app.createZone(name)}`;
    const rules = (phase: string, rule: object): Promise<void> =>
      change("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, { rules: [rule] });
    await change("PUT", `${zone}/activation_check`);
    await change("POST", `${zone}/dns_records`, {
      type: "A",
      name: "www",
      content: "127.0.0.1",
      proxied: true,
    });
    // The first zone has its expressions for itself: those of zones that are ready are shared.
    if (name !== "one.example") continue;
    await rules("http_request_firewall_custom", {
      action: "block",
      expression: 'http.request.uri.path eq "/admin"',
    });
    await rules("http_request_origin", routeTo(origin));
  }

  const context = createRulesetContext(createContext(await openStore(t, app)), app.config.vendor);
  let isOutOfMemory = false;
  let compiledCount = 0;
  const loadExpressionEngine: typeof context.loadExpressionEngine = async () => {
    const expressions = await context.loadExpressionEngine();
    return {
      ...expressions,
      compileFilter: (source, options) => {
        if (isOutOfMemory) throw new Error("out of memory");
        const compiled = expressions.compileFilter(source, options);
        compiledCount += 1;
        const free = (): void => {
          compiledCount -= 1;
          compiled.free();
        };
        return { ...compiled, free };
      },
    };
  };
  const logger = pino({ level: "silent" });
  const index = new ActiveZones(context.db, context.now);
  t.after(() => index.stop());
  const zones = new ServedEdgeZones(
    {
      ...context,
      loadExpressionEngine,
      settings: zoneSettingsOf(app.config),
      secretBox: createSecrets(app.config),
    },
    index,
    logger,
    { readyBytesMax: 1, zonesBytesMax: 100_000_000 },
  );
  t.after(() => zones.stop());
  await zones.start();
  const judged: ServedRequest[] = [];
  const edge = await startEdge({
    http: [{ host: "127.0.0.1", port: 0 }],
    https: [],
    judge: [{ host: "127.0.0.1", port: 0 }],
    threads: 1,
    ticketKeys: Buffer.alloc(48),
    takeSeed: takeSeedsOnce(),
    counters: new RateCounters(),
    mayAsk: () => true,
    zones,
    mayBeOrigin: () => true,
    lookUpAddresses: () => Promise.resolve(undefined),
    clientAddresses: clientAddressesBehind([]),
    matchedRules: undefined,
    failMode,
    challengeKeys: () => [Buffer.alloc(32)],
    loopToken: () => "token-of-the-test",
    connectionsMax: 100,
    connectionsPerClientMax: 100,
    clientOf: () => undefined,
    connectMs: 19_000,
    watchVisits: undefined,
    originAuthorities: () => [],
    locate: () => ({}),
    askCoreRules: () => Promise.reject(new Error("no rule asks them")),
    askRuleParts: () => Promise.reject(new Error("no rule is costly")),
    judged: (served) => void judged.push(served),
    now: () => new Date(),
    logger,
    register: new Registry(),
  });
  t.after(() => edge.close());
  const visit = (path: string, host = "www.one.example"): Promise<number> =>
    send(edge.httpAddresses, path, { host });
  return {
    visit,
    ask: (path: string) =>
      send(edge.judgeAddresses, "/traefik", {
        "x-forwarded-method": "GET",
        "x-forwarded-proto": "http",
        "x-forwarded-host": "www.one.example",
        "x-forwarded-uri": path,
        "x-forwarded-for": "192.0.2.7",
      }),
    judged,
    /** From now on nothing can be compiled, and the first zone has to be. */
    runOutOfMemory: async () => {
      isOutOfMemory = true;
      await until("the rules of the first zone are dropped", async () => {
        await visit("/", "www.two.example");
        return compiledCount === 0;
      });
    },
    recover: () => (isOutOfMemory = false),
  };
}

function send([address]: readonly string[], path: string, headers: Record<string, string>): Promise<number> {
  const { hostname: host, port } = new URL(`http://${address}`);
  return new Promise((resolve, reject) => {
    const sent = { host, port, path, agent: false, headers: { "user-agent": "test", ...headers } };
    request(sent, (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0)))
      .on("error", reject)
      .end();
  });
}

const eventsOf = (judged: readonly ServedRequest[]): readonly object[] =>
  judged.flatMap(({ matches }) =>
    matches.map(({ stage, action, description, isUnjudged }) => ({ stage, action, description, isUnjudged })),
  );
const unjudged = {
  stage: "http_request_firewall_custom",
  description: "The rules of the zone could not be made ready",
  isUnjudged: true,
};

test("a request to a zone whose rules cannot be made ready is 500 with `edge_fail` = closed, and an event says why", async (t) => {
  const { visit, ask, judged, runOutOfMemory, recover } = await startUnready(t, "closed");
  assert.deepEqual([await visit("/"), await visit("/admin")], [200, 403]);
  await runOutOfMemory();
  judged.length = 0;
  assert.deepEqual([await visit("/"), await visit("/admin"), await ask("/")], [500, 500, 500]);
  const event = { ...unjudged, action: "block" };
  assert.deepEqual(eventsOf(judged), [event, event, event]);
  assert.deepEqual(
    judged.map(({ edgeStatus }) => edgeStatus),
    [500, 500, 500],
  );
  recover();
  assert.deepEqual([await visit("/"), await visit("/admin"), await ask("/")], [200, 403, 200]);
});

test("with `edge_fail` = open it goes on without them, and an event says so", async (t) => {
  const { ask, judged, runOutOfMemory, recover } = await startUnready(t, "open");
  assert.equal(await ask("/admin"), 403);
  await runOutOfMemory();
  judged.length = 0;
  assert.equal(await ask("/admin"), 200);
  assert.deepEqual(eventsOf(judged), [{ ...unjudged, action: "log" }]);
  recover();
  assert.equal(await ask("/admin"), 403);
});
