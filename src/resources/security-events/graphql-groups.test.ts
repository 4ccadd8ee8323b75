import assert from "node:assert/strict";
import { before, test } from "node:test";

import * as fc from "fast-check";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { queryGraphql, recordEvents } from "../../../test/support/security-event-api.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { addAccount, addZone } from "../../../test/support/store.ts";

/** Prometheus exporters send this query. */
const exporterQuery = `query ($zoneIDs: [String!], $mintime: Time!, $maxtime: Time!, $limit: uint64!) {
  viewer { zones(filter: { zoneTag_in: $zoneIDs }) {
    zoneTag
    firewallEventsAdaptiveGroups(limit: $limit, filter: { datetime_geq: $mintime, datetime_lt: $maxtime }) {
      count
      dimensions { action source ruleId clientRequestHTTPHost clientCountryName }
    }
  } }
}`;
const wholeDay = { mintime: "2026-01-02T00:00:00Z", maxtime: "2026-01-03T00:00:00Z" };

const recorded = [
  { on: "2026-01-02T03:04:05Z", action: "block", path: "/a", country: "GB" },
  { on: "2026-01-02T03:04:45Z", action: "block", path: "/b", country: "GB" },
  { on: "2026-01-02T03:59:00Z", action: "log", path: "/a", country: "GB" },
  { on: "2026-01-02T04:00:00Z", action: "block", path: "/a", country: "BR" },
  { on: "2026-01-03T00:00:00Z", action: "block", path: "/a", country: "GB" },
];

onComparedEngines("firewallEventsAdaptiveGroups", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let zoneId: string;
  let otherZoneId: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    [zoneId, otherZoneId] = [await app.createZone("example.com"), await app.createZone("other.example")];
    await recordEvents(suite, app, zoneId, recorded);
    await recordEvents(suite, app, otherZoneId, recorded.slice(0, 1));
  });
  const groupsOf = async (selection: string, given = "") => {
    const { data, errors } = await queryGraphql(
      app,
      `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptiveGroups${given} ${selection} } } }`,
    );
    assert.equal(errors, null, JSON.stringify(errors));
    return data.viewer.zones[0].firewallEventsAdaptiveGroups as unknown[];
  };
  const messageOf = async (query: string, variables?: object) => {
    const { data, errors } = await queryGraphql(app, query, variables);
    assert.equal(data, null);
    return errors?.[0]?.message ?? "";
  };

  test("counts the events of several zones as exporters ask for them", async () => {
    const zoneIDs = [otherZoneId, zoneId, otherZoneId];
    const { data, errors } = await queryGraphql(app, exporterQuery, { zoneIDs, ...wholeDay, limit: 9999 });
    assert.equal(errors, null);
    const common = {
      source: "firewallManaged",
      ruleId: "23ee7cebe6e8443e99ecf932ab579455",
      clientRequestHTTPHost: "www.example.com",
    };
    const group = (count: number, action: string, clientCountryName: string) => ({
      count,
      dimensions: { action, ...common, clientCountryName },
    });
    assert.deepEqual(data.viewer.zones, [
      { zoneTag: otherZoneId, firewallEventsAdaptiveGroups: [group(1, "block", "GB")] },
      {
        zoneTag: zoneId,
        firewallEventsAdaptiveGroups: [
          group(2, "block", "GB"),
          group(1, "block", "BR"),
          group(1, "log", "GB"),
        ],
      },
    ]);
  });

  test("counts by periods, in the order that is asked for, and as many groups as the limit says", async () => {
    const hours = "{ count dimensions { datetimeHour } }";
    assert.deepEqual(await groupsOf(hours, "(orderBy: [datetimeHour_DESC], limit: 2)"), [
      { count: 1, dimensions: { datetimeHour: "2026-01-03T00:00:00Z" } },
      { count: 1, dimensions: { datetimeHour: "2026-01-02T04:00:00Z" } },
    ]);
    const days = "{ count dimensions { date action } }";
    assert.deepEqual(await groupsOf(days, "(orderBy: [count_ASC, date_DESC])"), [
      { count: 1, dimensions: { date: "2026-01-03", action: "block" } },
      { count: 1, dimensions: { date: "2026-01-02", action: "log" } },
      { count: 3, dimensions: { date: "2026-01-02", action: "block" } },
    ]);
    const minutes = `{ count dimensions { datetimeMinute } }`;
    assert.deepEqual((await groupsOf(minutes, `(filter: { action: "block" })`))[0], {
      count: 2,
      dimensions: { datetimeMinute: "2026-01-02T03:04:00Z" },
    });
    assert.deepEqual((await groupsOf("{ dimensions { datetime } }", "(orderBy: [datetime_ASC])"))[0], {
      dimensions: { datetime: "2026-01-02T03:04:05Z" },
    });
  });

  test("an order that is repeated thousands of times says what it says once", async () => {
    const days = "{ count dimensions { date action } }";
    const { data, errors } = await queryGraphql(
      app,
      `query ($orders: [FirewallEventsAdaptiveGroupsOrderBy!]) { viewer { zones(filter: { zoneTag: "${zoneId}" }) {
        firewallEventsAdaptiveGroups(orderBy: $orders) ${days}
      } } }`,
      { orders: Array.from({ length: 3_000 }, () => ["count_ASC", "date_DESC"]).flat() },
    );
    assert.equal(errors, null, JSON.stringify(errors));
    const { firewallEventsAdaptiveGroups: groups } = data.viewer.zones[0];
    assert.deepEqual(groups, await groupsOf(days, "(orderBy: [count_ASC, date_DESC])"));
  });

  test("counts all events where no dimension is asked for, and answers no group of none", async () => {
    assert.deepEqual(await groupsOf("{ count }"), [{ count: 5 }]);
    assert.deepEqual(await groupsOf("{ count }", `(filter: { action: "skip" })`), []);
    assert.deepEqual(await groupsOf("{ count dimensions { action } }", `(filter: { action: "skip" })`), []);
  });

  test("counts by what aliases and fragments select, and not by what directives leave out", async () => {
    const query = `query ($yes: Boolean!, $no: Boolean!) {
      viewer { zones(filter: { zoneTag: "${zoneId}" }) { found: firewallEventsAdaptiveGroups {
        ...counted
        by: dimensions { kind: action clientIP @include(if: $no) ...place @skip(if: $yes) ... { path: clientRequestPath } }
      } } }
    }
    fragment counted on FirewallEventsAdaptiveGroups { count dimensions { source } }
    fragment place on FirewallEventsAdaptiveGroupsDimensions { clientCountryName }`;
    const { data, errors } = await queryGraphql(app, query, { yes: true, no: false });
    assert.equal(errors, null, JSON.stringify(errors));
    const group = (count: number, kind: string, path: string) => ({
      count,
      dimensions: { source: "firewallManaged" },
      by: { kind, path },
    });
    assert.deepEqual(data.viewer.zones[0].found, [
      group(3, "block", "/a"),
      group(1, "block", "/b"),
      group(1, "log", "/a"),
    ]);
  });

  test("fragments that spread each other twice over take no longer than others", async () => {
    const count = 80;
    const fragments = Array.from(
      { length: count },
      (_, index) =>
        `fragment f${index} on FirewallEventsAdaptiveGroups { ...f${index + 1} ...f${index + 1} }`,
    );
    const { data, errors } = await queryGraphql(
      app,
      `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptiveGroups { ...f0 } } } }
      ${fragments.join(" ")} fragment f${count} on FirewallEventsAdaptiveGroups { count }`,
    );
    assert.equal(errors, null, JSON.stringify(errors));
    assert.deepEqual(data.viewer.zones[0].firewallEventsAdaptiveGroups, [{ count: 5 }]);
  });

  test("whatever they are counted by, the counts add up to all events", async () => {
    const names = [
      "action",
      "clientRequestPath",
      "clientCountryName",
      "edgeResponseStatus",
      "date",
      "rayName",
    ];
    await fc.assert(
      fc.asyncProperty(fc.subarray(names, { minLength: 1 }), async (asked) => {
        const groups = await groupsOf(`{ count dimensions { ${asked.join(" ")} } }`);
        const counts = groups.map((group) => (group as { count: number }).count);
        assert.equal(
          counts.reduce((sum, each) => sum + each, 0),
          recorded.length,
        );
      }),
      { numRuns: 20 },
    );
  });

  test("a query is refused that asks for a zone that the caller may not read, or for more than one may", async () => {
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Other") });
    for (const tag of [foreign, "0".repeat(32), "x"]) {
      const { data, errors } = await queryGraphql(app, exporterQuery, {
        zoneIDs: [zoneId, tag],
        ...wholeDay,
        limit: 10,
      });
      assert.deepEqual([data, errors?.[0]?.extensions.code], [null, "authz"]);
    }
    const zoneIDs = Array.from({ length: 11 }, (_, index) => String(index).padStart(32, "0"));
    const variables = { ...wholeDay, limit: 10 };
    assert.match(await messageOf(exporterQuery, { ...variables, zoneIDs }), /zones: .* at most 10/);
    assert.match(await messageOf("{ viewer { zones { zoneTag } } }"), /needs filter/);
    const from = `zones(filter: { zoneTag: "${zoneId}" })`;
    const eleven = Array.from(
      { length: 11 },
      (_, index) => `a${index}: firewallEventsAdaptiveGroups { count }`,
    );
    assert.match(await messageOf(`{ viewer { ${from} { ${eleven.join(" ")} } } }`), /at most 10 datasets/);
    assert.match(
      await messageOf(
        `{ viewer { ${from} { firewallEventsAdaptiveGroups(orderBy: [date_ASC]) { count } } } }`,
      ),
      /date is not among the dimensions/,
    );
    assert.match(
      await messageOf(`{ viewer { ${from} { firewallEventsAdaptiveGroups(limit: 0) { count } } } }`),
      /limit: must be at least 1/,
    );
  });

  test("a zone is asked for by one tag, by several, or by both", async () => {
    const zonesOf = async (filter: string) => {
      const { data } = await queryGraphql(app, `{ viewer { zones(filter: ${filter}) { zoneTag } } }`);
      return (data.viewer.zones as { zoneTag: string }[]).map(({ zoneTag }) => zoneTag);
    };
    assert.deepEqual(await zonesOf(`{ zoneTag_in: [] }`), []);
    assert.deepEqual(await zonesOf(`{ zoneTag_in: ["${zoneId}", "${otherZoneId}"] }`), [zoneId, otherZoneId]);
    assert.deepEqual(
      await zonesOf(`{ zoneTag: "${otherZoneId}", zoneTag_in: ["${zoneId}", "${otherZoneId}"] }`),
      [otherZoneId],
    );
    assert.deepEqual(await zonesOf(`{ zoneTag: "${otherZoneId}", zoneTag_in: ["${zoneId}"] }`), []);
  });
});
