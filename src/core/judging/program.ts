import { type RequestContext, isIpAddress, type Value, valueOf } from "../expression/context.ts";
import type { FoundRedirect } from "../lists/redirects.ts";
import { compileRewrite } from "../transforms/rewrite.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";
import { type Phase, responsePhases } from "../expression/phases.ts";
import type { PageRuleStage } from "../page-rules/page-rule.ts";
import type { ProductStage } from "../firewall-products/product.ts";
import type { SettingStage } from "../firewall-products/setting-product.ts";
import type { HeaderChange } from "../transforms/request-headers.ts";
import type { TransformStage } from "../transforms/managed-transforms.ts";
import type { ParanoiaLevel } from "../seclang/evaluate/judge.ts";
import { overrideRule, type ExecuteParameters } from "../rulesets/execute-parameters.ts";
import { paranoiaLevelOf } from "./owasp-scores.ts";
import { requestStages, responseStages, type Stage } from "../rulesets/phases.ts";
import type { Rule } from "../rulesets/rule.ts";
import { fields } from "../expression/fields.ts";
import { networkKey } from "../net/client-network.ts";
import { printIpAddress } from "../net/ip-address.ts";
import type { RateLimit } from "../rulesets/rate-limit.ts";
import { decodeText, encodeText } from "../expression/byte-string.ts";

/** Whether a request matches a stored expression. */
export type Meets = (expression: string, request: RequestContext) => boolean;

/** Finds the rulesets, expressions and lists that rules refer to, while they are compiled. */
interface Library {
  readonly findRuleset: (id: string, version: string) => Ruleset | undefined;
  /** Whether the Core Rule Set decides which rules of the ruleset match; by default it does for none. */
  readonly isCoreRelease?: (ruleset: Ruleset) => boolean;
  readonly compile: (expression: string) => { readonly evaluate: (request: RequestContext) => boolean };
  readonly compileValue: Parameters<typeof compileRewrite>[1];
  readonly redirectFor: (listName: string, url: string) => FoundRedirect | undefined;
}

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
  readonly limit: RunnableLimit | undefined;
  /** Computes the changes to a request; undefined for a rule with another action. */
  readonly rewrites: ReturnType<typeof compileRewrite> | undefined;
}

/** Evaluates and changes the requests of a zone besides rulesets. */
export interface Products {
  readonly products: readonly ProductStage[];
  readonly transforms: TransformStage | undefined;
  /** Changes of managed transforms to the responses of origins. */
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

/** A compiled rate limit. */
export interface RunnableLimit {
  readonly limit: RateLimit;
  readonly json: string;
  /**
   * The values of the characteristics, as the key under which a request is counted. `visitorId` is what the edge
   * knows the visitor by; by default its address is.
   */
  readonly keyOf: (request: RequestContext, visitorId?: string) => string;
  /** Whether a request is counted; undefined if the expression of the rule decides. */
  readonly counts: ((request: RequestContext) => boolean) | undefined;
  /** Whether a request is counted only once the origin has answered. */
  readonly countsAnswers: boolean;
}

type KeyPart = (request: RequestContext, visitorId: string | undefined) => unknown;

const responseFields = fields.filter(({ phases }) => phases === responsePhases).map(({ name }) => name);

/** Characteristics that are the same for every request of one edge. */
const constant = new Set(["cf.colo.id", "cf.api_gateway.fallthrough_detected"]);
const clientAddress = "ip.src";
/** Characteristics that tell visitors behind one address from each other. */
const ofVisitor = new Set(["cf.unique_visitor_id", "ip.nat"]);

function compileRateLimit(limit: RateLimit, { compile, compileValue }: Library): RunnableLimit {
  const { counting_expression: counting = "", score_per_period } = limit;
  const parts = keyCharacteristicsOf(limit).map((characteristic): KeyPart => {
    const { evaluate } = compileValue(expressionOf(characteristic));
    if (ofVisitor.has(characteristic)) return (request, id) => id ?? networkOf(evaluate(request));
    if (characteristic === clientAddress) return (request) => networkOf(evaluate(request));
    return (request) => plain(evaluate(request));
  });
  return {
    limit,
    json: JSON.stringify(limit),
    keyOf: (request, visitorId) => JSON.stringify(parts.map((part) => part(request, visitorId))),
    counts: counting === "" ? undefined : compile(counting).evaluate,
    countsAnswers: score_per_period !== undefined || responseFields.some((name) => counting.includes(name)),
  };
}

export function keyExpressionsOf(limit: RateLimit): string[] {
  return keyCharacteristicsOf(limit).map(expressionOf);
}

/** Whether a limit tells visitors behind one address from each other. */
function tellsVisitorsApart({ limit }: RunnableLimit): boolean {
  return limit.characteristics.some((characteristic) => ofVisitor.has(characteristic));
}

function keyCharacteristicsOf({ characteristics }: RateLimit): string[] {
  return characteristics.filter((characteristic) => !constant.has(characteristic));
}

function expressionOf(characteristic: string): string {
  return ofVisitor.has(characteristic) ? clientAddress : characteristic;
}

/** A client may use any address of an IPv6 network, so all of them count as one. */
function networkOf(value: Value | undefined): string {
  return value !== undefined && isIpAddress(value) ? networkKey(value) : "";
}

/** Distinguishes a missing value from an empty one. */
function plain(value: Value | undefined): unknown {
  if (value === undefined) return null;
  if (typeof value !== "object") return value;
  if (isIpAddress(value)) return printIpAddress(value);
  return value instanceof Map
    ? [...value].map(([key, item]) => [key, plain(item)])
    : Array.from(value as readonly Value[], plain);
}

/** The target of a `redirect` rule for a request. */
export interface FoundTarget {
  readonly status: number;
  readonly location: string;
  /** Whether it comes from a list, not from the rule itself. */
  readonly isListed: boolean;
}

/** The stored parameters of a `redirect` rule. */
interface RedirectParameters {
  readonly from_list?: { readonly name: string; readonly key: string };
  readonly from_value?: {
    readonly status_code?: number;
    readonly target_url: { readonly value?: string; readonly expression?: string };
    readonly preserve_query_string?: boolean;
  };
}

/**
 * Compiles a `redirect` rule. The result is undefined for a request if its list has no entry or its
 * expression no value.
 */
function compileRedirect(
  { action_parameters }: Rule,
  { redirectFor, compileValue }: Library,
): (request: RequestContext) => FoundTarget | undefined {
  const { from_list, from_value } = (action_parameters ?? {}) as RedirectParameters;
  if (from_list !== undefined) {
    const { name, key } = from_list;
    return (request) => {
      const found = redirectFor(name, textOf(valueOf(request, key)));
      return found && { status: found.redirect.status_code, location: found.location, isListed: true };
    };
  }
  const {
    status_code: status = 301,
    target_url = {},
    preserve_query_string: keepsQuery = false,
  } = from_value ?? {};
  const { value = "", expression } = target_url;
  const evaluate = expression === undefined ? () => encodeText(value) : compileValue(expression).evaluate;
  return (request) => {
    const target = textOf(evaluate(request));
    if (target === "") return undefined;
    const location = keepsQuery
      ? withQuery(target, textOf(valueOf(request, "http.request.uri.query")))
      : target;
    return { status, location, isListed: false };
  };
}

/** The expressions of a `redirect` rule. */
export function redirectExpressionsOf(parameters: object | undefined): string[] {
  const { from_value } = (parameters ?? {}) as RedirectParameters;
  const expression = from_value?.target_url.expression;
  return expression === undefined ? [] : [expression];
}

/** The query of the request replaces that of the target. */
function withQuery(target: string, query: string): string {
  if (query === "") return target;
  const [, start = target, fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(target) ?? [];
  return `${start}?${query}${fragment}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? (decodeText(value) ?? value) : "";
}
