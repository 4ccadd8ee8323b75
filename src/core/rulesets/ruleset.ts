import { phases, type Phase } from "../expression/phases.ts";
import { noLists } from "../lists/named-lists.ts";
import { rulesetLimits } from "./limits.ts";
import { phaseDefinitions } from "./phases.ts";
import type { RuleContext, RulesetKind } from "./rule-context.ts";
import type { Rule } from "./rule.ts";
import { invalidValue, notEntitledToManaged } from "./ruleset-error.ts";
import { object, oneOf, optional, required, text, type Shape } from "./shapes.ts";

export interface RulesetHead {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: RulesetKind;
  /** A decimal number that increases with every change. */
  readonly version: string;
  readonly last_updated: string;
  readonly phase: Phase;
}

export interface Ruleset extends RulesetHead {
  readonly rules: readonly Rule[];
}

export type RulesetLevel = "zone" | "account";

/** The body of a ruleset; the rules are read later, with the existing ones. */
export interface RulesetProperties {
  readonly name?: string;
  readonly description?: string;
  readonly rules?: unknown;
}

const { nameLengthMax, descriptionLengthMax } = rulesetLimits;

const isIgnored: Shape<unknown> = () => undefined;
const kinds = ["managed", "custom", "root", "zone"] as const;

const properties = {
  description: optional(text({ lengthMin: 0, lengthMax: descriptionLengthMax })),
  rules: optional<unknown>((value) => value),
  // Fields of answers that clients send back.
  id: optional(isIgnored),
  version: optional(isIgnored),
  source: optional(isIgnored),
  last_updated: optional(isIgnored),
};

const creation = object({
  name: required(text({ lengthMax: nameLengthMax })),
  kind: required(oneOf(kinds)),
  phase: required(oneOf(phases)),
  ...properties,
});

const replacement = object({
  name: optional(text({ lengthMin: 0, lengthMax: nameLengthMax })),
  kind: optional(oneOf(kinds)),
  phase: optional(oneOf(phases)),
  ...properties,
});

/** Reads the body of a new ruleset. Errors: 400 with a pointer to the first error. */
export function readNewRuleset(
  body: unknown,
  level: RulesetLevel,
): RulesetProperties &
  Pick<RulesetHead, "name" | "phase"> & { readonly kind: Exclude<RulesetKind, "managed"> } {
  const { name, kind, phase, description, rules } = creation(body, "", noContext);
  if (kind === "managed") throw notEntitledToManaged();
  if ((kind === "zone") !== (level === "zone")) {
    throw invalidValue("/kind", kind, `${level}s have no rulesets of that kind`);
  }
  refusePhaseOf(level, phase, "/phase");
  return {
    name,
    kind,
    phase,
    ...(description !== undefined && { description }),
    ...(rules !== undefined && { rules }),
  };
}

/**
 * Reads the body that replaces a ruleset. Kind and phase cannot change; omitted fields keep their values. `rules: null`
 * means no rules: clients send it after removing the last one. Errors: 400 with a pointer to the first error.
 */
export function readReplacement(
  body: unknown,
  stored: Pick<RulesetHead, "kind" | "phase">,
): RulesetProperties {
  const { name, kind, phase, description, rules = noRulesOf(body) } = replacement(body, "", noContext);
  if (kind !== undefined && kind !== stored.kind) {
    throw invalidValue("/kind", kind, `the ruleset is of kind ${stored.kind}`);
  }
  if (phase !== undefined && phase !== stored.phase) {
    throw invalidValue("/phase", phase, `the ruleset is of the phase ${stored.phase}`);
  }
  return {
    ...(name !== undefined && name !== "" && { name }),
    ...(description !== undefined && { description }),
    ...(rules !== undefined && { rules }),
  };
}

function noRulesOf(body: unknown): readonly [] | undefined {
  return fieldOf(body, "rules") === null ? [] : undefined;
}

/** The phase in a path. Errors: 400 for an unknown phase or one that the level does not have. */
export function readPhase(name: unknown, level: RulesetLevel): Phase {
  const phase = oneOf(phases)(name, "/phase", noContext);
  refusePhaseOf(level, phase, "/phase");
  return phase;
}

function refusePhaseOf(level: RulesetLevel, phase: Phase, pointer: string): void {
  if (level === "account" || phaseDefinitions[phase].isOfAccounts !== true) return;
  throw invalidValue(pointer, phase, "only accounts have rulesets in it");
}

/** For bodies without their rules. */
const noContext: RuleContext = {
  phase: "http_request_firewall_custom",
  kind: "zone",
  issueIn: () => undefined,
  lists: noLists("http_request_firewall_custom"),
  findRuleset: () => undefined,
};

/** The ids of rulesets that the rules of a raw body execute or skip. */
export function namedRulesetIds(body: unknown): string[] {
  const rules: unknown[] = Array.isArray(body) ? body : [body];
  return rules.flatMap((rule) => {
    const parameters = fieldOf(rule, "action_parameters");
    const rulesets = fieldOf(parameters, "rulesets");
    const rulesOf = fieldOf(parameters, "rules");
    const named: unknown[] = [
      fieldOf(parameters, "id"),
      ...(Array.isArray(rulesets) ? rulesets : []),
      ...(typeof rulesOf === "object" && rulesOf !== null ? Object.keys(rulesOf) : []),
    ];
    return named.filter((id) => typeof id === "string");
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
