import { withFields, type RequestContext } from "../expression/context.ts";
import type { Phase } from "../expression/phases.ts";
import type { ProductStage, ProductVerdict } from "../firewall-products/product.ts";
import type { FoundRedirect } from "../lists/redirect-index.ts";
import type { PreviousAct } from "../previous-waf/judge.ts";
import { combine, type Rewritten } from "../transforms/rewrite.ts";
import { changeHeaders, headersOf } from "../transforms/request-headers.ts";
import type { TransformStage } from "../transforms/transform-stage.ts";
import type { ActionParameters } from "./action-parameters.ts";
import { isAhead, managedPhase, type Action, type Stage } from "./phases.ts";
import type { PhaseStage, Program, RunnableRule, RunnableRuleset } from "./program.ts";
import { headerFields, withUri } from "./request-fields.ts";
import type { RulesetKind } from "./rule-context.ts";
import type { Rule } from "./rule.ts";
import type { SkipParameters } from "./skip-parameters.ts";

export interface Evaluation {
  /** What ended the evaluation; undefined for nothing. */
  readonly decided: Decision | undefined;
  readonly trace: readonly TraceStep[];
  /** What the previous version of the managed rules made of the request. */
  readonly previousActs: readonly PreviousAct[];
  /** As the last stage left it. */
  readonly request: RequestContext;
}

/** The rule that ended an evaluation. */
export interface Decision {
  readonly stage: Stage;
  /** Absent for a product. */
  readonly rulesetId?: string;
  readonly rule: Pick<Rule, "id" | "action" | "description">;
  /** Of the answer. */
  readonly status: number;
}

/** A step of the evaluation in the form of the request tracer. */
export interface TraceStep {
  /** A phase, a product, or the id of a ruleset or a rule. */
  readonly step_name: string;
  readonly type: "phase" | "product" | "ruleset" | "rule";
  readonly matched: boolean;
  readonly name?: string;
  readonly description?: string;
  readonly kind?: RulesetKind;
  readonly expression?: string;
  readonly action?: Action;
  readonly action_parameters?: ActionParameters;
  readonly trace?: readonly TraceStep[];
}

interface EvaluateOptions {
  /** Whether challenges count as solved. */
  readonly skipChallenges?: boolean;
  /** Judges by the previous version of the managed rules; without it, that is turned off. */
  readonly previousWaf?: (request: RequestContext) => readonly PreviousAct[];
  /** Whether a request is above the limit of a rule that has one. A single request never is. */
  readonly exceedsLimit?: (rule: Rule, request: RequestContext) => boolean;
}

/**
 * Evaluates a request stage by stage and rule by rule, until a rule ends the evaluation. Of managed rulesets the trace
 * holds the rules that matched, of others all that were evaluated. The previous version of the managed rules judges also
 * what the new one ended.
 */
export function evaluate(
  program: Program,
  request: RequestContext,
  options: EvaluateOptions = {},
): Evaluation {
  const run = new Run(request, options);
  const trace: TraceStep[] = [];
  for (const stage of program) {
    const step = run.runStage(stage);
    if (step !== undefined) trace.push(step);
  }
  const { decided, previousActs, request: last } = run;
  return { decided, trace, previousActs, request: last };
}

/** The status of the answer by a rule that ends the evaluation. */
function statusOf({ action, action_parameters, ratelimit }: Rule): number {
  const parameters = action_parameters as
    | {
        readonly response?: { readonly status_code: number };
        readonly from_value?: { readonly status_code?: number };
      }
    | undefined;
  if (action === "redirect") return parameters?.from_value?.status_code ?? 301;
  const isLimit = ratelimit !== undefined && action === "block";
  return parameters?.response?.status_code ?? (isLimit ? 429 : 403);
}

/** Actions that end the evaluation. */
const endingActions = new Set<Action>(["block", "redirect", "serve_error"]);
const challenges = new Set<Action>(["challenge", "js_challenge", "managed_challenge"]);

type Next = "goes on" | "phase ends";

class Run {
  decided: Decision | undefined;
  previousActs: readonly PreviousAct[] = [];
  /** Phases and products. */
  readonly #skippedStages = new Set<string>();
  readonly #skippedRulesets = new Set<string>();
  readonly #skippedRules = new Map<string, Set<string>>();
  /** Its fields change between stages, never within one. */
  request: RequestContext;
  readonly #ending: ReadonlySet<Action>;
  readonly #options: EvaluateOptions;
  /** Of the phase that runs. */
  #rewritten: Rewritten[] = [];

  constructor(request: RequestContext, options: EvaluateOptions) {
    this.request = request;
    this.#options = options;
    this.#ending = options.skipChallenges === true ? endingActions : endingActions.union(challenges);
  }

  /** Undefined where it is skipped. */
  runStage(stage: Program[number]): TraceStep | undefined {
    if ("judges" in stage) return this.#runPreviousWaf();
    if (this.decided !== undefined) return undefined;
    if ("product" in stage) return this.#runProduct(stage);
    return "transforms" in stage ? this.#runTransforms(stage) : this.#runPhase(stage);
  }

  /** It has no step of its own. What a stage ahead of the managed rules ended does not meet it. */
  #runPreviousWaf(): undefined {
    const isOver = this.decided !== undefined && isAhead(this.decided.stage, managedPhase);
    if (isOver || this.#skippedStages.has("waf")) return;
    this.previousActs = this.#options.previousWaf?.(this.request) ?? [];
    const stopping = this.previousActs.find(({ action }) => this.#ending.has(action));
    if (stopping === undefined || this.decided !== undefined) return;
    const { ruleId: id, action, description } = stopping;
    this.decided = { stage: "waf", rule: { id, action, description }, status: 403 };
  }

  #runTransforms({ transforms }: TransformStage): TraceStep {
    const changes = transforms.flatMap((transform) => transform.changes(this.request));
    this.request = withFields(this.request, headerFields(changeHeaders(headersOf(this.request), changes)));
    const trace = transforms.map(({ id }): TraceStep => ({
      step_name: id,
      type: "rule",
      matched: true,
      action: "rewrite",
    }));
    return { step_name: "managed_transforms", type: "product", matched: true, trace };
  }

  #runPhase({ phase, entryPoints }: PhaseStage): TraceStep | undefined {
    if (this.#skippedStages.has(phase)) return undefined;
    const trace: TraceStep[] = [];
    for (const entryPoint of entryPoints) {
      const next = this.#runRuleset(phase, entryPoint, trace);
      if (this.decided !== undefined || next === "phase ends") break;
    }
    this.#rewrite();
    return { step_name: phase, type: "phase", matched: trace.some(({ matched }) => matched), trace };
  }

  /** Rules of one phase all see the request as it was when the phase began. */
  #rewrite(): void {
    const { path, query, headers } = combine(this.#rewritten);
    this.#rewritten = [];
    if (path !== undefined || query !== undefined) this.request = withUri(this.request, { path, query });
    if (headers.length > 0) {
      this.request = withFields(this.request, headerFields(changeHeaders(headersOf(this.request), headers)));
    }
  }

  #runProduct({ product, judge }: ProductStage): TraceStep | undefined {
    if (this.#skippedStages.has(product)) return undefined;
    const verdict = judge(this.request);
    const step = { step_name: product, type: "product" } as const;
    if (verdict === undefined) return { ...step, matched: false, trace: [] };
    const { ruleId, description, action, skips } = verdict;
    for (const one of skips) this.#skippedStages.add(one);
    if (this.#ending.has(action))
      this.decided = { stage: product, rule: { id: ruleId, action, description }, status: 403 };
    return { ...step, matched: true, trace: [stepOfVerdict(verdict)] };
  }

  #runRuleset(phase: Phase, { ruleset, rules }: RunnableRuleset, steps: TraceStep[]): Next {
    const trace: TraceStep[] = [];
    const { id, name, description, kind } = ruleset;
    const skippedRules = this.#skippedRules.get(id);
    let score = 0;
    let next: Next = "goes on";
    for (const runnable of rules) {
      const { rule } = runnable;
      if (skippedRules?.has(rule.id) === true) continue;
      if (!this.#matches(runnable, score)) {
        if (kind !== "managed") trace.push(stepOf(rule, false));
        continue;
      }
      if (rule.action === "score") score += incrementOf(rule);
      if (runnable.rewrites !== undefined) this.#rewritten.push(runnable.rewrites(this.request));
      const nested: TraceStep[] = [];
      if (runnable.executes !== undefined) next = this.#execute(phase, runnable.executes, nested);
      const stop = rule.action === "skip" ? this.#skip(rule) : undefined;
      const found = runnable.redirects?.(this.request);
      trace.push(stepOf(found === undefined ? rule : resolved(rule, found), true, nested));
      // A rule that redirects by a list does nothing where that has no redirect for the request.
      if (this.#isEnding(rule) && (runnable.redirects === undefined || found !== undefined)) {
        const status = found?.redirect.status_code ?? statusOf(rule);
        this.decided = { stage: phase, rulesetId: id, rule, status };
      }
      if (stop === "phase") next = "phase ends";
      if (this.decided !== undefined || next === "phase ends" || stop !== undefined) break;
    }
    const matched = trace.some((step) => step.matched);
    steps.push({ step_name: id, type: "ruleset", matched, name, description, kind, trace });
    return next;
  }

  #matches({ rule, matches }: RunnableRule, score: number): boolean {
    if (rule.score_threshold !== undefined && score < rule.score_threshold) return false;
    return matches(this.request);
  }

  #execute(phase: Phase, executed: RunnableRuleset, trace: TraceStep[]): Next {
    return this.#skippedRulesets.has(executed.ruleset.id)
      ? "goes on"
      : this.#runRuleset(phase, executed, trace);
  }

  #isEnding(rule: Rule): boolean {
    if (!this.#ending.has(rule.action)) return false;
    return rule.ratelimit === undefined || this.#options.exceedsLimit?.(rule, this.request) === true;
  }

  /** What is skipped of the current ruleset or phase. */
  #skip({ action_parameters }: Rule): "ruleset" | "phase" | undefined {
    const {
      phases = [],
      products = [],
      rulesets = [],
      rules = {},
      ruleset,
      phase,
    } = action_parameters as SkipParameters;
    for (const one of [...phases, ...products]) this.#skippedStages.add(one);
    for (const id of rulesets) this.#skippedRulesets.add(id);
    for (const [id, ruleIds] of Object.entries(rules)) {
      this.#skippedRules.set(id, new Set([...(this.#skippedRules.get(id) ?? []), ...ruleIds]));
    }
    if (phase !== undefined) return "phase";
    return ruleset === undefined ? undefined : "ruleset";
  }
}

function stepOf(rule: Rule, matched: boolean, trace: readonly TraceStep[] = []): TraceStep {
  const { id, description, expression, action, action_parameters } = rule;
  return {
    step_name: id,
    type: "rule",
    matched,
    description,
    expression,
    action,
    ...(action_parameters !== undefined && { action_parameters }),
    ...(trace.length > 0 && { trace }),
  };
}

/** A rule that redirects by a list, as if it redirected to what it found there. */
function resolved(rule: Rule, { redirect, location }: FoundRedirect): Rule {
  const from_value = { status_code: redirect.status_code, target_url: { value: location } };
  return { ...rule, action_parameters: { ...rule.action_parameters, from_value } };
}

function stepOfVerdict({ ruleId, description, action }: ProductVerdict): TraceStep {
  return { step_name: ruleId, type: "rule", matched: true, description, action };
}

function incrementOf({ action_parameters }: Rule): number {
  return (action_parameters as { readonly increment: number }).increment;
}
