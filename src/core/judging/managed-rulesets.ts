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
import type { ActionParameters } from "../rulesets/action-parameters.ts";
import type { CoreRules } from "./core-rules.ts";
import { type Action, owaspRulesetId } from "../rulesets/phases.ts";
import type { Rule } from "../rulesets/rule.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";

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

/** In the order of answers (docs/decisions/0027-catalogue-ids.md). */
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

/**
 * The managed rulesets of a server: those of the catalogue, and a release of the Core Rule Set if one is
 * installed.
 */
export class ManagedRulesets {
  readonly #vendor: string;
  readonly #coreRules: () => CoreRules | undefined;

  /** `coreRules` returns the installed release of the Core Rule Set; undefined for the built-in rules. */
  constructor(vendor: string, coreRules: () => CoreRules | undefined = () => undefined) {
    this.#vendor = vendor;
    this.#coreRules = coreRules;
  }

  get coreRules(): CoreRules | undefined {
    return this.#coreRules();
  }

  latest(): Ruleset[] {
    return [...catalogueById.keys(), owaspResponseRulesetId].flatMap((id) => this.find(id) ?? []);
  }

  /**
   * Every version, oldest first; empty for an unknown id. An installed release is the last version of its
   * ruleset.
   */
  versions(id: string): Ruleset[] {
    const release = this.#release(id);
    return [...builtInVersions(id, this.#vendor), ...(release === undefined ? [] : [release])];
  }

  find(id: string, version = "latest"): Ruleset | undefined {
    const release = this.#release(id);
    if (release !== undefined && (version === "latest" || version === release.version)) return release;
    return findBuiltInRuleset(id, this.#vendor, version);
  }

  /**
   * Does the same as `find`, for a version that a rule executes: of a release that is no longer installed, the latest
   * version.
   */
  inForce(id: string, version: string): Ruleset | undefined {
    return this.find(id, version) ?? (isOwaspRuleset(id) ? this.find(id) : undefined);
  }

  /** Whether the installed release decides which rules of a ruleset match. */
  isCoreRelease({ id, version }: Pick<Ruleset, "id" | "version">): boolean {
    return isOwaspRuleset(id) && version === this.coreRules?.version;
  }

  #release(id: string): Ruleset | undefined {
    const release = isOwaspRuleset(id) ? this.coreRules : undefined;
    return release && withRelease(id, release, this.#vendor);
  }
}

/** The ruleset for responses, which exists only if a release is installed. */
const owaspResponseRulesetId = "15106db3366fe2f0868759d9065f8438";

const isOwaspRuleset = (id: string): boolean => id === owaspRulesetId || id === owaspResponseRulesetId;

/** The built-in ruleset with the rules of a release, and the rule that blocks by their score. */
function withRelease(id: string, release: CoreRules, vendor: string): Ruleset | undefined {
  const { version, description, last_updated, rules, responseRules } = release;
  const builtIn = findBuiltInRuleset(owaspRulesetId, vendor);
  if (builtIn === undefined) return undefined;
  const same = { ...builtIn, version, description, last_updated };
  if (id === owaspRulesetId) {
    const acting = builtIn.rules.filter(({ score_threshold }) => score_threshold !== undefined);
    return { ...same, rules: [...rules, ...acting] };
  }
  const name = `${builtIn.name} for Responses`;
  return { ...same, id, name, rules: responseRules, phase: "http_response_firewall_managed" };
}

const builtInNumbers = new Map(
  owaspCore.rules.map((rule) => [Number.parseInt(rule.description, 10), rule.id]),
);

/** The built-in rule for a rule of the Core Rule Set; its id is the public one where that is known. */
export function builtInCoreRule(number: number): Rule | undefined {
  const id = builtInNumbers.get(number);
  return findBuiltInRuleset(owaspRulesetId, "")?.rules.find((rule) => rule.id === id);
}

/** Every version in the catalogue, the oldest first. */
function builtInVersions(id: string, vendor: string): Ruleset[] {
  const versions = catalogueById.get(id)?.versions ?? [];
  return versions
    .map((_, index) => findBuiltInRuleset(id, vendor, String(index + 1)))
    .filter((ruleset) => ruleset !== undefined);
}

export function findBuiltInRuleset(id: string, vendor: string, version = "latest"): Ruleset | undefined {
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
