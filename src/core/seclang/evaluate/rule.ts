import type { Variable } from "../parse/variables.ts";
import type { Operator } from "../operators/operator.ts";
import type { LiteralGroup } from "../operators/literal-groups.ts";
import type { Chain } from "../transform/chain.ts";
import type { Control } from "./control.ts";
import type { Macro } from "./macro.ts";
import type { SetVariable } from "./set-variable.ts";
import type { Severity } from "./severity.ts";

/** The entries of a collection that a rule inspects. */
export interface CompiledTarget {
  /** Equal targets of different rules share one index. */
  readonly index: number;
  readonly variable: Variable;
  readonly name: string | undefined;
  readonly isSelected: ((name: string) => boolean) | undefined;
  /** Whether an entry is excluded; undefined if none is. */
  readonly isExcluded: ((name: string) => boolean) | undefined;
  /** `&`: the number of entries is inspected instead of the entries. */
  readonly isCount: boolean;
}

export interface CompiledTargets {
  readonly text: string;
  /** Equal target lists of different rules share one index. */
  readonly index: number;
  /** Whether the selected entries change only when the request or the response is set. */
  readonly isFixed: boolean;
  /** Whether the selected entries change only when a rule stores a value. */
  readonly isStored: boolean;
  readonly included: readonly CompiledTarget[];
}

/** One rule of a chain; most chains have only one. */
export interface Link {
  readonly test: Test | undefined;
  readonly setVariables: readonly SetVariable[];
  readonly controls: readonly Control[];
}

export interface Test {
  readonly targets: CompiledTargets;
  /**
   * The transformations after which the operator runs: one chain, or with `multiMatch` also every prefix of
   * it.
   */
  readonly chains: readonly Chain[];
  readonly operator: Operator;
  /** Literals at least one of which a value must contain to match. */
  readonly literals: LiteralGroup | undefined;
  /**
   * Shared by tests with the same targets and transformations whose literals are in the same filter.
   * Undefined if the absence of literals does not rule out a match.
   */
  readonly sharedIndex: number | undefined;
  readonly isNegated: boolean;
  /** Whether `TX:0` to `TX:9` are set to the operator's captures. */
  readonly captures: boolean;
}

export type Phase = 1 | 2 | 3 | 4 | 5;

/** A rule: its first link and those chained to it. */
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
  readonly skipAfter: string | undefined;
  readonly skip: number;
  readonly position: number;
}
