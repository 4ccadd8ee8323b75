import type { Phase, Rule } from "./rule.ts";

/** Rules that are ready to judge requests. */
export interface RuleSet {
  /** What the rules call themselves: `OWASP_CRS/3.3.4`. */
  readonly version: string | undefined;
  readonly rules: readonly Rule[];
  readonly phases: Readonly<Record<Phase, readonly Rule[]>>;
  /** The positions of markers. */
  readonly markers: ReadonlyMap<string, number>;
}
