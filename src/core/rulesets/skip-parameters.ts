import { identifier, requireRuleset } from "./execute-parameters.ts";
import {
  described,
  object,
  oneOf,
  optional,
  record,
  uniqueList,
  type Shape,
  type ShapeValue,
} from "./shapes.ts";
import { rulesetLimits } from "./limits.ts";
import { skippablePhases, skippableProducts } from "./phases.ts";
import type { RuleContext } from "./rule-context.ts";
import { invalidValue } from "./ruleset-error.ts";

const { parametersMax } = rulesetLimits;

const rulesOfRulesets = record(identifier, uniqueList(identifier, parametersMax), parametersMax);

const fields = object(
  {
    ruleset: optional(oneOf(["current"])),
    phase: optional(oneOf(["current"])),
    phases: optional(uniqueList(oneOf(skippablePhases), parametersMax)),
    products: optional(uniqueList(oneOf(skippableProducts), parametersMax)),
    rulesets: optional(uniqueList(identifier, parametersMax)),
    rules: optional(rulesOfRulesets),
  },
  1,
);

export type SkipParameters = ShapeValue<typeof fields>;

/** In managed phases: the rest of the ruleset, or some rulesets or rules. */
const ofManagedPhases = ["ruleset", "rulesets", "rules"] as const;

const readSkipParameters: Shape<SkipParameters> = (value, pointer, context) => {
  const parameters = fields(value, pointer, context);
  if (context.phase === "http_request_firewall_custom") checkCustomSkip(parameters, pointer, context);
  else checkManagedSkip(parameters, pointer, context);
  return parameters;
};

/**
 * The effect of a skip: the rest of its ruleset or phase, later phases, products, or, in phases that execute managed
 * rulesets, some of them or of their rules (docs/contract/rulesets.md#skip).
 */
export const skipParameters = described(readSkipParameters, fields.schema);

function checkCustomSkip(parameters: SkipParameters, pointer: string, { kind }: RuleContext): void {
  for (const name of ["rulesets", "rules"] as const) {
    if (parameters[name] !== undefined) {
      const reason = "rules of managed rulesets are skipped in the phase that executes them";
      throw invalidValue(`${pointer}/${name}`, parameters[name], reason);
    }
  }
  if (parameters.phase !== undefined && kind !== "zone") {
    throw invalidValue(`${pointer}/phase`, parameters.phase, "only rules of a zone can skip the phase");
  }
}

function checkManagedSkip(parameters: SkipParameters, pointer: string, context: RuleContext): void {
  const given = Object.keys(parameters);
  const isPossible = given.every((one) => ofManagedPhases.some((name) => name === one));
  if (!isPossible || (parameters.ruleset !== undefined && given.length > 1)) {
    const reason = `in phase ${context.phase} it is ruleset alone, or rulesets, rules or both`;
    throw invalidValue(pointer, given.join(", "), reason);
  }
  for (const [index, id] of (parameters.rulesets ?? []).entries()) {
    requireRuleset(id, `${pointer}/rulesets/${index}`, context);
  }
  for (const [rulesetId, ruleIds] of Object.entries(parameters.rules ?? {})) {
    const place = `${pointer}/rules/${rulesetId}`;
    const known = new Set(requireRuleset(rulesetId, place, context).rules.map(({ id }) => id));
    for (const [index, id] of ruleIds.entries()) {
      if (!known.has(id)) throw invalidValue(`${place}/${index}`, id, "it is no rule of the ruleset");
    }
  }
}
