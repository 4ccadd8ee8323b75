import type { Caller } from "../../core/caller.ts";
import type { JsonText } from "../../core/json-text.ts";
import { addRule, redefineRule, removeRule, type RuleMaking } from "../../core/rulesets/edit-rules.ts";
import type { RuleContext } from "../../core/rulesets/rule-context.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { fromJson } from "../../storage/columns.ts";
import { changeRulesets, findOwnRuleset, type RulesetAction, type RulesetContext } from "./change.ts";
import type { RulesetOwner } from "./owner.ts";

/** One ruleset of an owner, and how to change it. */
export interface RulesetTarget {
  readonly owner: RulesetOwner;
  readonly rulesetId: string;
  /** Check, and store nothing. */
  readonly dryRun: boolean;
}

/**
 * Adds a rule, as the last one unless the body has a position. Answers the ruleset, null on a dry run.
 * Errors: 400 with a pointer into the body, 400 code 20310 for a managed ruleset, 404 code 1001 or 20300.
 */
export async function createRule(
  context: RulesetContext,
  caller: Caller,
  target: RulesetTarget,
  body: unknown,
): Promise<JsonText | null> {
  return changeRules(context, caller, target, { action: "rule_create", body }, (rules, checks, making) =>
    addRule(rules, body, checks, making),
  );
}

/**
 * Replaces the definition of a rule, or moves it (`core/rulesets`). Answers the ruleset, null on a dry run. Errors: as
 * `createRule`, and 404 code 20302.
 */
export async function editRule(
  context: RulesetContext,
  caller: Caller,
  target: RulesetTarget,
  ruleId: string,
  body: unknown,
): Promise<JsonText | null> {
  return changeRules(context, caller, target, { action: "rule_edit", body }, (rules, checks, making) =>
    redefineRule(rules, ruleId, body, checks, making),
  );
}

/** Answers the ruleset without the rule, null on a dry run. Errors: 400 code 20310, 404 code 1001, 20300 or 20302. */
export async function deleteRule(
  context: RulesetContext,
  caller: Caller,
  target: RulesetTarget,
  ruleId: string,
): Promise<JsonText | null> {
  return changeRules(context, caller, target, { action: "rule_delete", body: undefined }, (rules) =>
    removeRule(rules, ruleId),
  );
}

async function changeRules(
  context: RulesetContext,
  caller: Caller,
  { owner, rulesetId, dryRun }: RulesetTarget,
  { action, body }: { readonly action: RulesetAction; readonly body: unknown },
  edit: (rules: readonly Rule[], checks: RuleContext, making: RuleMaking) => readonly Rule[],
): Promise<JsonText | null> {
  return changeRulesets(
    context,
    caller,
    owner,
    { dryRun, body },
    async ({ tx, contextFor, making, save }) => {
      const stored = await findOwnRuleset(context, tx, owner, rulesetId);
      const rules = edit(fromJson(stored.rules), await contextFor(stored, body), making);
      return save(action, { ...stored, rules }, stored);
    },
  );
}
