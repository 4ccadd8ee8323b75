import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { pathsOf, recordEvents, withEvents } from "../../../test/support/security-event-api.ts";

onComparedEngines("filters of queryGraphql", (engine) => {
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
    await recordEvents(t, app, zoneId, events);
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
});
