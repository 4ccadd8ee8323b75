import type { ExpressionLimits } from "./limits.ts";
import type { Phase, Plan } from "./phases.ts";
import type { PatternTaker } from "./engines.ts";
import type { ValueType } from "./value-type.ts";

export interface ParseOptions {
  /** By default those of a rule. */
  readonly limits?: ExpressionLimits;
  /** Refuses fields and functions that are not available in the phase. */
  readonly phase?: Phase | undefined;
  /** Also accepts those that are available in this phase. */
  readonly laterPhase?: Phase | undefined;
  /** Refuses those that the plan does not include. */
  readonly plan?: Plan | undefined;
  /** The valid types of a value expression; any by default. */
  readonly valueTypes?: readonly ValueType[];
  /** Checks regular expressions; not checked by default. */
  readonly patterns?: PatternTaker;
}
