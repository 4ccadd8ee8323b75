import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import type { Exchange } from "./exchange.ts";
import { presetNames, presets, type FaultMatch, type FaultRule, faultRuleCheck } from "./fault.ts";
import type { Issue } from "../validate/rules.ts";
import { FaultSet } from "./fault-set.ts";
import { compileMatch } from "./match.ts";

const zones = ["a", "b", "c"].map((letter) => letter.repeat(32));
const operations = ["listZones", "getZone", "createZone"];
const headerValues = ["1", "2"];

const exchange: fc.Arbitrary<Exchange> = fc.record({
  listener: fc.constantFrom("api", "gateway"),
  operation: fc.constantFrom(undefined, ...operations),
  method: fc.constantFrom("GET", "POST"),
  path: fc.constantFrom("/client/v4/zones", `/client/v4/zones/${zones[0]}`, "/gateway/v1/ethereum"),
  zone: fc.constantFrom(undefined, ...zones),
  token: fc.constantFrom(undefined, ...zones),
  headers: fc.record({ "x-run": fc.constantFrom(undefined, ...headerValues) }),
  at: fc.constant(0),
});

const match: fc.Arbitrary<FaultMatch> = fc.record(
  {
    listener: fc.constantFrom("api" as const, "gateway" as const),
    operation: fc.constantFrom(...operations),
    method: fc.constantFrom("GET", "POST"),
    path: fc.constantFrom("/client/v4/zones", "/client/v4/**", "/client/v4/zones/*", "/**", "/*/v1/*"),
    zone: fc.constantFrom(...zones),
    token: fc.constantFrom(...zones),
    header: fc.record({ "X-Run": fc.constantFrom("*", ...headerValues) }),
  },
  { requiredKeys: [] },
);

const error = { type: "error" } as const;
const anyRequest: Exchange = {
  listener: "api",
  operation: undefined,
  method: "GET",
  path: "/client/v4/ips",
  zone: undefined,
  token: undefined,
  headers: {},
  at: 0,
};

const setOf = (...rules: readonly FaultRule[]): FaultSet => {
  const set = new FaultSet();
  for (const rule of rules) set.add(rule);
  return set;
};
const actsOn = (occurrence: FaultMatch, requests: number): readonly boolean[] => {
  const set = setOf({ match: occurrence, effect: error });
  return Array.from({ length: requests }, () => set.decide(anyRequest).effect !== undefined);
};

describe("a set of faults", () => {
  test("finds the same rule through its index as by asking each in turn, also after some are removed", () => {
    fc.assert(
      fc.property(
        fc.array(match, { maxLength: 30 }),
        fc.array(fc.nat(29)),
        exchange,
        (all, removed, request) => {
          const set = setOf(...all.map((each) => ({ match: each, effect: error })));
          for (const index of removed) set.remove(String(index + 1));
          const expected = all.findIndex(
            (each, index) => !removed.includes(index) && compileMatch(each).matches(request),
          );
          assert.equal(set.decide(request).fault?.id, expected === -1 ? undefined : String(expected + 1));
          assert.equal(
            set.asksForToken,
            all.some(({ token }, index) => token !== undefined && !removed.includes(index)),
          );
        },
      ),
    );
  });

  test("acts on the next N, on every Nth, and on a share that a seed decides", () => {
    assert.deepEqual(actsOn({ next: 2 }, 4), [true, true, false, false]);
    assert.deepEqual(actsOn({ every: 3 }, 6), [false, false, true, false, false, true]);
    assert.deepEqual(actsOn({ every: 2, next: 1 }, 6), [false, true, false, false, false, false]);
    assert.deepEqual(actsOn({ share: 0 }, 3), [false, false, false]);
    assert.deepEqual(actsOn({ share: 1 }, 3), [true, true, true]);
    assert.deepEqual(actsOn({ share: 0.5, seed: 7 }, 100), actsOn({ share: 0.5, seed: 7 }, 100));
    assert.notDeepEqual(actsOn({ share: 0.5, seed: 7 }, 100), actsOn({ share: 0.5, seed: 8 }, 100));
    const acted = actsOn({ share: 0.3, seed: 1 }, 10_000).filter(Boolean).length;
    assert.ok(acted > 2_700 && acted < 3_300, String(acted));
  });

  test("looks at a request no more often for a thousand rules than for one", () => {
    const reads = (rules: number): number => {
      let count = 0;
      const counting = new Proxy(anyRequest, {
        get: (target, name) => {
          count += 1;
          return Reflect.get(target, name) as unknown;
        },
      });
      const other = (index: number): FaultMatch =>
        [
          { zone: index.toString(16).padStart(32, "0") },
          { operation: `operation${index}` },
          { token: index.toString(16).padStart(32, "0") },
          { path: `/client/v4/other${index}/**` },
          { path: `/client/*/zones/{id}/${index}` },
          { header: { "x-run": String(index) } },
          { header: { [`x-run-${index}`]: "*" } },
        ][index % 7] ?? {};
      const set = setOf(
        ...Array.from({ length: rules }, (_, index) => ({ match: other(index), effect: error })),
      );
      set.decide(counting);
      return count;
    };
    assert.equal(reads(1_000), reads(7));
  });

  test("finds rules by a header of any value, and those that are left after others were removed", () => {
    const set = setOf(
      { match: { header: { "x-run": "1" } }, effect: { type: "html" } },
      { match: { header: { "X-Run": "*" } }, effect: error },
      { match: { header: { "x-other": "*" } }, effect: { type: "lost_answer" } },
    );
    const decided = (headers: Exchange["headers"]) => set.decide({ ...anyRequest, headers }).fault?.id;
    assert.deepEqual(
      [decided({ "x-run": "1" }), decided({ "x-run": "2" }), decided({})],
      ["1", "2", undefined],
    );
    set.remove("1");
    assert.deepEqual([decided({ "x-run": "1" }), decided({ "x-other": ["a", "b"] })], ["2", "3"]);
    assert.equal(set.decide({ ...anyRequest, headers: { "x-run": "*" } }).fault?.id, "2");
  });

  test("adds up delays and lets one rule act besides; one that is off does nothing", () => {
    const set = setOf(
      { effect: { type: "latency", ms: 20 } },
      { effect: { type: "latency", ms: { min: 5, max: 5 } } },
      { effect: error },
      { effect: { type: "html" } },
    );
    const { latencyMs, effect } = set.decide(anyRequest);
    assert.equal(latencyMs, 25);
    assert.equal(effect?.type, "error");
    for (const { id } of set.list()) set.switch(id, false);
    assert.deepEqual(set.decide(anyRequest), { latencyMs: 0, fault: undefined, effect: undefined });
  });

  test("leaves a request alone that cannot carry the effect, and does not count it", () => {
    const set = setOf({ match: { next: 1 }, effect: { type: "stale_read" } });
    assert.equal(set.decide({ ...anyRequest, listener: "dns" }).effect, undefined);
    assert.equal(set.decide(anyRequest, () => false).effect, undefined);
    assert.equal(set.list()[0]?.matched, 0);
    assert.equal(set.decide(anyRequest).effect?.type, "stale_read");
  });
});

const faultRuleIssues = (rule: unknown): readonly Issue[] => {
  const issues: Issue[] = [];
  faultRuleCheck(new Set(operations))(rule, "", issues);
  return issues;
};

describe("a rule of faults", () => {
  test("is refused with every error and its place", () => {
    const pointers = (rule: unknown): readonly string[] =>
      faultRuleIssues(rule).map(({ pointer }) => pointer);
    assert.deepEqual(pointers([]), [""]);
    assert.deepEqual(pointers({}), ["/effect"]);
    assert.deepEqual(pointers({ effect: { type: "explode" }, name: "" }), ["/effect/type", "/name"]);
    assert.deepEqual(pointers({ effect: {} }), ["/effect/type"]);
    assert.deepEqual(pointers({ match: { share: 2, next: 0, path: 1 }, effect: { type: "close", how: 1 } }), [
      "/match/share",
      "/match/next",
      "/match/path",
      "/effect/when",
      "/effect/how",
    ]);
    assert.deepEqual(pointers({ effect: { type: "latency", ms: { min: 9, max: 1 } } }), ["/effect/ms/max"]);
    assert.deepEqual(pointers({ match: { listener: "dns" }, effect: { type: "html" } }), ["/effect/type"]);
    assert.deepEqual(pointers({ match: { status: 200 }, effect: error }), ["/match/status"]);
  });

  test("any JSON is either accepted or refused with a place in it, and what is accepted can be decided by", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), exchange, (value, effect, request) => {
        for (const rule of [value, { match: value, effect: error }, { effect }]) {
          const issues = faultRuleIssues(rule);
          if (issues.length === 0) setOf(rule as unknown as FaultRule).decide(request);
          for (const { pointer } of issues) assert.match(pointer, /^(?:\/.*)?$/s);
        }
      }),
    );
  });

  test("every preset consists of valid rules", () => {
    for (const name of presetNames)
      for (const rule of presets[name]) assert.deepEqual(faultRuleIssues(rule), []);
  });
});
