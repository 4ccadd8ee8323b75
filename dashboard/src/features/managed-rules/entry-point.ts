import { ApiError } from "../../api/api-error.ts";
import { useApi } from "../../api/query.ts";
import { managedEntryPoint, noEntryPointCode, type Rule, type Ruleset } from "../../api/rulesets.ts";
import { zonePath } from "../../api/zones.ts";

const noRules: readonly Rule[] = [];

/** The rules that run managed rulesets in a zone. */
export interface EntryPoint {
  /** Undefined where no rule was ever made, and until it is there. */
  readonly ruleset: Ruleset | undefined;
  readonly rules: readonly Rule[];
  readonly isLoading: boolean;
  readonly error: ApiError | null;
  readonly refetch: () => unknown;
}

/** A zone without an entry point is one without rules. */
export function useEntryPoint(zoneId: string): EntryPoint {
  const { data, error, isPending, refetch } = useApi(managedEntryPoint(zonePath(zoneId)));
  const isNone = error?.hasCode(noEntryPointCode) === true;
  const ruleset = isNone ? undefined : data?.result;
  return {
    ruleset,
    rules: ruleset?.rules ?? noRules,
    isLoading: isPending,
    error: isNone ? null : error,
    refetch,
  };
}
