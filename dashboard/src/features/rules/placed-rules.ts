import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { ApiError } from "../../api/api-error.ts";

export interface PlacedRule {
  readonly rule: Rule;
  /** From 1 on. */
  readonly place: number;
}

interface Listing {
  readonly isLoading: boolean;
  readonly error: ApiError | null;
  readonly refetch: () => unknown;
}

export function placedRules(rules: readonly Rule[], { isLoading, error, refetch }: Listing) {
  const result = rules.map((rule, index): PlacedRule => ({ rule, place: index + 1 }));
  return {
    data: isLoading || error !== null ? undefined : { result, messages: [] },
    error,
    isPlaceholderData: false,
    refetch,
  };
}
