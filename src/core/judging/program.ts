import type { RequestContext } from "../expression/context.ts";
import type { Phase } from "../expression/phases.ts";
import type { PageRuleStage } from "../page-rules/page-rule-stage.ts";
import type { ProductStage } from "../firewall-products/product.ts";
import type { SettingStage } from "../firewall-products/setting-product.ts";
import { compileRewrite } from "../transforms/rewrite.ts";
import type { HeaderChange } from "../transforms/request-headers.ts";
import type { TransformStage } from "../transforms/transform-stage.ts";
import type { ParanoiaLevel } from "../seclang/evaluate/judge.ts";
import { overrideRule, type ExecuteParameters } from "../rulesets/execute-parameters.ts";
import type { Library } from "./library.ts";
import { paranoiaLevelOf } from "./owasp-scores.ts";
import { requestStages, responseStages, type Stage } from "../rulesets/phases.ts";
import { compileRateLimit, tellsVisitorsApart, type RunnableLimit } from "./runnable-limit.ts";
import { compileRedirect } from "./runnable-redirect.ts";
import type { Rule } from "../rulesets/rule.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";

/**
 * The stages that evaluate the requests of a zone, in the order of `requestStages`; stages without rules are
 * left out.
 */
export type Program = readonly (
  | PhaseStage
  | ProductStage
  | PageRuleStage
  | TransformStage
  | SettingStage
  | PreviousWafStage
)[];

/** The place of the previous version of the managed rules. */
interface PreviousWafStage {
  readonly judges: "waf";
}

/** The rulesets of a phase: the entry point of the account, then the zone's. */
export interface PhaseStage {
  readonly phase: Phase;
  readonly entryPoints: readonly RunnableRuleset[];
}

export interface RunnableRuleset {
  readonly ruleset: Pick<Ruleset, "id" | "name" | "description" | "kind">;
  readonly rules: readonly RunnableRule[];
  /**
   * The highest paranoia level of its rules; undefined unless a release of the Core Rule Set evaluates them.
   */
  readonly coreLevel: ParanoiaLevel | undefined;
}

export interface RunnableRule {
  readonly rule: Rule;
  readonly matches: (request: RequestContext) => boolean;
  /** With overrides applied; undefined for other actions. */
  readonly executes: RunnableRuleset | undefined;
  /** Finds the target of a redirect; undefined for a rule with another action. */
  readonly redirects: ReturnType<typeof compileRedirect> | undefined;
  /** The compiled rate limit; undefined for a rule without one. */
  readonly limit: RunnableLimit | undefined;
  /** Computes the changes to a request; undefined for a rule with another action. */
  readonly rewrites: ReturnType<typeof compileRewrite> | undefined;
}

/** What evaluates and changes the requests of a zone besides rulesets. */
export interface Products {
  readonly products: readonly ProductStage[];
  readonly transforms: TransformStage | undefined;
  /** What managed transforms change in the responses of origins. */
  readonly responseChanges?: readonly HeaderChange[];
  readonly pageRules?: PageRuleStage | undefined;
  readonly settings?: readonly SettingStage[];
}

/**
 * Assembles the stages for requests of a zone. Left out are disabled rules, and exposed credential checks,
 * for which there is no data.
 */
export function assembleProgram(
  entryPoints: readonly Ruleset[],
  library: Library,
  products: Products = { products: [], transforms: undefined },
): Program {
  return assemble(requestStages, entryPoints, library, products);
}

/** Assembles the stages for responses of a zone. */
export function assembleResponseProgram(entryPoints: readonly Ruleset[], library: Library): Program {
  return assemble(responseStages, entryPoints, library, { products: [], transforms: undefined });
}

function assemble(
  stages: readonly Stage[],
  entryPoints: readonly Ruleset[],
  library: Library,
  { products, transforms, pageRules, settings = [] }: Products,
): Program {
  return stages.flatMap((stage): Program => {
    if (stage === "waf") return [{ judges: stage }];
    if (stage === "page_rules") return pageRules === undefined ? [] : [pageRules];
    if (stage === "managed_transforms") return transforms === undefined ? [] : [transforms];
    const product = products.filter((one) => one.product === stage);
    if (product.length > 0) return product;
    const ofSetting = settings.filter((one) => one.settingProduct === stage);
    if (ofSetting.length > 0) return ofSetting;
    const ofPhase = entryPoints
      .filter((ruleset) => ruleset.phase === stage)
      .toSorted((one, other) => placeOf(one) - placeOf(other));
    const [first] = ofPhase;
    if (first === undefined) return [];
    const runnable = ofPhase.map((ruleset) => makeRunnable(ruleset, ruleset.rules, library));
    return [{ phase: first.phase, entryPoints: runnable }];
  });
}

/**
 * Rules of the account come before those of the zone, but for errors: there
 * [the zone has priority](https://developers.cloudflare.com/rules/custom-errors/#how-it-works).
 */
function placeOf({ kind, phase }: Ruleset): number {
  return (kind === "zone") === (phase === "http_custom_errors") ? 0 : 1;
}

function makeRunnable(ruleset: Ruleset, all: readonly Rule[], library: Library): RunnableRuleset {
  const rules = all.filter((rule) => rule.enabled && rule.exposed_credential_check === undefined);
  return {
    ruleset,
    coreLevel: library.isCoreRelease?.(ruleset) === true ? highest(scoringLevelsOf(rules)) : undefined,
    rules: rules.map((rule) => ({
      rule,
      matches: library.compile(rule.expression).evaluate,
      executes: rule.action === "execute" ? executed(rule, library) : undefined,
      redirects: rule.action === "redirect" ? compileRedirect(rule, library) : undefined,
      limit: rule.ratelimit === undefined ? undefined : compileRateLimit(rule.ratelimit, library),
      rewrites:
        rule.action === "rewrite" ? compileRewrite(rule.action_parameters, library.compileValue) : undefined,
    })),
  };
}

/** The highest paranoia level of the Core Rule Set that a program executes; undefined if none. */
export function coreLevelOf(program: Program): ParanoiaLevel | undefined {
  return highest(levelsOf(entryPointsOf(program)));
}

/** Whether a rate limit of a program tells visitors behind one address from each other. */
export function programTellsVisitorsApart(program: Program): boolean {
  return isAnyVisitorTold(entryPointsOf(program));
}

function isAnyVisitorTold(rulesets: readonly RunnableRuleset[]): boolean {
  return rulesets.some(({ rules }) =>
    rules.some(
      ({ limit, executes }) =>
        (limit !== undefined && tellsVisitorsApart(limit)) ||
        (executes !== undefined && isAnyVisitorTold([executes])),
    ),
  );
}

/** The number of rules in a program, including those of executed rulesets. */
export function countRules(program: Program): number {
  return countAll(entryPointsOf(program));
}

function countAll(rulesets: readonly RunnableRuleset[]): number {
  return rulesets.reduce(
    (count, { rules }) => count + rules.length + countAll(rules.flatMap(({ executes }) => executes ?? [])),
    0,
  );
}

function entryPointsOf(program: Program): readonly RunnableRuleset[] {
  return program.flatMap((stage) => ("entryPoints" in stage ? stage.entryPoints : []));
}

function levelsOf(rulesets: readonly RunnableRuleset[]): ParanoiaLevel[] {
  return rulesets.flatMap(({ coreLevel, rules }) => [
    ...(coreLevel === undefined ? [] : [coreLevel]),
    ...levelsOf(rules.flatMap(({ executes }) => executes ?? [])),
  ]);
}

function highest(levels: readonly ParanoiaLevel[]): ParanoiaLevel | undefined {
  return levels.toSorted((one, other) => one - other).at(-1);
}

/** Includes rules whose action is overridden. */
function scoringLevelsOf(rules: readonly Rule[]): ParanoiaLevel[] {
  return rules.filter(({ score_threshold }) => score_threshold === undefined).map(paranoiaLevelOf);
}

function executed(rule: Rule, library: Library): RunnableRuleset | undefined {
  const { id, version = "latest", overrides } = rule.action_parameters as ExecuteParameters;
  const ruleset = library.findRuleset(id, version);
  if (ruleset === undefined) return undefined;
  const rules = ruleset.rules.map((one) => overrideRule(one, overrides));
  return makeRunnable(ruleset, rules, library);
}
