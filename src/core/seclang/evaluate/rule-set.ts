import type { Phase, Rule } from "./rule.ts";

export interface RuleSet {
  /** The component signature of the rules: `OWASP_CRS/3.3.4`. */
  readonly version: string | undefined;
  readonly rules: readonly Rule[];
  readonly phases: Readonly<Record<Phase, readonly Rule[]>>;
  readonly markers: ReadonlyMap<string, number>;
}
