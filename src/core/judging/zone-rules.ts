import type { CompiledExpression, CompiledValueExpression } from "../expression/compile/compile.ts";
import { accessRuleStages } from "../firewall-products/access-rule.ts";
import { firewallRuleset } from "../firewall-products/firewall-rules.ts";
import { settingStages } from "../firewall-products/setting-product.ts";
import { userAgentStage } from "../firewall-products/user-agent-rule.ts";
import { parseLockdowns, zoneLockdownStage } from "../firewall-products/zone-lockdown.ts";
import type { ListContents } from "../lists/contents.ts";
import { pageRuleStage, parsePageRules } from "../page-rules/page-rule.ts";
import { previousWafOf } from "../previous-waf/previous-waf.ts";
import { listNamesIn, type Rule } from "../rulesets/rule.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";
import { transformsOf } from "../transforms/managed-transforms.ts";
import { expressionsOf } from "../transforms/rewrite.ts";
import type { AccountDocument, ZoneDocument } from "../documents/zone-document.ts";
import { settingValues } from "../zone-settings/catalogue.ts";
import type { JudgingZone, RunningRules } from "./judge-request.ts";
import type { ManagedRulesets } from "./managed-rulesets.ts";
import {
  assembleProgram,
  assembleResponseProgram,
  coreLevelOf,
  programTellsVisitorsApart,
  type Products,
  keyExpressionsOf,
  redirectExpressionsOf,
} from "./program.ts";

/** The rules of a zone and of its account together, with nothing compiled. */
export interface AssembledRules {
  readonly entryPoints: readonly Ruleset[];
  /** Rulesets of the account that its entry points execute. */
  readonly custom: readonly Ruleset[];
  readonly lists: ReadonlyMap<string, ListContents>;
  readonly products: Products;
}

export interface CompiledExpressions {
  readonly filters: { readonly get: (source: string) => CompiledExpression };
  readonly values: { readonly get: (source: string) => CompiledValueExpression };
}

export type JudgingDocuments = readonly [
  zone: Pick<ZoneDocument, "facts" | "settings" | "rules">,
  account: Pick<AccountDocument, "entryPoints" | "custom" | "accessRules">,
];

const noProducts: Products = { products: [], transforms: undefined };

/** Nothing: what judges the requests of a paused zone. */
export const noRules: AssembledRules = {
  entryPoints: [],
  custom: [],
  lists: new Map(),
  products: noProducts,
};

/** All that judges the requests of a zone. A `proposed` ruleset replaces the zone's entry point of its phase. */
export function assembleRules(
  [{ facts, settings, rules }, account]: JudgingDocuments,
  lists: ReadonlyMap<string, ListContents>,
  proposed?: Ruleset,
): AssembledRules {
  const firewallRules = firewallRuleset(rules.firewallRules);
  const lockdowns = parseLockdowns(rules.lockdowns, facts.name);
  return {
    entryPoints: [
      ...(firewallRules === undefined ? [] : [firewallRules]),
      ...account.entryPoints,
      ...rules.entryPoints.filter(({ phase }) => phase !== proposed?.phase),
      ...(proposed === undefined ? [] : [proposed]),
    ],
    custom: account.custom,
    lists,
    products: {
      products: [
        ...accessRuleStages([...rules.accessRules, ...account.accessRules]),
        ...(lockdowns.length === 0 ? [] : [zoneLockdownStage(lockdowns)]),
        ...(rules.userAgentRules.length === 0 ? [] : [userAgentStage(rules.userAgentRules)]),
      ],
      ...transformsOf(rules.managedTransforms, facts.plan),
      pageRules: pageRuleStage(parsePageRules(rules.pageRules)),
      settings: settingStages(settingValues(settings, facts.plan), facts.name),
    },
  };
}

export function assembleAccountRules(
  { entryPoints, custom }: Pick<AccountDocument, "entryPoints" | "custom">,
  lists: ReadonlyMap<string, ListContents>,
): AssembledRules {
  return { entryPoints, custom, lists, products: noProducts };
}

export function listNamesOf(
  ...documents: readonly Partial<
    Pick<ZoneDocument["rules"] & AccountDocument, "entryPoints" | "custom" | "firewallRules">
  >[]
): ReadonlySet<string> {
  const names = documents.flatMap(({ entryPoints = [], custom = [], firewallRules = [] }) => {
    const ofFirewall = firewallRuleset(firewallRules)?.rules ?? [];
    return [...entryPoints, ...custom, { rules: ofFirewall }].flatMap(({ rules }) => listNamesIn(rules));
  });
  return new Set(names);
}

/** The facts of a zone that the evaluation needs besides its rules. */
export function judgingZoneOf(
  { facts, settings, rules }: Pick<ZoneDocument, "facts" | "settings" | "rules">,
  vendor: string,
): JudgingZone {
  const { name, plan } = facts;
  const isOn = settingValues(settings, plan)("waf") === "on";
  return {
    zone: { name, plan },
    vendor,
    urlNormalization: rules.urlNormalization,
    previous:
      facts.waf === "new"
        ? undefined
        : previousWafOf(rules.previousWaf, isOn, rules.firewallRules, parsePageRules(rules.pageRules)),
  };
}

export function sourcesOf({
  entryPoints,
  custom,
}: AssembledRules): Readonly<Record<keyof CompiledExpressions, readonly string[]>> {
  const rules = [...entryPoints, ...custom].flatMap((ruleset) =>
    ruleset.rules.filter(({ enabled }) => enabled),
  );
  return {
    filters: rules.map(({ expression }) => expression),
    values: rules.flatMap(valueExpressionsOf),
  };
}

/** Makes rules ready to run. Throws what compiling an expression throws that is not compiled yet. */
export function compileRules(
  { entryPoints, custom, lists, products }: AssembledRules,
  managed: Pick<ManagedRulesets, "inForce" | "isCoreRelease" | "coreRules">,
  { filters, values }: CompiledExpressions,
): RunningRules {
  const library = {
    findRuleset: (id: string, version: string) =>
      managed.inForce(id, version) ?? custom.find((ruleset) => ruleset.id === id),
    isCoreRelease: (ruleset: Ruleset) => managed.isCoreRelease(ruleset),
    compile: (expression: string) => filters.get(expression),
    compileValue: (expression: string) => values.get(expression),
    redirectFor: (name: string, url: string) => lists.get(name)?.redirectFor(url),
  };
  const program = assembleProgram(entryPoints, library, products);
  return {
    program,
    responseProgram: assembleResponseProgram(entryPoints, library),
    responseChanges: products.responseChanges ?? [],
    meets: (expression, request) => filters.get(expression).evaluate(request),
    lists: new Map([...lists].map(([name, { has }]) => [name, has])),
    coreRules: managed.coreRules,
    coreLevel: coreLevelOf(program),
    tellsVisitorsApart: programTellsVisitorsApart(program),
  };
}

function valueExpressionsOf({ action, action_parameters, ratelimit }: Rule): string[] {
  return [
    ...(action === "rewrite" ? expressionsOf(action_parameters) : []),
    ...(action === "redirect" ? redirectExpressionsOf(action_parameters) : []),
    ...(ratelimit === undefined ? [] : keyExpressionsOf(ratelimit)),
  ];
}
