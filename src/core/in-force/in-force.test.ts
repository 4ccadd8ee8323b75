import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { requestOf } from "../../../test/support/request-context.ts";
import { edgeSettingsOf } from "../../edge/zones/edge-zone.ts";
import { operations } from "../../server/operations.ts";
import { fieldsIn, neutralFieldText } from "../expression/field-values.ts";
import { phases, type Phase } from "../expression/phases.ts";
import { settingStages } from "../firewall-products/setting-product.ts";
import { actionValues } from "../page-rules/actions.ts";
import { pageRuleStage } from "../page-rules/page-rule.ts";
import { parseUrlPattern } from "../page-rules/url-pattern.ts";
import { parametersSchema } from "../rulesets/action-parameters.ts";
import { ManagedRulesets } from "../judging/managed-rulesets.ts";
import { actions, phaseDefinitions, requestStages, responseStages } from "../rulesets/phases.ts";
import { catalogue } from "../zone-settings/catalogue.ts";
import { initialValue } from "../zone-settings/setting.ts";
import type { InForce } from "./in-force.ts";
import { productsInForce } from "./products.ts";
import {
  actionsInForce,
  configurationInForce,
  managedRulesetsInForce,
  pageRuleActionsInForce,
  phasesInForce,
} from "./rules.ts";
import { settingsInForce } from "./settings.ts";

const sorted = (names: Iterable<string>): string[] => [...names].toSorted();

const namesAt = (rows: Readonly<Record<string, InForce>>, place: InForce["place"]): string[] =>
  sorted(Object.keys(rows).filter((name) => rows[name]?.place === place));

/** Settings that the previous version of the managed rules reads by itself. */
const ofPreviousWaf = "waf";

describe("the table of what is in force", () => {
  test("has a row for all that can be set, and no other row", () => {
    const config = parametersSchema("set_config");
    assert.ok(config?.kind === "object");
    const managed = new ManagedRulesets("").latest();
    for (const [rows, subjects] of [
      [settingsInForce, catalogue.keys()],
      [phasesInForce, phases],
      [actionsInForce, actions],
      [configurationInForce, Object.keys(config.fields)],
      [managedRulesetsInForce, managed.map(({ id }) => id)],
      [pageRuleActionsInForce, Object.keys(actionValues)],
    ] as const)
      assert.deepEqual(sorted(Object.keys(rows)), sorted(subjects));
  });

  test("gives a reason for all that is not in force", () => {
    const rows = [
      settingsInForce,
      phasesInForce,
      actionsInForce,
      configurationInForce,
      managedRulesetsInForce,
      pageRuleActionsInForce,
    ].flatMap((table) => Object.values<InForce>(table));
    for (const { place, note } of [...rows, ...productsInForce])
      assert.ok((place !== "stored" && place !== "refused") || note !== undefined);
  });

  test("says of those settings that the edge reads them, and of no other", () => {
    const read = new Set([ofPreviousWaf]);
    const value = (name: string): unknown => {
      read.add(name);
      const setting = catalogue.get(name);
      assert.ok(setting, name);
      return initialValue(setting, "enterprise");
    };
    edgeSettingsOf(value, false);
    settingStages(value, "example.com");
    assert.deepEqual(namesAt(settingsInForce, "edge"), sorted(read));
  });

  test("says of those page rule actions that they are in force which change what becomes of a request", () => {
    const url = "http://example.com/a";
    const pattern = parseUrlPattern("example.com/a", "example.com");
    assert.ok(!(pattern instanceof Error));
    const verdict = (id: string) => {
      const value = id === "forwarding_url" ? { url: "https://example.org/", status_code: 301 } : "on";
      const stage = pageRuleStage([{ id: "1", url, pattern, actions: [{ id, value }], isActive: true }]);
      return stage?.choosePageRule(requestOf(url));
    };
    const idle = verdict("nothing");
    assert.ok(idle);
    const acting = Object.keys(actionValues).filter(
      (id) => JSON.stringify(verdict(id)) !== JSON.stringify(idle),
    );
    assert.deepEqual(namesAt(pageRuleActionsInForce, "edge"), sorted([...acting, ofPreviousWaf]));
  });

  test("says of those phases that they are in force which requests and answers pass, with an action or rule that is", () => {
    const passed = new Set<string>([...requestStages, ...responseStages]);
    const managed = new ManagedRulesets("").latest();
    const acts = (phase: Phase) =>
      phaseDefinitions[phase].actions.some(
        (action) => action !== "execute" && action !== "skip" && actionsInForce[action].place === "edge",
      ) ||
      managed.some(
        (ruleset) => ruleset.phase === phase && managedRulesetsInForce[ruleset.id]?.place === "edge",
      );
    const acting = phases.filter((phase) => passed.has(phase) && acts(phase));
    assert.deepEqual(namesAt(phasesInForce, "edge"), sorted(acting));
  });

  test("says of those managed rulesets that they are in force of which a rule can match and do something", () => {
    const acting = new ManagedRulesets("")
      .latest()
      .filter(({ rules }) =>
        rules.some(
          ({ expression, action, action_parameters }) =>
            expression !== "false" &&
            (action !== "rewrite" || action_parameters !== undefined) &&
            [...fieldsIn([expression])].every((field) => neutralFieldText(field) === undefined),
        ),
      );
    assert.deepEqual(namesAt(managedRulesetsInForce, "edge"), sorted(acting.map(({ id }) => id)));
  });

  test("says how many rules of the OWASP Core Ruleset match without a release", () => {
    const [id = "", { note = "" } = {}] =
      Object.entries<InForce>(managedRulesetsInForce).find(([, row]) => row.note?.includes("crs")) ?? [];
    const rules = new ManagedRulesets("").find(id)?.rules ?? [];
    const matching = rules.filter(({ expression }) => expression !== "false");
    assert.ok(note.endsWith(`${matching.length} of its ${rules.length} rules match`), note);
  });

  test("has one row for each operation of a zone, and operations for each product that is not refused", () => {
    const isBelow = (path: string, above: string) => path === above || path.startsWith(`${above}/`);
    const rowsOf = (path: string) =>
      productsInForce.filter(({ paths }) => paths.some((above) => isBelow(path, above)));
    for (const { path } of operations) {
      if (!/^\/(?:zones|accounts)\/\{\w+\}\/./.test(path)) continue;
      assert.deepEqual(
        rowsOf(path).map(({ place }) => place === "refused"),
        [false],
        path,
      );
    }
    for (const { place, paths } of productsInForce)
      for (const above of paths)
        assert.equal(
          operations.some(({ path }) => isBelow(path, above)),
          place !== "refused",
          above,
        );
  });
});
