import { JsonText } from "../../core/json.ts";
import { phaseDefinitions } from "../../core/rulesets/phases.ts";
import type { Ruleset, RulesetHead } from "../../core/rulesets/ruleset.ts";
import { toJson } from "../../storage/columns.ts";
import type { StoredHead, StoredRuleset } from "./store.ts";

/** A ruleset in lists, without its rules. */
export function toHead(head: RulesetHead | StoredHead) {
  return { ...beginningOf(head), last_updated: head.last_updated, phase: head.phase };
}

/** A ruleset in answers; the rules are copied as stored. */
export function toAnswer(ruleset: Ruleset | StoredRuleset): JsonText {
  const rules = typeof ruleset.rules === "string" ? ruleset.rules : toJson(ruleset.rules);
  const beginning = JSON.stringify(beginningOf(ruleset)).slice(0, -1);
  const { last_updated, phase } = ruleset;
  return new JsonText(`${beginning},"rules":${rules},${JSON.stringify({ last_updated, phase }).slice(1)}`);
}

/** The first fields of an answer, in their order. */
function beginningOf({ id, name, description, kind, version, phase }: RulesetHead | StoredHead) {
  const { source } = phaseDefinitions[phase];
  return { id, name, description, ...(source !== undefined && { source }), kind, version: String(version) };
}
