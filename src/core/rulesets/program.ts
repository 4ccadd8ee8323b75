import type { RequestContext } from "../expression/context.ts";
import type { Phase } from "../expression/phases.ts";
import { overrideRule, type ExecuteParameters } from "./execute-parameters.ts";
import { requestPhases } from "./phases.ts";
import type { Rule } from "./rule.ts";
import type { Ruleset } from "./ruleset.ts";

/** The rulesets that run for a request: for each phase the entry point of the account, then the zone's. */
export type Program = readonly { readonly phase: Phase; readonly entryPoints: readonly RunnableRuleset[] }[];

export interface RunnableRuleset {
  readonly ruleset: Pick<Ruleset, "id" | "name" | "description" | "kind">;
  readonly rules: readonly RunnableRule[];
}

export interface RunnableRule {
  readonly rule: Rule;
  readonly matches: (request: RequestContext) => boolean;
  /** The ruleset that the rule executes, with overrides applied; undefined for a rule with another action. */
  readonly executes: RunnableRuleset | undefined;
}

interface Library {
  readonly findRuleset: (id: string, version: string) => Ruleset | undefined;
  readonly compile: (expression: string) => { readonly evaluate: RunnableRule["matches"] };
}

/**
 * Assembles the rulesets that run for the requests of a zone, without disabled rules and without those that check for
 * exposed credentials, as there is no list of these.
 */
export function assembleProgram(entryPoints: readonly Ruleset[], library: Library): Program {
  return requestPhases.flatMap((phase) => {
    const ofPhase = entryPoints
      .filter((ruleset) => ruleset.phase === phase)
      .toSorted((one, other) => Number(one.kind === "zone") - Number(other.kind === "zone"));
    if (ofPhase.length === 0) return [];
    return [{ phase, entryPoints: ofPhase.map((ruleset) => makeRunnable(ruleset, ruleset.rules, library)) }];
  });
}

function makeRunnable(ruleset: Ruleset, rules: readonly Rule[], library: Library): RunnableRuleset {
  return {
    ruleset,
    rules: rules
      .filter((rule) => rule.enabled && rule.exposed_credential_check === undefined)
      .map((rule) => ({
        rule,
        matches: library.compile(rule.expression).evaluate,
        executes: rule.action === "execute" ? executed(rule, library) : undefined,
      })),
  };
}

function executed(rule: Rule, library: Library): RunnableRuleset | undefined {
  const { id, version = "latest", overrides } = rule.action_parameters as ExecuteParameters;
  const ruleset = library.findRuleset(id, version);
  if (ruleset === undefined) return undefined;
  const rules = ruleset.rules.map((one) => overrideRule(one, overrides));
  return makeRunnable(ruleset, rules, library);
}
