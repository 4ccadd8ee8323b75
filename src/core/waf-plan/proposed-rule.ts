import { rulesetLimits } from "../rulesets/limits.ts";

export interface Consequence {
  readonly setting: string;
  readonly becomes: string | undefined;
}

export interface ProposedRule {
  readonly id: "";
  readonly version: "";
  readonly action: "execute" | "skip";
  readonly expression: string;
  readonly description: string;
  readonly ref: "";
  readonly enabled: boolean;
  readonly action_parameters: Readonly<Record<string, unknown>>;
  readonly logging?: { readonly enabled: boolean };
}

/** Makes a rule that skips the rest of the managed rules. */
export function skip(expression: string, description: string): ProposedRule {
  return {
    id: "",
    version: "",
    action: "skip",
    expression,
    description: shorten(description),
    ref: "",
    enabled: true,
    action_parameters: { ruleset: "current" },
    logging: { enabled: true },
  };
}

export type Execution = ProposedRule["action_parameters"];

export function execute(
  action_parameters: Execution,
  expression: string,
  enabled: boolean,
  description: string,
): ProposedRule {
  return {
    id: "",
    version: "",
    action: "execute",
    expression,
    description: shorten(description),
    ref: "",
    enabled,
    action_parameters,
  };
}

/** Shortens a description: URL patterns may exceed its limit. */
function shorten(description: string): string {
  const { descriptionLengthMax } = rulesetLimits;
  return description.length > descriptionLengthMax
    ? `${description.slice(0, descriptionLengthMax - 1)}…`
    : description;
}
