import type { Phase } from "../../expression/phases.ts";
import type { Rule } from "../rule.ts";
import type { Ruleset } from "../ruleset.ts";
import { applicationRules } from "./applications.ts";
import { attackRules } from "./attacks.ts";
import type { CatalogueRule } from "./catalogue-rule.ts";
import { crsExpressions } from "./crs-expressions.ts";
import { crsFamilies } from "./crs-rules.ts";
import { frameworkRules } from "./frameworks.ts";
import {
  definiteBotRules,
  exposedCredentialRules,
  freeRules,
  httpFloodRules,
  likelyBotRules,
  normalizationRules,
  sensitiveDataRules,
} from "./other-rules.ts";
import { productRules } from "./products.ts";

interface CatalogueRuleset {
  /** The public one. */
  readonly id: string;
  /** After the name of the vendor if `isBranded`. */
  readonly title: string;
  readonly isBranded?: true;
  readonly description: string;
  readonly phase: Phase;
  /** When each version came out, from version 1. */
  readonly versions: readonly string[];
  readonly rules: () => readonly CatalogueRule[];
}

const firstVersions = ["2026-10-01T00:00:00.000000Z"];

/** In the order of lists: the Managed Ruleset first (docs/decisions/0027-catalogue-ids.md). */
const catalogue: readonly CatalogueRuleset[] = [
  {
    id: "efb7b8c949ac4650a09736fc376e9aee",
    title: "Managed Ruleset",
    isBranded: true,
    description: "Protection against common attacks and known vulnerabilities",
    phase: "http_request_firewall_managed",
    versions: [...firstVersions, "2026-11-01T00:00:00.000000Z"],
    rules: () => [...applicationRules, ...attackRules, ...frameworkRules, ...productRules],
  },
  {
    id: "4814384a9e5d4991b9815dcfc25d2f1f",
    title: "OWASP Core Ruleset",
    isBranded: true,
    description: "The OWASP Core Rule Set, which adds up what it finds and acts by the sum",
    phase: "http_request_firewall_managed",
    versions: firstVersions,
    rules: crsRules,
  },
  {
    id: "c2e184081120413c86c3ab7e14069605",
    title: "Exposed Credentials Check Ruleset",
    isBranded: true,
    description: "Sign-ins with credentials that were made public",
    phase: "http_request_firewall_managed",
    versions: firstVersions,
    rules: () => exposedCredentialRules,
  },
  {
    id: "77454fe2d30c4220b5701f6fdfb893ba",
    title: "Managed Free Ruleset",
    isBranded: true,
    description: "Protection against attacks on very many sites at once",
    phase: "http_request_firewall_managed",
    versions: firstVersions,
    rules: () => freeRules,
  },
  {
    id: "a6905ff86d3844cebc1a88dd80c659e7",
    title: "Bot Fight Mode for Likely Bots",
    description: "Clients that are likely to be automated",
    phase: "http_request_firewall_managed",
    versions: firstVersions,
    rules: () => likelyBotRules,
  },
  {
    id: "48ba18287c544bd7bdbe842a294f1ae2",
    title: "Bot Fight Mode for Definite Bots",
    description: "Clients that are automated",
    phase: "http_request_firewall_managed",
    versions: firstVersions,
    rules: () => definiteBotRules,
  },
  {
    id: "e22d83c647c64a3eae91b71b499d988e",
    title: "Sensitive Data Detection",
    isBranded: true,
    description: "Data that should not leave a site",
    phase: "http_response_firewall_managed",
    versions: firstVersions,
    rules: () => sensitiveDataRules,
  },
  {
    id: "4d21379b4f9f4bb088e0729962c8b3cf",
    title: "DDoS L7 ruleset",
    description: "Floods of HTTP requests",
    phase: "ddos_l7",
    versions: firstVersions,
    rules: () => httpFloodRules,
  },
  {
    id: "70339d97bdb34195bbf054b1ebe81f76",
    title: "Normalization Ruleset",
    isBranded: true,
    description: "One form for every address",
    phase: "http_request_sanitize",
    versions: firstVersions,
    rules: () => normalizationRules,
  },
];

const catalogueById = new Map(catalogue.map((ruleset) => [ruleset.id, ruleset]));
const rulesetsMade = new Map<string, Ruleset>();

/** The latest version of every managed ruleset, in the order of lists. */
export function managedRulesets(vendor: string): Ruleset[] {
  return catalogue.flatMap(({ id }) => findManagedRuleset(id, vendor) ?? []);
}

/** Every version of a managed ruleset, from the first; empty for an unknown id. */
export function managedVersions(id: string, vendor: string): Ruleset[] {
  const versions = catalogueById.get(id)?.versions ?? [];
  return versions
    .map((_, index) => findManagedRuleset(id, vendor, String(index + 1)))
    .filter((ruleset) => ruleset !== undefined);
}

/** A version of a managed ruleset, by default the latest. */
export function findManagedRuleset(id: string, vendor: string, version = "latest"): Ruleset | undefined {
  const found = catalogueById.get(id);
  if (found === undefined) return undefined;
  const number = version === "latest" ? found.versions.length : Number(version);
  const last_updated = found.versions[number - 1];
  if (last_updated === undefined) return undefined;
  const key = `${id} ${number} ${vendor}`;
  const made = rulesetsMade.get(key) ?? {
    id,
    name: found.isBranded ? `${brandOf(vendor)} ${found.title}` : found.title,
    description: found.description,
    kind: "managed",
    version: String(number),
    rules: found
      .rules()
      .filter(({ since = 1 }) => since <= number)
      .map((rule) => toRule(rule, found.versions)),
    last_updated,
    phase: found.phase,
  };
  rulesetsMade.set(key, made);
  return made;
}

/** The rules of the Managed Ruleset that continue one of the previous version. */
export function continuingRules(): CatalogueRule[] {
  return [...applicationRules, ...attackRules, ...frameworkRules, ...productRules].filter(
    ({ continues }) => continues !== undefined,
  );
}

/** The rule that acts by the sum of the scores of all others. */
const finalScoreRule: CatalogueRule = {
  id: "6179ae15870a4bb7b2d480d4843b323c",
  description: "949110: Inbound Anomaly Score Exceeded",
  categories: [],
  expression: "true",
  score_threshold: 40,
};

function crsRules(): CatalogueRule[] {
  const rules = crsFamilies.flatMap((family) =>
    family.rules.map(([number, paranoiaLevel, score, id]): CatalogueRule => ({
      id,
      description: `${number}: ${family.title}`,
      categories: [`paranoia-level-${paranoiaLevel}`, ...family.categories],
      action: "score",
      action_parameters: { increment: score },
      expression: crsExpressions[number] ?? "false",
    })),
  );
  return [...rules, finalScoreRule];
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
    ref: id === finalScoreRule.id ? "ad0beb2fce9f149e565ee78d6e659d47" : id,
    enabled: rule.enabled ?? true,
    ...(score_threshold !== undefined && { score_threshold }),
  };
}

function brandOf(vendor: string): string {
  return vendor.charAt(0).toUpperCase() + vendor.slice(1);
}
