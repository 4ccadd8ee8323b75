import type { Variable } from "../parse/variables.ts";
import type { Operator } from "../operators/operator.ts";
import type { LiteralGroup } from "../operators/literal-groups.ts";
import type { Chain } from "../transform/chain.ts";
import type { Control } from "./control.ts";
import type { Macro } from "./macro.ts";
import type { SetVariable } from "./set-variable.ts";
import type { Severity } from "./severity.ts";

/** Which entries of a collection a rule looks at. */
export interface CompiledTarget {
  /** The same target of two rules has the same one. */
  readonly index: number;
  readonly variable: Variable;
  /** In lower case. */
  readonly name: string | undefined;
  /** Undefined where all entries are meant. */
  readonly isSelected: ((name: string) => boolean) | undefined;
  /** Tells which entries are left out; undefined where none is. */
  readonly isExcluded: ((name: string) => boolean) | undefined;
  /** `&`: the number of entries is looked at instead. */
  readonly isCount: boolean;
}

export interface CompiledTargets {
  /** As they are written. */
  readonly text: string;
  /** The same targets of two rules have the same one. */
  readonly index: number;
  /** Whether what they select changes only when the request or the response is set. */
  readonly isFixed: boolean;
  /** Whether what they select changes only when a rule stores something. */
  readonly isStored: boolean;
  readonly included: readonly CompiledTarget[];
}

/** A link of a chain; most chains have one. */
export interface Link {
  /** Undefined for `SecAction`, which always matches. */
  readonly test: Test | undefined;
  readonly setVariables: readonly SetVariable[];
  readonly controls: readonly Control[];
}

export interface Test {
  readonly targets: CompiledTargets;
  /** The operator is asked after each of them: one, or with `multiMatch` all of which the last one is made. */
  readonly chains: readonly Chain[];
  readonly operator: Operator;
  /** Texts of which the operator needs one. */
  readonly literals: LiteralGroup | undefined;
  /**
   * Tests with the same targets and transformations, and texts in the same filter, have the same one. Undefined where it takes
   * more than these texts to tell that none of the values matches.
   */
  readonly sharedIndex: number | undefined;
  readonly isNegated: boolean;
  /** Whether `TX:0` to `TX:9` get what the operator found. */
  readonly captures: boolean;
}

export type Phase = 1 | 2 | 3 | 4 | 5;

/** A rule as it is judged: its first link and those that are chained to it. */
export interface Rule {
  readonly id: number;
  readonly phase: Phase;
  readonly message: string;
  readonly tags: readonly string[];
  readonly severity: Severity | undefined;
  /** Whether a match is reported. */
  readonly isLogged: boolean;
  readonly describe: Macro;
  readonly links: readonly Link[];
  /** Continue after this marker. */
  readonly skipAfter: string | undefined;
  /** The number of rules to pass over. */
  readonly skip: number;
  /** Its position among rules and markers. */
  readonly position: number;
}
