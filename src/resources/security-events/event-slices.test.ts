import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { queryGraphql, recordEvents } from "../../../test/support/security-event-api.ts";
import { openStore } from "../../../test/support/store.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { countSecurityEvents } from "./count-events.ts";
import { conditionOf, timesOf } from "./filter.ts";
import { selectEventGroups, sliceSecurityEvents } from "./store.ts";

const times = [
  "2026-01-02T03:04:05Z",
  "2026-01-02T03:04:06Z",
  "2026-01-02T03:05:00Z",
  "2026-01-03T00:00:00Z",
].map((time) => toTimestamp(new Date(time)));

onComparedEngines("slices of security events", (engine) => {
  test("no slice has more events than it may, and each event between two times is in one of them", async (t) => {
    const app = await startTestApp(t, engine);
    const [zoneId, otherId] = [await app.createZone("example.com"), await app.createZone("other.example")];
    const counts = [7, 1, 0, 12];
    const events = times.flatMap((on, place) =>
      Array.from({ length: counts[place] ?? 0 }, (_, index) => ({ on, path: `/${place}/${index}` })),
    );
    await recordEvents(t, app, zoneId, events);
    await recordEvents(t, app, otherId, events);
    const db = (await openStore(t, app)).read;
    const time = fc.option(fc.constantFrom(...times), { nil: undefined });
    const order = fc.constantFrom("asc" as const, "desc" as const);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        time,
        time,
        order,
        async (size, from, until, direction) => {
          const condition = conditionOf({ datetime_geq: from, datetime_leq: until });
          const asked = { condition, dimensions: ["clientRequestPath"] as const };
          const paths = new Set<unknown>();
          let counted = 0;
          const sliced = { ...timesOf(condition), direction, size };
          for await (const slice of sliceSecurityEvents(db, zoneId, sliced)) {
            const groups = await selectEventGroups(db, zoneId, { ...asked, slice });
            assert.ok(groups.length <= size, `${groups.length} events in a slice of ${size}`);
            for (const { values } of groups) paths.add(values[0]);
            counted += groups.length;
          }
          const between = events.filter(({ on }) => on >= (from ?? "") && on <= (until ?? "3"));
          assert.deepEqual(paths, new Set(between.map(({ path }) => path)));
          assert.equal(counted, between.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("events of several slices are counted, put in order and limited as those of one are", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("busy.example");
    // Code points above U+FFFF come after all others.
    const paths = ["/a", "/B", "/\u{1F600}", "/\uFFFD", "/ü", "/", "/aa"];
    const events = Array.from({ length: 10_500 }, (_, index) => ({
      on: times[index % 2] ?? "",
      path: paths[index % paths.length] ?? "",
      query: String(index >> 1),
      edgeStatus: 200 + (index % 3),
    }));
    await recordEvents(t, app, zoneId, events);
    const groupsOf = async (dimensions: string, given: string) => {
      const { data, errors } = await queryGraphql(
        app,
        `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) {
          firewallEventsAdaptiveGroups(${given}) { count dimensions { ${dimensions} } }
        } } }`,
      );
      assert.equal(errors, null, JSON.stringify(errors));
      const groups = data.viewer.zones[0].firewallEventsAdaptiveGroups as {
        count: number;
        dimensions: object;
      }[];
      return groups.map(({ count, dimensions: values }) => [count, Object.values(values)]);
    };
    const inOrder = paths.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    assert.deepEqual(
      await groupsOf("clientRequestPath", "limit: 5, orderBy: [clientRequestPath_DESC]"),
      inOrder
        .toReversed()
        .slice(0, 5)
        .map((path) => [1_500, [path]]),
    );
    assert.deepEqual(
      await groupsOf("edgeResponseStatus date", "orderBy: [edgeResponseStatus_DESC]"),
      [202, 201, 200].map((status) => [3_500, [status, "2026-01-02"]]),
    );
    const queries = Array.from({ length: 5_250 }, (_, index) => String(index)).toSorted();
    assert.deepEqual(
      await groupsOf("clientRequestQuery", "limit: 6000"),
      queries.map((query) => [2, [query]]),
    );
    assert.deepEqual(
      await groupsOf("clientRequestQuery", `filter: { datetime_gt: "${times[0]}", clientRequestQuery: "7" }`),
      [[1, ["7"]]],
    );
  });

  test("rare events are found in all slices, the first of them in either direction", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("busy.example");
    const events = Array.from({ length: 10_500 }, (_, index) => ({
      on: times[Math.floor(index / 3_000)] ?? "",
      path: index % 1_000 === 7 ? `/rare/${index}` : "/usual",
    }));
    await recordEvents(t, app, zoneId, events);
    const found = async (given: string) => {
      const { data, errors } = await queryGraphql(
        app,
        `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) {
          firewallEventsAdaptive(${given}) { clientRequestPath }
        } } }`,
      );
      assert.equal(errors, null, JSON.stringify(errors));
      const listed = data.viewer.zones[0].firewallEventsAdaptive as { clientRequestPath: string }[];
      return listed.map(({ clientRequestPath: path }) => path);
    };
    const rare = events.flatMap(({ path }) => (path === "/usual" ? [] : [path]));
    const filter = `filter: { clientRequestPath_neq: "/usual" }`;
    assert.equal(rare.length, 11);
    assert.deepEqual(await found(`${filter}, limit: 100, orderBy: [datetime_ASC]`), rare);
    assert.deepEqual(await found(`${filter}, limit: 100, orderBy: [datetime_DESC]`), rare.toReversed());
    assert.deepEqual(await found(`${filter}, limit: 4, orderBy: [datetime_ASC]`), rare.slice(0, 4));
    assert.deepEqual(
      await found(`${filter}, limit: 4, orderBy: [datetime_DESC]`),
      rare.slice(-4).toReversed(),
    );
    assert.deepEqual(await found(`filter: { clientRequestPath: "/none" }, limit: 4`), []);
    const listed = await found("limit: 6000, orderBy: [datetime_DESC]");
    assert.deepEqual(
      listed,
      events
        .slice(-6_000)
        .map(({ path }) => path)
        .toReversed(),
    );
  });

  test("a count of too many events, or whose groups are too large together, says what would make it smaller", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    const on = times[0] ?? "";
    await recordEvents(t, app, zoneId, [
      { on, path: "/a" },
      { on, path: "/b" },
      { on, path: "/b" },
    ]);
    const db = (await openStore(t, app)).read;
    const count = async (events: number, characters: number) =>
      countSecurityEvents(
        db,
        zoneId,
        { filter: {}, dimensions: ["clientRequestPath"], orders: [], limit: 1 },
        { events, characters },
      );
    const [a, b] = [["/a"], ["/b"]].map((values) => JSON.stringify(values).length);
    assert.deepEqual(await count(3, Number(a) + Number(b)), [
      { rows: 2, count: 2, dimensions: { clientRequestPath: "/b" } },
    ]);
    await assert.rejects(count(2, 100), /^Error: more than 2 events .*: narrow its time$/);
    await assert.rejects(count(3, 11), /too large together: narrow the time, or ask for fewer dimensions$/);
  });
});
