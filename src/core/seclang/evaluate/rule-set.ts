import type { Phase, Rule } from "./rule.ts";

/** Compiled rules. */
export interface RuleSet {
  /** The component signature of the rules: `OWASP_CRS/3.3.4`. */
  readonly version: string | undefined;
  readonly rules: readonly Rule[];
  readonly phases: Readonly<Record<Phase, readonly Rule[]>>;
  /** The positions of markers among the rules, by name. */
  readonly markers: ReadonlyMap<string, number>;
}
