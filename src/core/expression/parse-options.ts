import type { ExpressionLimits } from "./limits.ts";
import type { Phase, Plan } from "./phases.ts";
import type { PatternTaker } from "./regex-engine.ts";
import type { ValueType } from "./value-type.ts";

export interface ParseOptions {
  /** By default those of a rule. */
  readonly limits?: ExpressionLimits;
  /** Refuses what the phase does not have. */
  readonly phase?: Phase | undefined;
  /** Also allows what this phase has. */
  readonly laterPhase?: Phase | undefined;
  /** Refuses what the plan does not include. */
  readonly plan?: Plan | undefined;
  /** The types that a value expression may have; by default any. */
  readonly valueTypes?: readonly ValueType[];
  /** Checks regular expressions; by default they are not checked. */
  readonly patterns?: PatternTaker;
}
