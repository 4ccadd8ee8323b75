import definiteBots from "../../../catalogues/managed-rulesets/definite-bots.json" with { type: "json" };
import exposedCredentials from "../../../catalogues/managed-rulesets/exposed-credentials.json" with { type: "json" };
import httpDdos from "../../../catalogues/managed-rulesets/http-ddos.json" with { type: "json" };
import likelyBots from "../../../catalogues/managed-rulesets/likely-bots.json" with { type: "json" };
import managed from "../../../catalogues/managed-rulesets/managed.json" with { type: "json" };
import managedFree from "../../../catalogues/managed-rulesets/managed-free.json" with { type: "json" };
import networkDdos from "../../../catalogues/managed-rulesets/network-ddos.json" with { type: "json" };
import normalization from "../../../catalogues/managed-rulesets/normalization.json" with { type: "json" };
import owaspCore from "../../../catalogues/managed-rulesets/owasp-core.json" with { type: "json" };
import sensitiveData from "../../../catalogues/managed-rulesets/sensitive-data.json" with { type: "json" };
import type { Phase } from "../expression/phases.ts";
import type { ActionParameters } from "./action-parameters.ts";
import type { Action } from "./phases.ts";
import type { Rule } from "./rule.ts";
import type { Ruleset } from "./ruleset.ts";

/** See `catalogues/schemas/managed-ruleset.schema.json`. */
interface CatalogueRuleset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly phase: Phase;
  readonly versions: readonly string[];
  readonly rules: readonly CatalogueRule[];
}

interface CatalogueRule {
  readonly id: string;
  readonly ref?: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly action?: Action;
  readonly action_parameters?: ActionParameters;
  readonly enabled?: boolean;
  readonly expression: string;
  readonly since?: number;
  readonly score_threshold?: number;
}

/** In the order of lists (docs/decisions/0027-catalogue-ids.md). */
const catalogue = [
  managed,
  owaspCore,
  exposedCredentials,
  managedFree,
  likelyBots,
  definiteBots,
  sensitiveData,
  httpDdos,
  networkDdos,
  normalization,
] as readonly CatalogueRuleset[];

const catalogueById = new Map(catalogue.map((ruleset) => [ruleset.id, ruleset]));
const rulesetsMade = new Map<string, Ruleset>();

/** The latest versions, in the order of lists. */
export function managedRulesets(vendor: string): Ruleset[] {
  return catalogue.flatMap(({ id }) => findManagedRuleset(id, vendor) ?? []);
}

/** Every version, the oldest first; empty for an unknown id. */
export function managedVersions(id: string, vendor: string): Ruleset[] {
  const versions = catalogueById.get(id)?.versions ?? [];
  return versions
    .map((_, index) => findManagedRuleset(id, vendor, String(index + 1)))
    .filter((ruleset) => ruleset !== undefined);
}

export function findManagedRuleset(id: string, vendor: string, version = "latest"): Ruleset | undefined {
  const found = catalogueById.get(id);
  if (found === undefined) return undefined;
  const number = version === "latest" ? found.versions.length : Number(version);
  const last_updated = found.versions[number - 1];
  if (last_updated === undefined) return undefined;
  const key = `${id} ${number} ${vendor}`;
  const brand = vendor.charAt(0).toUpperCase() + vendor.slice(1);
  const made = rulesetsMade.get(key) ?? {
    id,
    name: found.name.replaceAll("{vendor}", brand),
    description: found.description.replaceAll("{vendor}", brand),
    kind: "managed",
    version: String(number),
    rules: found.rules.filter(({ since = 1 }) => since <= number).map((rule) => toRule(rule, found.versions)),
    last_updated,
    phase: found.phase,
  };
  rulesetsMade.set(key, made);
  return made;
}

function toRule(rule: CatalogueRule, versions: readonly string[]): Rule {
  const { id, action = "block", action_parameters, categories, score_threshold, since = 1 } = rule;
  return {
    id,
    version: "1",
    action,
    ...(action_parameters !== undefined && { action_parameters }),
    expression: rule.expression,
    ...(categories.length > 0 && { categories }),
    description: rule.description,
    last_updated: versions[since - 1] ?? "",
    ref: rule.ref ?? id,
    enabled: rule.enabled ?? true,
    ...(score_threshold !== undefined && { score_threshold }),
  };
}
