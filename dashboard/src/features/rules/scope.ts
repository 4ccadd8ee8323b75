import { useParams } from "@tanstack/react-router";

import { planOrder, type Phase, type Plan } from "../../../../src/core/expression/phases.ts";
import { accountOf, accountPath } from "../../api/accounts.ts";
import type { ApiError } from "../../api/api-error.ts";
import { useApi } from "../../api/query.ts";
import { entryPointOf, noEntryPointCode, rulesetOf, type Ruleset } from "../../api/rulesets.ts";
import { zoneOf, zonePath } from "../../api/zones.ts";
import { isPhase } from "../../rule-phases.ts";

/** The zone or account whose rules a page is about. */
export interface RulesScope {
  readonly level: "zone" | "account";
  readonly id: string;
  /** Its path in the API and, as they are the same, in the dashboard. */
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
  const zone = useApi(zoneOf(zoneId), { enabled: isZone }).data?.result;
  const account = useApi(accountOf(accountId), { enabled: !isZone }).data?.result;
  return isZone
    ? {
        level: "zone",
        id: zoneId,
        path: zonePath(zoneId),
        name: zone?.name,
        accountId: zone?.account.id,
        plan: planOrder.find((plan) => plan === zone?.plan.legacy_id),
      }
    : {
        level: "account",
        id: accountId,
        path: accountPath(accountId),
        name: account?.name,
        accountId,
        plan: undefined,
      };
}

/** The rules of a page: of the entry point of a phase, or of a ruleset of an account. */
export interface RulesPlace {
  /** As the address has it: the phase, or the id of the ruleset. */
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
  const call = callOf(scope, key);
  const { data, error, isPending, refetch } = useApi(call);
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

/** How the rules of a place are asked for. */
export const callOf = ({ path }: RulesScope, key: string) =>
  isPhase(key) ? entryPointOf(path, key) : rulesetOf(path, key);

/** The address of the rules of a scope, or of a page below them. */
export const addressOf = ({ path }: RulesScope, ...parts: readonly string[]): string =>
  [`${path}/rules`, ...parts].join("/");
