import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import * as fc from "fast-check";

import { onEachEngine, startTestApp, until, type Engine, type TestApp } from "../../../test/harness.ts";
import { addAccount, addToken, addZone, openStore } from "../../../test/store.ts";
import { uuidV7Generator } from "../../ids.ts";
import { recordSecurityEvents, type JudgedRequest, type RuleAct } from "./security-events.ts";

const request: JudgedRequest = {
  method: "GET",
  host: "www.example.com",
  path: "/a",
  query: "q=1",
  protocol: "HTTP/1.1",
  userAgent: "curl/8",
  refererHost: "",
  address: "192.0.2.7",
  country: "GB",
  edgeStatus: 403,
  originStatus: 0,
};
const act: RuleAct = {
  source: "firewallManaged",
  action: "block",
  rulesetId: "efb7b8c949ac4650a09736fc376e9aee",
  ruleId: "23ee7cebe6e8443e99ecf932ab579455",
  message: "a message",
  metadata: { key: "value" },
};

/** What a judgement leaves, `count` times, as another process writes it. */
async function record(
  t: TestContext,
  app: TestApp,
  zoneId: string,
  events: readonly (Partial<JudgedRequest & RuleAct> & { readonly on: string })[],
): Promise<void> {
  const db = await openStore(t, app);
  const newUuid = uuidV7Generator();
  for (const { on, ...rest } of events) {
    const now = () => new Date(on);
    const context = { db, now, newId: () => "0".repeat(16) + "a".repeat(16), newLogId: () => newUuid(now()) };
    const judgement = { request: { ...request, ...rest }, acts: [{ ...act, ...rest }], metadata: {} };
    assert.equal(await recordSecurityEvents(context, { id: zoneId }, [judgement]), 1);
  }
}

interface GraphqlReply {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly data: any;
  readonly errors:
    | readonly {
        readonly message: string;
        readonly path: readonly string[] | null;
        readonly extensions: { readonly timestamp: string; readonly code?: string };
      }[]
    | null;
}

async function ask(
  app: TestApp,
  query: string,
  variables?: object,
  headers?: Record<string, string>,
): Promise<GraphqlReply> {
  const answer = await app.request("POST", "/graphql", {
    body: { query, variables },
    ...(headers && { headers }),
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as unknown as GraphqlReply;
}

/** The query that the public documents show. */
const publicQuery = `query L($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject) {
  viewer { zones(filter: {zoneTag: $zoneTag}) {
    firewallEventsAdaptive(filter: $filter, limit: 10, orderBy: [datetime_DESC]) {
      action clientAsn clientCountryName clientIP clientRequestPath clientRequestQuery datetime source userAgent
    }
  } }
}`;

async function pathsOf(app: TestApp, zoneTag: string, filter: object): Promise<string[]> {
  const query = `query($zoneTag: String!, $filter: FirewallEventsAdaptiveFilter_InputObject) {
    viewer { zones(filter: {zoneTag: $zoneTag}) {
      firewallEventsAdaptive(filter: $filter, orderBy: [datetime_ASC]) { clientRequestPath }
    } }
  }`;
  const { data, errors } = await ask(app, query, { zoneTag, filter });
  assert.equal(errors, null);
  return data.viewer.zones[0].firewallEventsAdaptive.map(
    ({ clientRequestPath }: { clientRequestPath: string }) => clientRequestPath,
  );
}

async function withEvents(t: TestContext, engine: Engine) {
  const app = await startTestApp(t, engine);
  const zoneId = await app.createZone("example.com");
  await record(t, app, zoneId, [
    { on: "2026-01-02T03:00:00.900Z", path: "/1" },
    { on: "2026-01-02T03:00:01Z", path: "/2", action: "log", source: "waf", edgeStatus: 200 },
    { on: "2026-01-02T03:01:00Z", path: "/3", userAgent: "o'hare\0", address: "2001:db8::1" },
  ]);
  return { app, zoneId };
}

onEachEngine("queryGraphql", (engine) => {
  test("answers the query of the public documents as they show it", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    const variables = {
      zoneTag: zoneId,
      filter: { datetime_geq: "2026-01-02T03:00:00Z", datetime_leq: "2026-01-02T03:00:01Z" },
    };
    const event = {
      clientAsn: "",
      clientCountryName: "GB",
      clientIP: "192.0.2.7",
      clientRequestQuery: "q=1",
      userAgent: "curl/8",
    };
    assert.deepEqual(await ask(app, publicQuery, variables), {
      data: {
        viewer: {
          zones: [
            {
              firewallEventsAdaptive: [
                {
                  ...event,
                  action: "log",
                  clientRequestPath: "/2",
                  datetime: "2026-01-02T03:00:01Z",
                  source: "waf",
                },
                {
                  ...event,
                  action: "block",
                  clientRequestPath: "/1",
                  datetime: "2026-01-02T03:00:00Z",
                  source: "firewallManaged",
                },
              ],
            },
          ],
        },
      },
      errors: null,
    });
  });

  test("every field of an event can be asked for", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    const { data } = await ask(
      app,
      `{ viewer { zones(filter: {zoneTag: "${zoneId}"}) { zoneTag firewallEventsAdaptive(limit: 1) {
        rayName matchIndex kind rulesetId ruleId ruleMessage metadata { key value } userAgent
        clientRequestHTTPHost clientRequestHTTPMethodName clientRequestHTTPProtocol clientRefererHost
        edgeResponseStatus originResponseStatus
      } } } }`,
    );
    assert.deepEqual(data.viewer.zones, [
      {
        zoneTag: zoneId,
        firewallEventsAdaptive: [
          {
            rayName: "aaaaaaaaaaaaaaaa",
            matchIndex: 0,
            kind: "firewall",
            rulesetId: act.rulesetId,
            ruleId: act.ruleId,
            ruleMessage: "a message",
            metadata: [{ key: "key", value: "value" }],
            userAgent: "o'hare\uFFFD",
            clientRequestHTTPHost: "www.example.com",
            clientRequestHTTPMethodName: "GET",
            clientRequestHTTPProtocol: "HTTP/1.1",
            clientRefererHost: "",
            edgeResponseStatus: 403,
            originResponseStatus: 0,
          },
        ],
      },
    ]);
  });

  test("filters by times, texts and numbers, and by AND and OR of them", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    const all = ["/1", "/2", "/3"];
    const filters: readonly (readonly [object, readonly string[]])[] = [
      [{}, all],
      [{ datetime: "2026-01-02T04:00:00+01:00" }, ["/1"]],
      [{ datetime_gt: "2026-01-02T03:00:00Z" }, ["/2", "/3"]],
      [{ datetime_lt: "2026-01-02T03:01:00Z" }, ["/1", "/2"]],
      [{ action: "log" }, ["/2"]],
      [{ action_neq: "log" }, ["/1", "/3"]],
      [{ action: null }, all],
      [{ clientIP_in: ["2001:db8::1", "203.0.113.1"] }, ["/3"]],
      [{ clientIP_in: [] }, []],
      [{ clientIP_notin: [] }, all],
      [{ clientIP_notin: ["2001:db8::1"] }, ["/1", "/2"]],
      [{ edgeResponseStatus_geq: 400, clientIP: "192.0.2.7" }, ["/1"]],
      [{ edgeResponseStatus_lt: 400 }, ["/2"]],
      [
        { OR: [{ source: "waf" }, { AND: [{ clientRequestPath: "/3" }, { action: "block" }] }] },
        ["/2", "/3"],
      ],
      [{ OR: [] }, []],
      [{ AND: [] }, all],
      [{ userAgent: "' or 1 = 1 --" }, []],
    ];
    for (const [filter, paths] of filters) {
      assert.deepEqual(await pathsOf(app, zoneId, filter), paths, JSON.stringify(filter));
    }
  });

  test("any filter finds what a naive reading of it finds", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    const actions = ["block", "log", "skip"];
    const events = Array.from({ length: 12 }, (_, index) => ({
      on: `2026-01-02T03:00:0${index % 4}Z`,
      path: `/${index}`,
      action: actions[index % 3] ?? "",
      edgeStatus: 200 + index * 50,
    }));
    await record(t, app, zoneId, events);
    type Event = (typeof events)[number];
    interface Asked {
      readonly filter: Readonly<Record<string, unknown>>;
      readonly isMet: (event: Event) => boolean;
    }
    const seconds = fc.integer({ min: 0, max: 4 }).map((second) => `2026-01-02T03:00:0${second}Z`);
    const status = fc.integer({ min: 150, max: 850 });
    const chosen = fc.subarray([...actions, "none"]);
    const simple: fc.Arbitrary<Asked> = fc.oneof(
      chosen.map((some): Asked => ({
        filter: { action_in: some },
        isMet: ({ action }) => some.includes(action),
      })),
      chosen.map((some): Asked => ({
        filter: { action_notin: some },
        isMet: ({ action }) => !some.includes(action),
      })),
      seconds.map((time): Asked => ({ filter: { datetime_gt: time }, isMet: ({ on }) => on > time })),
      seconds.map((time): Asked => ({ filter: { datetime_leq: time }, isMet: ({ on }) => on <= time })),
      status.map((bound): Asked => ({
        filter: { edgeResponseStatus_lt: bound },
        isMet: ({ edgeStatus }) => edgeStatus < bound,
      })),
      status.map((bound): Asked => ({
        filter: { edgeResponseStatus_geq: bound, action_neq: "log" },
        isMet: ({ edgeStatus, action }) => edgeStatus >= bound && action !== "log",
      })),
    );
    const { any } = fc.letrec<{ any: Asked }>((tie) => {
      const parts = fc.array(tie("any"), { maxLength: 3 });
      const filters = (some: readonly Asked[]) => some.map(({ filter }) => filter);
      return {
        any: fc.oneof(
          { maxDepth: 2, withCrossShrink: true },
          simple,
          parts.map((some): Asked => ({
            filter: { AND: filters(some) },
            isMet: (event) => some.every(({ isMet }) => isMet(event)),
          })),
          parts.map((some): Asked => ({
            filter: { OR: filters(some) },
            isMet: (event) => some.some(({ isMet }) => isMet(event)),
          })),
        ),
      };
    });
    await fc.assert(
      fc.asyncProperty(any, async ({ filter, isMet }) => {
        const found = await pathsOf(app, zoneId, filter);
        assert.deepEqual(new Set(found), new Set(events.filter(isMet).map(({ path }) => path)));
      }),
      { numRuns: 60, seed: 6 },
    );
  });

  test("a zone of nobody, of somebody else and one without the permission are refused in the same words", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Foreign") });
    const dnsRead = "82e64a83756745bbbb1c9c2701bf816b";
    const resources = [{ type: "zone", id: zoneId } as const];
    const lacking = await addToken(app, app.owner.userId, [{ resources, groupIds: [dnsRead] }]);
    const refused = [
      await ask(app, publicQuery, { zoneTag: foreign }),
      await ask(app, publicQuery, { zoneTag: "0".repeat(32) }),
      await ask(app, publicQuery, { zoneTag: "no zone" }),
      await ask(app, publicQuery, { zoneTag: zoneId }, lacking),
    ];
    for (const reply of refused) {
      assert.deepEqual(reply, {
        data: null,
        errors: [
          {
            message: "not authorized for that zone",
            path: ["viewer", "zones"],
            extensions: { timestamp: "2026-01-02T03:04:05.678Z", code: "authz" },
          },
        ],
      });
    }
    const analyticsRead = "9c88f9c5bce24ce7af9a958ba9c504db";
    const reading = await addToken(app, app.owner.userId, [{ resources, groupIds: [analyticsRead] }]);
    assert.equal((await ask(app, publicQuery, { zoneTag: zoneId }, reading)).errors, null);
  });

  test("what is wrong with a query is said in `errors`, and never ends in a 500", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    const events = (rest: string, fields = "action") =>
      `{ viewer { zones(filter: {zoneTag: "${zoneId}"}) { firewallEventsAdaptive${rest} { ${fields} } } } }`;
    const many = (count: number, limit: number) =>
      `{ viewer { zones(filter: {zoneTag: "${zoneId}"}) { ${Array.from(
        { length: count },
        (_, index) => `a${index}: firewallEventsAdaptive(limit: ${limit}) { action }`,
      ).join(" ")} } } }`;
    const nested = (depth: number): object => (depth === 0 ? {} : { AND: [nested(depth - 1)] });
    const cases: readonly (readonly [string, RegExp, object?])[] = [
      ["", /Syntax Error/],
      ["{ viewer { zones", /Syntax Error.*line 1, column 17/],
      ["mutation { x }", /mutation/],
      ["{ viewer { zones { zoneTag } } }", /needs filter/],
      ["{ viewer { zones(filter: {zoneTag: null}) { zoneTag } } }", /needs filter/],
      [events("", "secret"), /Cannot query field/],
      [events("(limit: 0)"), /at least 1/],
      [events("(limit: -1)"), /integer from 0/],
      [events("(limit: 10001)"), /at most 10000 events/],
      [many(2, 5_001), /at most 10000 events/],
      [many(11, 1), /at most 10 datasets/],
      [events('(filter: {datetime_geq: "yesterday"})'), /must be a time/],
      [events("(filter: {action: 1})"), /must be a string/],
      [events('(filter: {action: "\\u0000"})'), /U\+0000/],
      [events("(orderBy: [clientIP_ASC])"), /does not exist/],
      [`query A { viewer { zones { zoneTag } } } query B { viewer { zones { zoneTag } } }`, /operation name/],
      [`{ ${"a: viewer { zones { zoneTag } } ".repeat(200)} }`, /1000 tokens/],
      [publicQuery, /nested 20 deep/, { zoneTag: zoneId, filter: nested(1_000) }],
      [publicQuery, /at most 500 values/, { zoneTag: zoneId, filter: { action_in: Array(501).fill("log") } }],
      [publicQuery, /integer from 0/, { zoneTag: zoneId, filter: { matchIndex: 70_000 } }],
    ];
    for (const [query, message, variables] of cases) {
      const { data, errors } = await ask(app, query, variables);
      assert.equal(data, null);
      assert.match(errors?.[0]?.message ?? "", message);
      assert.equal(errors?.[0]?.extensions.timestamp, "2026-01-02T03:04:05.678Z");
    }
    for (const [body, code] of [
      [{}, 1003],
      [{ query: 1 }, 1003],
      [{ query: "{ viewer }", variables: [] }, 1003],
    ] as const) {
      const { status, body: reply } = await app.request("POST", "/graphql", { body });
      assert.deepEqual([status, reply.errors[0]?.code], [400, code]);
    }
  });
});

onEachEngine("pruneSecurityEvents", (engine) => {
  test("a server deletes events that are too old or too many, the oldest first", async (t) => {
    const app = await startTestApp(
      t,
      engine,
      { security_event_days: 30, security_events_max: 2 },
      { securityEventRoundMs: 10 },
    );
    const zoneId = await app.createZone("example.com");
    await record(t, app, zoneId, [
      { on: "2025-12-02T03:04:04Z", path: "/too-old" },
      { on: "2025-12-03T03:04:06Z", path: "/3" },
    ]);
    await until("the old event is gone", async () => (await pathsOf(app, zoneId, {})).length === 1);
    await record(t, app, zoneId, [
      { on: "2026-01-01T00:00:00Z", path: "/2" },
      { on: "2026-01-01T00:00:00Z", path: "/1" },
    ]);
    await until("only two are left", async () => (await pathsOf(app, zoneId, {})).length === 2);
    assert.deepEqual(await pathsOf(app, zoneId, {}), ["/2", "/1"]);
  });
});
