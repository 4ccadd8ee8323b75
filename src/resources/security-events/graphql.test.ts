import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines } from "../../../test/support/harness.ts";
import {
  blocking,
  queryGraphql,
  documentedQuery,
  withEvents,
} from "../../../test/support/security-event-api.ts";
import { addAccount, addToken, addZone } from "../../../test/support/store.ts";

onComparedEngines("queryGraphql", (engine) => {
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
    assert.deepEqual(await queryGraphql(app, documentedQuery, variables), {
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
    const { data } = await queryGraphql(
      app,
      `{ viewer { zones(filter: {zoneTag: "${zoneId}"}) { zoneTag firewallEventsAdaptive(limit: 1) {
        rayName matchIndex kind rulesetId ruleId ruleMessage metadata { key value } userAgent
        clientRequestHTTPHost clientRequestHTTPMethodName clientRequestHTTPProtocol clientRefererHost
        edgeResponseStatus originResponseStatus description clientASNDescription edgeColoName originatorRayName
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
            rulesetId: blocking.rulesetId,
            ruleId: blocking.ruleId,
            ruleMessage: "a message",
            metadata: [{ key: "key", value: "value" }],
            userAgent: "o'hare\uFFFD",
            clientRequestHTTPHost: "www.example.com",
            clientRequestHTTPMethodName: "GET",
            clientRequestHTTPProtocol: "HTTP/1.1",
            clientRefererHost: "",
            edgeResponseStatus: 403,
            originResponseStatus: 0,
            description: "a message",
            clientASNDescription: "",
            edgeColoName: "",
            originatorRayName: "",
          },
        ],
      },
    ]);
  });

  test("a zone of nobody, of somebody else and one without the permission are refused in the same words", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Foreign") });
    const dnsRead = "82e64a83756745bbbb1c9c2701bf816b";
    const resources = [{ type: "zone", id: zoneId } as const];
    const lacking = await addToken(app, app.owner.userId, [{ resources, groupIds: [dnsRead] }]);
    const refused = [
      await queryGraphql(app, documentedQuery, { zoneTag: foreign }),
      await queryGraphql(app, documentedQuery, { zoneTag: "0".repeat(32) }),
      await queryGraphql(app, documentedQuery, { zoneTag: "no zone" }),
      await queryGraphql(app, documentedQuery, { zoneTag: zoneId }, lacking),
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
    assert.equal((await queryGraphql(app, documentedQuery, { zoneTag: zoneId }, reading)).errors, null);
  });

  test("a zone is refused as one of nobody once it is deleted, although it was asked for before", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    const ask = () => queryGraphql(app, documentedQuery, { zoneTag: zoneId });
    assert.equal((await ask()).errors, null);
    assert.equal((await app.request("DELETE", `/zones/${zoneId}`)).status, 200);
    const { data, errors } = await ask();
    assert.deepEqual([data, errors?.[0]?.extensions.code], [null, "authz"]);
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
      ["query ($tag: constructor) { viewer { zones(filter: {zoneTag: $tag}) { zoneTag } } }", /Unknown type/],
      [`query A { viewer { zones { zoneTag } } } query B { viewer { zones { zoneTag } } }`, /operation name/],
      [`{ ${"a: viewer { zones { zoneTag } } ".repeat(200)} }`, /1000 tokens/],
      [documentedQuery, /nested 20 deep/, { zoneTag: zoneId, filter: nested(25) }],
      [
        documentedQuery,
        /at most 500 values/,
        { zoneTag: zoneId, filter: { action_in: Array(501).fill("log") } },
      ],
      ...[{}, { OR: [] }, { action_in: [] }, { action: null }].map(
        (part) =>
          [
            documentedQuery,
            /at most 500 values/,
            { zoneTag: zoneId, filter: { OR: Array(5_000).fill(part) } },
          ] as const,
      ),
      [documentedQuery, /integer from 0/, { zoneTag: zoneId, filter: { matchIndex: 70_000 } }],
    ];
    for (const [query, message, variables] of cases)
      await t.test(String(message), async () => {
        const { data, errors } = await queryGraphql(app, query, variables);
        assert.equal(data, null);
        assert.match(errors?.[0]?.message ?? "", message);
        assert.equal(errors?.[0]?.extensions.timestamp, "2026-01-02T03:04:05.678Z");
      });
    for (const [body, code] of [
      [{}, 1003],
      [{ query: 1 }, 1003],
      [{ query: "{ viewer }", variables: [] }, 1003],
      // Comments are no tokens.
      [{ query: `{ viewer { ${"#\n".repeat(16_384)} } }` }, 1003],
    ] as const) {
      const { status, body: reply } = await app.request("POST", "/graphql", { body });
      assert.deepEqual([status, reply.errors[0]?.code], [400, code]);
    }
  });
});
