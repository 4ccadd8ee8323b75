import type { ActionParameters } from "../action-parameters.ts";
import type { Action } from "../phases.ts";

/** A rule of a managed ruleset in the catalogue. */
export interface CatalogueRule {
  /** 32 hexadecimal characters. Never changes, as overrides and events name it. */
  readonly id: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** `block` where it is left out. */
  readonly action?: Action;
  readonly action_parameters?: ActionParameters;
  /** True where it is left out. */
  readonly enabled?: boolean;
  readonly expression: string;
  /** The version of the ruleset that added it; 1 by default. */
  readonly since?: number;
  /** The id of the rule of the previous version that it continues. */
  readonly continues?: string;
  /** The sum of scores from which it acts. */
  readonly score_threshold?: number;
}
