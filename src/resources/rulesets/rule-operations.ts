import { addRule, redefineRule, removeRule } from "../../core/rulesets/edit-rules.ts";
import { fromJson } from "../../storage/columns.ts";
import { ruleContextFor, findOwnRuleset, makingOf, saveVersion, type RulesetChange } from "./change.ts";
import type { Level, RulesetWrite } from "./levels.ts";
import { DryRunQuery, PositionedRuleBody, Ruleset } from "./schema.ts";
import { prepareChecks } from "../../operation/expression-checks.ts";

/** Operations on one rule; each adds a version of the ruleset and answers it. */
export function ruleOperations({ level, path, of, write }: Level) {
  const isZone = level === "zone";
  return [
    /** Appends the rule unless it has a position. Errors: as `replaceRuleset`. */
    write({
      name: isZone ? "createRule" : "createAccountRule",
      summary: `Add a rule to a ruleset ${of}`,
      method: "POST",
      path: `${path}/{ruleset_id}/rules`,
      permission: "write",
      query: DryRunQuery,
      body: PositionedRuleBody,
      result: Ruleset,
      prepare: prepareChecks(),
      run: async (work: RulesetWrite, { params, query, body, prepared: engine }) => {
        const change = { ...work, engine, dryRun: query.dry_run ?? false };
        return saveRule(change, "rule_create", params.ruleset_id, body, addRule);
      },
    }),
    /** Errors: as `createRule`, and 404 code 20302. */
    write({
      name: isZone ? "editRule" : "editAccountRule",
      summary: `Replace the definition of a rule of a ruleset ${of}, or move it`,
      method: "PATCH",
      path: `${path}/{ruleset_id}/rules/{rule_id}`,
      permission: "write",
      query: DryRunQuery,
      body: PositionedRuleBody,
      result: Ruleset,
      prepare: prepareChecks(),
      run: async (work: RulesetWrite, { params, query, body, prepared: engine }) => {
        const change = { ...work, engine, dryRun: query.dry_run ?? false };
        return saveRule(change, "rule_edit", params.ruleset_id, body, (rules, ...made) =>
          redefineRule(rules, params.rule_id, ...made),
        );
      },
    }),
    /** Errors: 400 code 20310 for a managed ruleset, 404 code 20300 or 20302. */
    write({
      name: isZone ? "deleteRule" : "deleteAccountRule",
      summary: `Delete a rule of a ruleset ${of}`,
      method: "DELETE",
      path: `${path}/{ruleset_id}/rules/{rule_id}`,
      permission: "write",
      query: DryRunQuery,
      result: Ruleset,
      run: async (work: RulesetWrite, { params, query }) => {
        const stored = await findOwnRuleset(work, params.ruleset_id);
        const rules = removeRule(fromJson(stored.rules), params.rule_id);
        const change = { ...work, dryRun: query.dry_run ?? false };
        return saveVersion(change, "rule_delete", { ...stored, rules }, stored);
      },
    }),
  ];
}

async function saveRule(
  change: RulesetChange,
  action: "rule_create" | "rule_edit",
  rulesetId: string,
  body: unknown,
  edit: typeof addRule,
) {
  const stored = await findOwnRuleset(change, rulesetId);
  const checks = await ruleContextFor(change, stored, body);
  const rules = edit(fromJson(stored.rules), body, checks, makingOf(change));
  return saveVersion(change, action, { ...stored, rules }, stored);
}
