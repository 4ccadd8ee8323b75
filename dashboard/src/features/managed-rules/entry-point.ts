import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import type { MigrationStatus } from "../../../../src/resources/waf-migration/schema.ts";
import { ApiError, noEntryPointCode } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { managedPhase } from "../../rule-phases.ts";

/** The versions of the managed rules that are in force: the previous one, both, or the new one. */
export type MigrationState = MigrationStatus["migration_state"];

/** The migration that goes on to the new version. */
export const phaseTwo = { phase_two: "1" } as const;

const noRules: readonly Rule[] = [];

/** The rules that run managed rulesets in a zone. */
interface EntryPoint {
  /** Undefined where no rule was ever made, and until it is there. */
  readonly ruleset: Ruleset | undefined;
  readonly rules: readonly Rule[];
  readonly isLoading: boolean;
  readonly error: ApiError | null;
  readonly refetch: () => unknown;
}

/** A zone without an entry point is one without rules. */
export function useEntryPoint(zoneId: string): EntryPoint {
  const { data, error, isPending, refetch } = useApi(
    call("getEntryPoint", { zone_id: zoneId, ruleset_phase: managedPhase }),
  );
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
