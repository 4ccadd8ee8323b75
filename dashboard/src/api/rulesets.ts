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

export const rulesetsPath = (zoneId: string): string => path`/zones/${zoneId}/rulesets`;

const managedPhase = "http_request_firewall_managed";

export const managedEntryPointPath = (zoneId: string): string =>
  path`/zones/${zoneId}/rulesets/phases/${managedPhase}/entrypoint`;

export const isManagedRuleset = ({ kind, phase }: RulesetHead): boolean =>
  kind === "managed" && phase === managedPhase;

/** 404 code 10003 where no rule was ever made. */
export const managedEntryPoint = (zoneId: string): ApiCall<Ruleset> => ({
  method: "GET",
  path: managedEntryPointPath(zoneId),
});

export const noEntryPointCode = 10003;

export const replaceManagedEntryPoint = (zoneId: string, body: RulesetBody): ApiCall<Ruleset> => ({
  method: "PUT",
  path: managedEntryPointPath(zoneId),
  body,
});

export const listRulesets = (zoneId: string): ApiCall<RulesetHead[]> => ({
  method: "GET",
  path: rulesetsPath(zoneId),
});

export const rulesetOf = (zoneId: string, rulesetId: string): ApiCall<Ruleset> => ({
  method: "GET",
  path: path`/zones/${zoneId}/rulesets/${rulesetId}`,
});

export const createRule = (zoneId: string, rulesetId: string, body: RuleBody): ApiCall<Ruleset> => ({
  method: "POST",
  path: path`/zones/${zoneId}/rulesets/${rulesetId}/rules`,
  body,
});

const rulePath = (zoneId: string, rulesetId: string, ruleId: string): string =>
  path`/zones/${zoneId}/rulesets/${rulesetId}/rules/${ruleId}`;

/** A position alone leaves what the rule says. */
export const editRule = (
  zoneId: string,
  rulesetId: string,
  ruleId: string,
  body: RuleBody | RulePosition,
): ApiCall<Ruleset> => ({ method: "PATCH", path: rulePath(zoneId, rulesetId, ruleId), body });

export const deleteRule = (zoneId: string, rulesetId: string, ruleId: string): ApiCall<Ruleset> => ({
  method: "DELETE",
  path: rulePath(zoneId, rulesetId, ruleId),
});
