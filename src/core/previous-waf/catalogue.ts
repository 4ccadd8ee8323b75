import type { Action } from "../rulesets/phases.ts";
import type { CatalogueRule } from "../rulesets/catalogue/catalogue-rule.ts";
import { continuingRules } from "../rulesets/catalogue/catalogue.ts";
import { crsFamilies } from "../rulesets/catalogue/crs-rules.ts";

/** A package of the previous version. Its id is the same in all zones. */
export interface WafPackage {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `anomaly` adds up what its rules find, `traditional` lets each rule act. */
  readonly detectionMode: "traditional" | "anomaly";
}

export interface WafGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly packageId: string;
}

/** A rule of the previous version, and the rule that continues it. */
export interface WafRule {
  /** `100015`, `WP0025B`, `981176`. */
  readonly id: string;
  readonly description: string;
  /** Its place in its group. */
  readonly priority: number;
  readonly groupId: string;
  readonly packageId: string;
  /** Undefined for a rule of an anomaly package, which is on or off. */
  readonly defaultMode: "disable" | "simulate" | "block" | "challenge" | undefined;
  /** The rule of the managed rulesets that has the same condition. */
  readonly continuedBy: string;
}

export const traditionalPackageId = "1e334934fd7ae32ad705667f8c1057aa";
export const owaspPackageId = "c504870194831cd12c3fc0284f294abb";
const userPackageId = "a25a9a7e9c00afc1fb2e0245519d725b";

export const wafPackages: readonly WafPackage[] = [
  { id: traditionalPackageId, name: "CloudFlare", description: "", detectionMode: "traditional" },
  {
    id: owaspPackageId,
    name: "OWASP ModSecurity Core Rule Set",
    description: "Covers OWASP Top 10 vulnerabilities, and more.",
    detectionMode: "anomaly",
  },
  { id: userPackageId, name: "USER", description: "Customer requested rules", detectionMode: "traditional" },
];

/** By the category that comes first in a rule's list. Rules of no such category are miscellaneous. */
const traditionalGroups = [
  { id: "8df6c9aaddcbdf0eceb047bc50873697", title: "Drupal", categories: ["drupal"] },
  { id: "f0a23862fe72b5b5d5daccbc24f25ea9", title: "Joomla", categories: ["joomla"] },
  { id: "ea8687e59929c1fd05ba97574ad43f77", title: "Magento", categories: ["magento"] },
  { id: "834b0d89cfef082c7db891cafc62bb76", title: "PHP", categories: ["php"] },
  { id: "44cdb8047a0494bd751821451ad51df1", title: "WordPress", categories: ["wordpress"] },
  {
    id: "581e65ce8208692c1bdc2646757c7417",
    title: "Specials",
    categories: [
      "sqli",
      "xss",
      "rce",
      "file-inclusion",
      "directory-traversal",
      "ssrf",
      "xxe",
      "log4j",
      "anomaly",
      "scanner",
      "crlf-injection",
      "information-disclosure",
    ],
  },
] as const;
const miscellaneousGroupId = "eee2e8c661abad878526f174469b969a";

/** By the title of the family of the Core Rule Set. */
const owaspGroups: Readonly<Record<string, { readonly id: string; readonly name: string }>> = {
  "Scanner detection": { id: "07d700cf30fda7548be94ff01087d0c4", name: "OWASP Bad Robots" },
  "Method enforcement": { id: "988aef5d8b03f382a45508d430c582d2", name: "OWASP Method Enforcement" },
  "Protocol enforcement": { id: "8ea2eb462f64b14c526ac7e8f49fcbeb", name: "OWASP Protocol Violations" },
  "Protocol attack": { id: "19aefbd23d7e4b06472fc5b9ab2f0591", name: "OWASP Protocol Attacks" },
  "Multipart attack": { id: "54c97864aaea1a882e749629680ee805", name: "OWASP Multipart Attacks" },
  "Local file inclusion": {
    id: "16ad722ad5ab0ed12c1e668bba5081cf",
    name: "OWASP Local File Inclusion Attacks",
  },
  "Remote file inclusion": {
    id: "90759fa0b5e04630e5d1360828452e9e",
    name: "OWASP Remote File Inclusion Attacks",
  },
  "Remote command execution": {
    id: "28f549742865ed14218167e47fd6ea8b",
    name: "OWASP Command Execution Attacks",
  },
  "PHP injection": { id: "9f93a3c6a8dab626bfcddfc832af7182", name: "OWASP PHP Injection Attacks" },
  "Node.js injection": { id: "09c291910af572a8b32eb23965f9d04e", name: "OWASP Node.js Injection Attacks" },
  "Cross-site scripting": { id: "81056d523c896788894382a040efd811", name: "OWASP XSS Attacks" },
  "SQL injection": { id: "b220f8b3076457757bdda758ba2f9a77", name: "OWASP SQL Injection Attacks" },
  "Session fixation": { id: "534d35e978f905e1becd87b503ed2a69", name: "OWASP Session Fixation Attacks" },
  "Java injection": { id: "69372849343ce2640f3cefd18e9a4f19", name: "OWASP Java Injection Attacks" },
};
const genericAttacks = { id: "a2600926533f8cc4a553cb84bbbdeb91", name: "OWASP Generic Attacks" };

export const wafGroups: readonly WafGroup[] = [
  ...traditionalGroups.map(({ id, title }) => ({
    id,
    name: `Cloudflare ${title}`,
    description: `Rules for attacks on ${title === "Specials" ? "any application" : title}`,
    packageId: traditionalPackageId,
  })),
  {
    id: miscellaneousGroupId,
    name: "Cloudflare Miscellaneous",
    description: "Rules for attacks on other products",
    packageId: traditionalPackageId,
  },
  ...[...Object.values(owaspGroups), genericAttacks].map(({ id, name }) => ({
    id,
    name,
    description: "",
    packageId: owaspPackageId,
  })),
  {
    id: "de677e5818985db1285d0e80225f06e5",
    name: "Project Honey Pot",
    description: "Addresses that were caught attacking; none are listed here",
    packageId: userPackageId,
  },
];

/** Rules that the Core Rule Set knew by other numbers then. */
const renumberedRules: readonly Pick<WafRule, "id" | "description" | "groupId" | "continuedBy">[] = [
  {
    id: "990002",
    description: "Request indicates a security scanner",
    groupId: "07d700cf30fda7548be94ff01087d0c4",
    continuedBy: "1522efd376f9d016a6a3d8dee1c72258",
  },
  {
    id: "981176",
    description: "Inbound anomaly score exceeded",
    groupId: genericAttacks.id,
    continuedBy: "6179ae15870a4bb7b2d480d4843b323c",
  },
];

const modesOfActions: Partial<Record<Action, WafRule["defaultMode"]>> = {
  log: "simulate",
  block: "block",
  challenge: "challenge",
  js_challenge: "challenge",
  managed_challenge: "challenge",
};

export const wafRules: readonly WafRule[] = [...traditionalRules(), ...owaspRules()];

const rulesById = new Map(wafRules.map((rule) => [rule.id, rule]));
const groupsById = new Map(wafGroups.map((group) => [group.id, group]));
const packagesById = new Map(wafPackages.map((entry) => [entry.id, entry]));

export const findWafRule = (id: string): WafRule | undefined => rulesById.get(id);
export const findWafGroup = (id: string): WafGroup | undefined => groupsById.get(id);
export const findWafPackage = (id: string): WafPackage | undefined => packagesById.get(id);

function traditionalRules(): WafRule[] {
  const placesOf = new Map<string, number>();
  return continuingRules().map((rule) => {
    const groupId = groupOf(rule);
    const priority = (placesOf.get(groupId) ?? 0) + 1;
    placesOf.set(groupId, priority);
    return {
      id: rule.continues ?? "",
      description: rule.description,
      priority,
      groupId,
      packageId: traditionalPackageId,
      defaultMode: defaultModeOf(rule),
      continuedBy: rule.id,
    };
  });
}

function groupOf({ categories }: CatalogueRule): string {
  const [first = ""] = categories;
  const group = traditionalGroups.find((candidate) =>
    (candidate.categories as readonly string[]).includes(first),
  );
  return group?.id ?? miscellaneousGroupId;
}

function defaultModeOf({ action = "block", enabled = true }: CatalogueRule): WafRule["defaultMode"] {
  if (!enabled) return "disable";
  return modesOfActions[action] ?? "block";
}

function owaspRules(): WafRule[] {
  const rules = crsFamilies.flatMap(({ title, rules: family }) =>
    family.map(([number, , , continuedBy], index): WafRule => ({
      id: String(number),
      description: title,
      priority: index + 1,
      groupId: owaspGroups[title]?.id ?? genericAttacks.id,
      packageId: owaspPackageId,
      defaultMode: undefined,
      continuedBy,
    })),
  );
  const renumbered = renumberedRules.map(({ id, description, groupId, continuedBy }): WafRule => ({
    id,
    description,
    priority: 1,
    groupId,
    packageId: owaspPackageId,
    defaultMode: undefined,
    continuedBy,
  }));
  return [...rules, ...renumbered];
}
