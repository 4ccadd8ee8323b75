import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import {
  accountRulesets,
  custom,
  entryPoint,
  managed,
  managedRulesetId,
  zoneRulesets,
  type Refusal,
} from "../../../test/support/ruleset-api.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const block = { action: "block", expression: "true" };
const execute = (parameters: object) => ({
  action: "execute",
  expression: "true",
  action_parameters: { id: managedRulesetId, ...parameters },
});
const skip = (action_parameters: object) => ({ action: "skip", expression: "true", action_parameters });
const value = 20100;
const unknown = 20101;
const missing = 20102;

onComparedEngines("refusals of rulesets", (engine) => {
  test("rulesets of a wrong kind, phase or form are refused, and so are ids, references and positions", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const { id, rules } = await api.result("PUT", custom, { rules: [block, { ...block, ref: "b" }] });
    const ruleset = { name: "n", kind: "zone", phase: "http_ratelimit" };
    const refusals: readonly (readonly [string, string, unknown, Refusal])[] = [
      [
        "POST",
        "",
        { ...ruleset, kind: "managed" },
        {
          code: value,
          message:
            "'' is not a valid value for ShareableEntitlementName because required for managed rulesets",
          pointer: "/kind",
        },
      ],
      ["POST", "", { ...ruleset, kind: "root" }, { code: value, pointer: "/kind" }],
      ["POST", "", { ...ruleset, kind: "other" }, { code: value, pointer: "/kind" }],
      ["POST", "", { ...ruleset, phase: "never" }, { code: value, pointer: "/phase" }],
      ["POST", "", { ...ruleset, phase: "magic_transit" }, { code: value, pointer: "/phase" }],
      ["POST", "", { ...ruleset, name: "" }, { code: value, pointer: "/name" }],
      ["POST", "", { kind: "zone", phase: "ddos_l7" }, { code: missing, pointer: "/name" }],
      ["POST", "", { ...ruleset, rules: {} }, { code: value, pointer: "/rules" }],
      ["POST", "", { ...ruleset, ruels: [] }, { code: unknown, pointer: "/ruels" }],
      ["PUT", `/${id}`, { kind: "custom" }, { code: value, pointer: "/kind" }],
      ["PUT", `/${id}`, { phase: "ddos_l7" }, { code: value, pointer: "/phase" }],
      ["PUT", custom, { description: 1 }, { code: value, pointer: "/description" }],
      ["PUT", custom, { rules: [rules[0], rules[0]] }, { code: 20130, pointer: "/rules/1/id" }],
      [
        "PUT",
        custom,
        {
          rules: [
            { ...block, ref: "x" },
            { ...block, ref: "x" },
          ],
        },
        {
          code: 20130,
          pointer: "/rules/1/ref",
        },
      ],
      ["POST", `/${id}/rules`, { ...block, ref: "b" }, { code: 20130, pointer: "/ref" }],
      ["POST", `/${id}/rules`, { ...block, id: rules[0].id }, { code: value, pointer: "/id" }],
      ["PATCH", `/${id}/rules/${rules[0].id}`, { ...block, ref: "b" }, { code: 20130, pointer: "/ref" }],
      [
        "PATCH",
        `/${id}/rules/${rules[0].id}`,
        { ...block, id: rules[1].id },
        {
          code: value,
          pointer: "/id",
        },
      ],
      ["PATCH", `/${id}/rules/${rules[0].id}`, { enabled: false }, { code: missing, pointer: "/action" }],
      ["PATCH", `/${id}/rules/${unknownId}`, block, { status: 404, code: 20302 }],
      ["PATCH", `/${unknownId}/rules/${rules[0].id}`, block, { status: 404, code: 20300 }],
      ["PATCH", `/${id}/rules/x`, block, { status: 404, code: 7003 }],
      ["PUT", entryPoint("never"), { rules: [] }, { code: value, pointer: "/phase" }],
      ["GET", entryPoint("magic_transit"), undefined, { code: value, pointer: "/phase" }],
      ["GET", `/${id}/versions/x`, undefined, { status: 404, code: 7003 }],
      [
        "PUT",
        `${custom}?waf_migration=pending&phase_two=1`,
        { rules: [] },
        {
          code: 20320,
          pointer: "/waf_migration",
        },
      ],
      [
        "PUT",
        `${managed}?waf_migration=perhaps`,
        { rules: [] },
        {
          code: 1003,
          message: /pending, 1, validation, 2/,
          pointer: "/waf_migration",
        },
      ],
    ];
    for (const [method, path, body, refusal] of refusals)
      await t.test(
        JSON.stringify([method, path, body]).slice(0, 100),
        async () => await api.refuses(method, path, body, refusal),
      );
    const positions: readonly (readonly [unknown, string])[] = [
      ["first", "/position"],
      [{}, "/position"],
      [{ before: "", after: "" }, "/position"],
      [{ before: unknownId }, "/position/before"],
      [{ after: rules[0].id }, "/position/after"],
      [{ index: 0 }, "/position/index"],
      [{ index: 3 }, "/position/index"],
      [{ behind: "" }, "/position/behind"],
    ];
    for (const [position, pointer] of positions) {
      const code = pointer.endsWith("behind") ? unknown : value;
      await api.refuses("PATCH", `/${id}/rules/${rules[0].id}`, { position }, { code, pointer });
    }
  });

  test("what an account may not do is refused, and so is what the plan of a zone does not have", async (t) => {
    const app = await startTestApp(t, engine);
    const account = accountRulesets(app);
    const pointer = "/rules/0/expression";
    const conditions = ["true", 'not cf.zone.plan eq "ENT"', 'ssl or cf.zone.plan eq "ENT"'];
    for (const expression of conditions) {
      const rules = [{ ...execute({}), expression }];
      await account.refuses("PUT", managed, { rules }, { code: value, pointer });
    }
    const rule = skip({ ruleset: "current" });
    await account.refuses("PUT", custom, { rules: [rule] }, { code: 20016, pointer: "/rules/0/action" });
    await account.refuses(
      "POST",
      "",
      { name: "n", kind: "zone", phase: "ddos_l7" },
      {
        code: value,
        pointer: "/kind",
      },
    );

    const zone = await zoneRulesets(app);
    const regex = { rules: [{ ...block, expression: 'http.host matches "x"' }] };
    await zone.result("PUT", custom, regex);
    const change = await app.request("PATCH", `/zones/${zone.zoneId}`, { body: { plan: { id: "pro" } } });
    assert.equal(change.status, 200);
    await zone.refuses("PUT", custom, regex, { code: 20127, message: /not entitled/, pointer });
  });

  test("a ruleset holds so many rules and no more", async (t) => {
    const app = await startTestApp(t, engine);
    const api = await zoneRulesets(app);
    const rules = Array.from({ length: 1000 }, () => block);
    const { id } = await api.result("PUT", custom, { rules });
    await api.refuses("PUT", custom, { rules: [...rules, block] }, { code: 20131, pointer: "/rules" });
    await api.refuses("POST", `/${id}/rules`, block, { code: 20131, pointer: "" });
  });
});
