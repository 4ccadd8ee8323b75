import type { Phase } from "../../../src/core/expression/phases.ts";
import type { Rule } from "../../../src/core/rulesets/rule.ts";
import type { Ruleset, RulesetHead } from "../../../src/core/rulesets/ruleset.ts";
import { path, type ApiCall } from "./call.ts";

export type { Rule, Ruleset, RulesetHead };

/** What a rule says, apart from which one it is; what is sent takes the place of all that it said before. */
export type RuleBody = Omit<Rule, "id" | "ref" | "version" | "last_updated"> &
  Partial<Pick<Rule, "id" | "ref">>;

/** Where a rule moves: to a place from 1 on. */
export interface RulePosition {
  readonly position: { readonly index: number };
}

export interface RulesetBody {
  readonly name?: string;
  readonly rules: readonly object[];
}

export interface NewRuleset {
  readonly name: string;
  readonly description?: string;
  readonly kind: "zone" | "root" | "custom";
  readonly phase: Phase;
  readonly rules?: readonly object[];
}

/** Of the zone or account at `owner`: `/zones/{id}` or `/accounts/{id}`, as for all that follows. */
export const rulesetsPath = (owner: string): string => `${owner}/rulesets`;

export const managedPhase = "http_request_firewall_managed";

export const isManagedRuleset = ({ kind, phase }: RulesetHead): boolean =>
  kind === "managed" && phase === managedPhase;

export const entryPointPath = (owner: string, phase: Phase): string =>
  `${rulesetsPath(owner)}/phases/${phase}/entrypoint`;

/** 404 code 10003 where no rule was ever made. */
export const entryPointOf = (owner: string, phase: Phase): ApiCall<Ruleset> => ({
  method: "GET",
  path: entryPointPath(owner, phase),
});

export const noEntryPointCode = 10003;

export const replaceEntryPoint = (owner: string, phase: Phase, body: RulesetBody): ApiCall<Ruleset> => ({
  method: "PUT",
  path: entryPointPath(owner, phase),
  body,
});

export const managedEntryPointPath = (owner: string): string => entryPointPath(owner, managedPhase);

export const managedEntryPoint = (owner: string): ApiCall<Ruleset> => entryPointOf(owner, managedPhase);

export const listRulesets = (owner: string): ApiCall<RulesetHead[]> => ({
  method: "GET",
  path: rulesetsPath(owner),
});

export const rulesetPath = (owner: string, rulesetId: string): string =>
  rulesetsPath(owner) + path`/${rulesetId}`;

export const rulesetOf = (owner: string, rulesetId: string): ApiCall<Ruleset> => ({
  method: "GET",
  path: rulesetPath(owner, rulesetId),
});

export const createRuleset = (owner: string, body: NewRuleset): ApiCall<Ruleset> => ({
  method: "POST",
  path: rulesetsPath(owner),
  body,
});

export const deleteRuleset = (owner: string, rulesetId: string): ApiCall<null> => ({
  method: "DELETE",
  path: rulesetPath(owner, rulesetId),
});

export const createRule = (
  owner: string,
  rulesetId: string,
  body: RuleBody & Partial<RulePosition>,
): ApiCall<Ruleset> => ({
  method: "POST",
  path: `${rulesetPath(owner, rulesetId)}/rules`,
  body,
});

const rulePath = (owner: string, rulesetId: string, ruleId: string): string =>
  rulesetPath(owner, rulesetId) + path`/rules/${ruleId}`;

/** A position alone leaves what the rule says. */
export const editRule = (
  owner: string,
  rulesetId: string,
  ruleId: string,
  body: RuleBody | RulePosition,
): ApiCall<Ruleset> => ({ method: "PATCH", path: rulePath(owner, rulesetId, ruleId), body });

export const deleteRule = (owner: string, rulesetId: string, ruleId: string): ApiCall<Ruleset> => ({
  method: "DELETE",
  path: rulePath(owner, rulesetId, ruleId),
});
