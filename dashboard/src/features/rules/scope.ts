import { useParams } from "@tanstack/react-router";

import { planOrder, type Phase, type Plan } from "../../../../src/core/expression/phases.ts";
import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import { type ApiError, noEntryPointCode } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { isPhase, type RulesetOwner } from "../../rule-phases.ts";

/** The zone or account whose rules a page is about. */
export interface RulesScope {
  readonly level: "zone" | "account";
  readonly id: string;
  readonly owner: RulesetOwner;
  /** Its address in the dashboard. */
  readonly path: string;
  /** Undefined until it is there. */
  readonly name: string | undefined;
  readonly accountId: string | undefined;
  /** Expressions of an account are not bound to a plan. */
  readonly plan: Plan | undefined;
}

export function useRulesScope(): RulesScope {
  const { zoneId = "", accountId = "" } = useParams({ strict: false });
  const isZone = zoneId !== "";
  const zone = useApi(call("getZone", { zone_id: zoneId }), { enabled: isZone }).data?.result;
  const account = useApi(call("getAccount", { account_id: accountId }), { enabled: !isZone }).data?.result;
  return isZone
    ? {
        level: "zone",
        id: zoneId,
        owner: { zone_id: zoneId },
        path: `/zones/${zoneId}`,
        name: zone?.name,
        accountId: zone?.account.id,
        plan: planOrder.find((plan) => plan === zone?.plan.legacy_id),
      }
    : {
        level: "account",
        id: accountId,
        owner: { account_id: accountId },
        path: `/accounts/${accountId}`,
        name: account?.name,
        accountId,
        plan: undefined,
      };
}

/** The rules of a page: of the entry point of a phase, or of a ruleset of an account. */
export interface RulesPlace {
  /** The part of the address that names the place: the phase, or the id of the ruleset. */
  readonly key: string;
  readonly phase: Phase | undefined;
  /** Undefined until it is there, and for an entry point without rules. */
  readonly ruleset: Ruleset | undefined;
  readonly isLoading: boolean;
  readonly error: ApiError | null;
  readonly refetch: () => unknown;
}

export function useRulesPlace(scope: RulesScope): RulesPlace {
  const { ruleset: key = "" } = useParams({ strict: false });
  const request = callOf(scope, key);
  const { data, error, isPending, refetch } = useApi(request);
  const isNone = error?.hasCode(noEntryPointCode) === true;
  const ruleset = isNone ? undefined : data?.result;
  return {
    key,
    phase: isPhase(key) ? key : ruleset?.phase,
    ruleset,
    isLoading: isPending,
    error: isNone ? null : error,
    refetch,
  };
}

/** The call that reads the rules of a place. */
export const callOf = ({ owner }: RulesScope, key: string) =>
  isPhase(key)
    ? call("getEntryPoint", { ...owner, ruleset_phase: key })
    : call("getRuleset", { ...owner, ruleset_id: key });

/** The address of the rules of a scope, or of a page below them. */
export const addressOf = ({ path }: RulesScope, ...parts: readonly string[]): string =>
  [`${path}/rules`, ...parts].join("/");
