import type { RequestContext } from "../expression/context.ts";
import type { Phase } from "../expression/phases.ts";
import { firewallRulesetId } from "../firewall-products/firewall-rules.ts";
import type { ProductStage, ProductVerdict } from "../firewall-products/product.ts";
import {
  type RuleProduct,
  type SettingProduct,
  challenges,
  isAhead,
  isChallenge,
  managedPhase,
  type Action,
  type Stage,
} from "../rulesets/phases.ts";
import type { SettingStage } from "../firewall-products/setting-product.ts";
import type { PageRuleStage } from "../page-rules/page-rule.ts";
import type { PreviousMatch } from "../previous-waf/judge.ts";
import { combine, type Rewritten } from "../transforms/rewrite.ts";
import { changeHeaders, headersOf, removedNames, type HeaderChange } from "../transforms/request-headers.ts";
import type { TransformStage } from "../transforms/managed-transforms.ts";
import type { ParanoiaLevel } from "../seclang/evaluate/judge.ts";
import type { ActionParameters } from "../rulesets/action-parameters.ts";
import type { CoreMatch } from "./core-rules.ts";
import { BodyUnread } from "./described-request.ts";
import {
  type AnswerLimit,
  type Decision,
  type Evaluation,
  type EvaluateOptions,
  type RouteParameters,
  type RuleFailure,
  Skips,
} from "./evaluation.ts";
import type { PhaseStage, Program, RunnableRule, RunnableRuleset, RunnableLimit } from "./program.ts";
import { withHeaders, withUri } from "./request-fields.ts";
import { withResponseHeaders } from "./response-fields.ts";
import type { Rule } from "../rulesets/rule.ts";
import type { SkipParameters } from "../rulesets/skip-parameters.ts";
import { stepOf, stepOfPageRule, stepOfVerdict, resolved, withMatch, type TraceStep } from "./trace-step.ts";

/**
 * Evaluates a request stage by stage and rule by rule, until a rule ends the evaluation. The trace holds only
 * the matching rules of managed rulesets, and every evaluated rule of others. The previous version of the
 * managed rules runs even if the new one ended the evaluation.
 */
export function evaluate(
  program: Program,
  request: RequestContext,
  options: EvaluateOptions = {},
): Evaluation {
  request.parts?.begin();
  const run = new Run(request, options);
  for (const stage of program) {
    const step = run.runStage(stage);
    if (step !== undefined) run.trace.push(step);
  }
  return run;
}

/** The status of the response if a rule ends the evaluation. */
function statusOf({ action, action_parameters, ratelimit }: Rule): number {
  const parameters = action_parameters as
    | {
        readonly response?: { readonly status_code: number };
        readonly status_code?: number;
      }
    | undefined;
  if (action === "serve_error") return parameters?.status_code ?? 500;
  const isLimit = ratelimit !== undefined && action === "block";
  return parameters?.response?.status_code ?? (isLimit ? 429 : 403);
}

/** Actions that end the evaluation; a challenge does unless it counts as solved. */
const endingActions = new Set<Action>(["block", "redirect", "serve_error", ...challenges]);

const noNames: ReadonlySet<string> = new Set();

type Next = "goes on" | "phase ends";

/** The rule or stage that is evaluated, for reporting a failure. */
interface FailureSource {
  readonly stage: Stage;
  readonly rulesetId?: string;
  readonly rule?: Pick<Rule, "id" | "description">;
}

class Run implements Evaluation {
  readonly #options: EvaluateOptions;
  /** The request before the first stage. */
  readonly #incoming: RequestContext;
  readonly #skips = new Skips();
  decided: Decision | undefined = undefined;
  readonly trace: TraceStep[] = [];
  previousMatches: readonly PreviousMatch[] = [];
  /** Its fields change only between stages. */
  request: RequestContext;
  route: RouteParameters = {};
  configuration: ActionParameters = {};
  removedHeaders: ReadonlySet<string> = noNames;
  readonly failures: RuleFailure[] = [];
  readonly answerLimits: AnswerLimit[] = [];
  /** Rewrites of the current phase, applied at its end. */
  #rewritten: Rewritten[] = [];

  constructor(request: RequestContext, options: EvaluateOptions) {
    this.#incoming = request;
    this.request = request;
    this.#options = options;
  }

  /** Undefined if the stage is skipped. */
  runStage(stage: Program[number]): TraceStep | undefined {
    if ("judges" in stage) return this.#runPreviousWaf();
    if (this.decided !== undefined) return undefined;
    if ("product" in stage) return this.#runProduct(stage);
    if ("choosePageRule" in stage) return this.#runPageRules(stage);
    if ("settingProduct" in stage) return this.#runSettingProduct(stage);
    return "transforms" in stage ? this.#runTransforms(stage) : this.#runPhase(stage);
  }

  /**
   * Adds no step to the trace. The previous WAF does not run if a stage before the managed rules ended the
   * evaluation.
   */
  #runPreviousWaf(): undefined {
    const isOver = this.decided !== undefined && isAhead(this.decided.stage, managedPhase);
    if (isOver || this.#skips.hasStage("waf")) return;
    this.previousMatches =
      this.#judged({ stage: "waf" }, () => this.#options.previousWaf?.(this.request)) ?? [];
    const stopping = this.previousMatches.find(({ action }) => this.#ends(action));
    if (stopping === undefined || this.decided !== undefined) return;
    const { ruleId: id, action, description } = stopping;
    this.decided = { stage: "waf", rule: { id, action, description }, status: 403 };
  }

  #runPageRules({ choosePageRule }: PageRuleStage): TraceStep {
    const verdict = this.#judged({ stage: "page_rules" }, () => choosePageRule(this.#incoming));
    const step = { step_name: "page_rules", type: "product" } as const;
    if (verdict === undefined) return { ...step, matched: false, trace: [] };
    const { ruleId: id, url: description, redirect, route, configuration, skips } = verdict;
    this.#skips.addStages(skips);
    this.#addRoute(route);
    this.configuration = { ...this.configuration, ...configuration };
    if (redirect !== undefined)
      this.decided = { stage: "page_rules", rule: { id, action: "redirect", description }, ...redirect };
    return { ...step, matched: true, trace: [stepOfPageRule(verdict)] };
  }

  #runTransforms({ transforms }: TransformStage): TraceStep {
    const changes = transforms.flatMap((transform) => transform.changes(this.request));
    this.#changeHeaders(changes);
    const trace = transforms.map(({ id }): TraceStep => ({
      step_name: id,
      type: "rule",
      matched: true,
      action: "rewrite",
    }));
    return { step_name: "managed_transforms", type: "product", matched: true, trace };
  }

  #runPhase({ phase, entryPoints }: PhaseStage): TraceStep | undefined {
    if (this.#skips.hasStage(phase)) return undefined;
    const trace: TraceStep[] = [];
    for (const entryPoint of entryPoints) {
      const next = this.#runRuleset(phase, entryPoint, trace);
      if (this.decided !== undefined || next === "phase ends") break;
    }
    if (this.#rewritten.length > 0) this.#rewrite(phase);
    return { step_name: phase, type: "phase", matched: trace.some(({ matched }) => matched), trace };
  }

  /** All rules of one phase see the request and the response as they were when the phase began. */
  #rewrite(phase: Phase): void {
    const { path, query, headers } = combine(this.#rewritten);
    this.#rewritten = [];
    if (path !== undefined || query !== undefined) this.request = withUri(this.request, { path, query });
    if (headers.length === 0) return;
    if (phase !== "http_response_headers_transform") {
      this.#changeHeaders(headers);
      return;
    }
    const changed = changeHeaders(headersOf(this.request, "http.response.headers"), headers);
    this.request = withResponseHeaders(this.request, changed);
  }

  #changeHeaders(changes: readonly HeaderChange[]): void {
    this.request = withHeaders(this.request, changeHeaders(headersOf(this.request), changes));
    this.removedHeaders = new Set([...this.removedHeaders, ...removedNames(changes)]);
  }

  #runProduct({ product, judge }: ProductStage): TraceStep | undefined {
    if (this.#skips.hasStage(product)) return undefined;
    const verdict = this.#judged({ stage: product }, () => judge(this.request));
    if (verdict === undefined) return { step_name: product, type: "product", matched: false, trace: [] };
    return this.#follow(product, verdict);
  }

  #follow(stage: RuleProduct | SettingProduct, verdict: ProductVerdict): TraceStep {
    const { ruleId, description, action, skips } = verdict;
    this.#skips.addStages(skips);
    if (this.#ends(action)) this.decided = { stage, rule: { id: ruleId, action, description }, status: 403 };
    return { step_name: stage, type: "product", matched: true, trace: [stepOfVerdict(verdict)] };
  }

  #runSettingProduct({ settingProduct: product, judge }: SettingStage): TraceStep | undefined {
    if (this.#skips.hasStage(product)) return undefined;
    const { hasAllHeaders = false } = this.#options;
    const verdict = this.#judged({ stage: product }, () =>
      judge(this.request, this.configuration, hasAllHeaders),
    );
    return verdict && this.#follow(product, verdict);
  }

  #runRuleset(phase: Phase, { ruleset, rules, coreLevel }: RunnableRuleset, steps: TraceStep[]): Next {
    const trace: TraceStep[] = [];
    const { id, name, description, kind } = ruleset;
    const skippedRules = this.#skips.rulesOf(id);
    const source = { stage: phase, rulesetId: id };
    const found = coreLevel && this.#coreMatches(source, coreLevel);
    let score = 0;
    let next: Next = "goes on";
    for (const runnable of rules) {
      const { rule } = runnable;
      if (skippedRules?.has(rule.id) === true) continue;
      const match = found?.get(rule.id);
      const isJudged = found !== undefined && rule.score_threshold === undefined;
      if (isJudged ? match === undefined : !this.#isMet(source, runnable, score)) {
        if (this.decided !== undefined) break;
        if (kind !== "managed" && this.#options.tracesUnmatched !== false) trace.push(stepOf(rule, false));
        continue;
      }
      const at = { ...source, rule };
      if (rule.action === "score") score += match?.score ?? incrementOf(rule);
      const { rewrites, redirects } = runnable;
      const rewritten = rewrites && this.#judged(at, () => rewrites(this.request));
      if (rewritten?.fault !== undefined) {
        this.decided = { stage: phase, rulesetId: id, rule, status: 530, rewriteFault: rewritten.fault };
      } else if (rewritten !== undefined) this.#rewritten.push(rewritten);
      if (rule.action === "route") this.#addRoute(rule.action_parameters ?? {});
      if (rule.action === "set_config" || rule.action === "compress_response")
        this.configuration = { ...this.configuration, ...rule.action_parameters };
      const nested: TraceStep[] = [];
      if (runnable.executes !== undefined) next = this.#execute(phase, runnable.executes, nested);
      const stop =
        rule.action === "skip" ? this.#skips.add(rule.action_parameters as SkipParameters) : undefined;
      const target = redirects && this.#judged(at, () => redirects(this.request));
      const step = stepOf(target?.isListed === true ? resolved(rule, target) : rule, true, nested);
      trace.push(match === undefined ? step : withMatch(step, match));
      // A redirect without a target does nothing.
      if (this.#endsBy(rule) && (redirects === undefined || target !== undefined)) {
        const status = target?.status ?? statusOf(rule);
        const location = target && { location: target.location };
        this.decided = { stage: phase, rulesetId: id, rule, status, ...location };
      }
      if (stop === "phase") next = "phase ends";
      const endsRuleset = stop !== undefined || (id === firewallRulesetId && isChallenge(rule.action));
      if (this.decided !== undefined || next === "phase ends" || endsRuleset) break;
    }
    const matched = trace.some((step) => step.matched);
    steps.push({ step_name: id, type: "ruleset", matched, name, description, kind, trace });
    return next;
  }

  /** Host and port of an origin may come from different rules. */
  #addRoute(route: RouteParameters): void {
    this.route = { ...this.route, ...route, origin: { ...this.route.origin, ...route.origin } };
  }

  #judged<T>(source: FailureSource, judge: () => T): T | undefined {
    try {
      return judge();
    } catch (error) {
      this.#fail(source, error);
      return undefined;
    }
  }

  /** Whether a rule matches; false if that throws. Without a function for each rule, as most of them do not match. */
  #isMet(source: FailureSource, runnable: RunnableRule, score: number): boolean {
    try {
      return this.#matches(runnable, score);
    } catch (error) {
      this.#fail({ ...source, rule: runnable.rule }, error);
      return false;
    }
  }

  /**
   * Notes a failure, which may end the evaluation. Throws the error again where no fail mode is set, and BodyUnread
   * always: with the body, the rule can be judged.
   */
  #fail({ stage, rulesetId = "", rule }: FailureSource, error: unknown): void {
    const { failMode } = this.#options;
    if (failMode === undefined || error instanceof BodyUnread) throw error;
    const { id = "", description = "" } = rule ?? {};
    this.failures.push({ stage, rulesetId, ruleId: id, description, error });
    if (failMode === "closed" && this.decided === undefined) {
      const unjudged = { id, action: "block", description } as const;
      this.decided = { stage, rulesetId, rule: unjudged, status: 500, isUnjudged: true };
    }
  }

  /** An empty map if the Core Rule Set fails: the expressions of its rules are always true. */
  #coreMatches(source: FailureSource, level: ParanoiaLevel): ReadonlyMap<string, CoreMatch> | undefined {
    const { coreMatches } = this.#options;
    const rule = { id: "", description: "The Core Rule Set could not judge the request" };
    return (
      coreMatches &&
      (this.#judged({ ...source, rule }, () => coreMatches(level)) ?? new Map<string, CoreMatch>())
    );
  }

  #matches({ rule, matches, limit }: RunnableRule, score: number): boolean {
    if (rule.score_threshold !== undefined && score < rule.score_threshold) return false;
    if (limit === undefined) return matches(this.request);
    const isMet = matches(this.request);
    const isCounted = limit.countsAnswers
      ? this.#addAnswerLimit(rule, limit, isMet)
      : (limit.counts?.(this.request) ?? isMet);
    if (!isCounted && !isMet) return false;
    const { exceeds } = this.#options;
    if (exceeds === undefined) return false;
    const { id: ruleId, action } = rule;
    const key = limit.keyOf(this.request, this.#options.visitorId);
    return exceeds({ ruleId, action, limit, key, isCounted }) && isMet;
  }

  /** Has the request counted later, if it may be. Returns false, as it is not counted yet. */
  #addAnswerLimit({ id: ruleId }: Rule, limit: RunnableLimit, isMet: boolean): false {
    if (isMet || limit.counts !== undefined) {
      const key = limit.keyOf(this.request, this.#options.visitorId);
      this.answerLimits.push({ ruleId, limit, key, request: this.request });
    }
    return false;
  }

  #execute(phase: Phase, executed: RunnableRuleset, trace: TraceStep[]): Next {
    return this.#skips.hasRuleset(executed.ruleset.id) ? "goes on" : this.#runRuleset(phase, executed, trace);
  }

  /** A rate limit that is exceeded acts whatever was solved before. */
  #endsBy({ action, ratelimit }: Rule): boolean {
    return ratelimit === undefined ? this.#ends(action) : endingActions.has(action);
  }

  #ends(action: Action): boolean {
    return endingActions.has(action) && this.#options.solved?.has(action) !== true;
  }
}

function incrementOf({ action_parameters }: Rule): number {
  return (action_parameters as { readonly increment: number }).increment;
}
