import type { ExpressionLimits } from "./limits.ts";
import type { Phase, Plan } from "./phases.ts";
import type { PatternTaker } from "./regex-engine.ts";
import type { ValueType } from "./value-type.ts";

export interface ParseOptions {
  /** Those of a rule by default. */
  readonly limits?: ExpressionLimits;
  /** Refuses what is not available in the phase. */
  readonly phase?: Phase | undefined;
  /** Also accepts what is available in this phase. */
  readonly laterPhase?: Phase | undefined;
  /** Refuses what the plan does not include. */
  readonly plan?: Plan | undefined;
  /** The valid types of a value expression; any by default. */
  readonly valueTypes?: readonly ValueType[];
  /** Checks regular expressions; not checked by default. */
  readonly patterns?: PatternTaker;
}
