import type { SkipParameters } from "../rulesets/skip-parameters.ts";

/** Most requests skip nothing. */
const none: ReadonlySet<string> = new Set();
const noRules: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/** What the rules that matched so far skip for a request. */
export class Skips {
  /** Phases and products. */
  #stages = none;
  #rulesets = none;
  /** Ids of rules by the id of their ruleset. */
  #rules = noRules;

  hasStage(stage: string): boolean {
    return this.#stages.has(stage);
  }

  hasRuleset(id: string): boolean {
    return this.#rulesets.has(id);
  }

  rulesOf(rulesetId: string): ReadonlySet<string> | undefined {
    return this.#rules.get(rulesetId);
  }

  addStages(stages: readonly string[]): void {
    if (stages.length > 0) this.#stages = new Set([...this.#stages, ...stages]);
  }

  /** Adds what a rule skips, and returns what ends at that rule. */
  add(parameters: SkipParameters): "ruleset" | "phase" | undefined {
    const { phases = [], products = [], rulesets = [], rules = {}, ruleset, phase } = parameters;
    this.addStages([...phases, ...products]);
    if (rulesets.length > 0) this.#rulesets = new Set([...this.#rulesets, ...rulesets]);
    const skipped = new Map(this.#rules);
    for (const [id, ruleIds] of Object.entries(rules)) {
      skipped.set(id, new Set([...(skipped.get(id) ?? []), ...ruleIds]));
    }
    this.#rules = skipped;
    if (phase !== undefined) return "phase";
    return ruleset === undefined ? undefined : "ruleset";
  }
}
