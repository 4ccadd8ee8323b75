import type { RequestContext } from "../expression/context.ts";
import type { PreviousMatch } from "../previous-waf/judge.ts";
import type { RewriteFault } from "../transforms/rewrite.ts";
import type { ParanoiaLevel } from "../seclang/evaluate/judge.ts";
import type { ActionParameters } from "../rulesets/action-parameters.ts";
import type { CoreMatch } from "./core-rules.ts";
import type { Action, Stage } from "../rulesets/phases.ts";
import type { Rule } from "../rulesets/rule.ts";
import type { RunnableLimit } from "./program.ts";
import type { TraceStep } from "./trace-step.ts";
import type { SkipParameters } from "../rulesets/skip-parameters.ts";

/** The result of evaluating a request. */
export interface Evaluation {
  /** The rule that ended the evaluation; undefined if none did. */
  readonly decided: Decision | undefined;
  readonly trace: readonly TraceStep[];
  /** The actions of the previous version of the managed rules. */
  readonly previousMatches: readonly PreviousMatch[];
  /** The request after the last stage. */
  readonly request: RequestContext;
  /** Set by `route` rules and a page rule; later rules win. */
  readonly route: RouteParameters;
  /** Set by `set_config` and `compress_response` rules and a page rule; later rules win. */
  readonly configuration: ActionParameters;
  /** Names of request headers that rules and managed transforms removed, also of those that the request lacks. */
  readonly removedHeaders: ReadonlySet<string>;
  /** In order of evaluation. */
  readonly failures: readonly RuleFailure[];
  /** The rate limits that may count the request once the origin has answered. */
  readonly answerLimits: readonly AnswerLimit[];
}

/** A rate limit that counts a request by the response of the origin. */
export interface AnswerLimit {
  readonly ruleId: string;
  readonly limit: RunnableLimit;
  /** The values of the characteristics. */
  readonly key: string;
  /** Seen by the rule in this state. */
  readonly request: RequestContext;
}

/** A request that a rate limit stops if too many have been counted. */
export interface LimitedRequest extends Omit<AnswerLimit, "request"> {
  readonly action: Action;
  /** Whether the request itself counts. */
  readonly isCounted: boolean;
}

export interface RuleFailure {
  readonly stage: Stage;
  /** Empty outside of rulesets. */
  readonly rulesetId: string;
  /** Empty if the failing rule is unknown. */
  readonly ruleId: string;
  readonly description: string;
  readonly error: unknown;
}

/** The parameters of a `route` rule. */
export interface RouteParameters {
  readonly host_header?: string;
  readonly origin?: { readonly host?: string; readonly port?: number };
  readonly sni?: { readonly value: string };
}

/** The rule that ended an evaluation. */
export interface Decision {
  readonly stage: Stage;
  /** Absent for a product. */
  readonly rulesetId?: string;
  readonly rule: Pick<Rule, "id" | "action" | "action_parameters" | "description">;
  readonly status: number;
  readonly location?: string;
  readonly isUnjudged?: true;
  /** The reason why the rule cannot rewrite the request. */
  readonly rewriteFault?: RewriteFault;
}

/** Times at which the visitor solved challenges, in milliseconds since 1970. */
export type Solved = ReadonlyMap<Action, number>;

export type FailMode = "open" | "closed";

export interface EvaluateOptions {
  /**
   * The challenges that count as solved, and when they were, in milliseconds since 1970. Those of rate limits do
   * not: `exceeds` decides.
   */
  readonly solved?: Solved;
  /** Evaluates the previous version of the managed rules; undefined if it is off. */
  readonly previousWaf?: (request: RequestContext) => readonly PreviousMatch[];
  /**
   * The matching rules of the Core Rule Set up to a level, by rule id; called only if such rules are
   * executed.
   */
  readonly coreMatches?: (level: ParanoiaLevel) => ReadonlyMap<string, CoreMatch>;
  /**
   * Whether a request exceeds the limit of a rule, after counting it. By default none does, as for a single request.
   */
  readonly exceeds?: (limited: LimitedRequest) => boolean;
  /** The id by which the edge tells the visitor from others behind its address; undefined for none. */
  readonly visitorId?: string | undefined;
  /**
   * The effect of a rule whose evaluation fails: it is ignored (`open`), or the request is answered with the status
   * 500 (`closed`). By default the error is thrown.
   */
  readonly failMode?: FailMode;
  /** Whether a header that the request lacks was not sent; by default it may just not be known. */
  readonly hasAllHeaders?: boolean;
  /** Whether the trace holds rules that did not match; it does by default. */
  readonly tracesUnmatched?: boolean;
}

/** Most requests skip nothing. */
const none: ReadonlySet<string> = new Set();
const noRules: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/** The phases, products, rulesets and rules that matched rules skip for a request. */
export class Skips {
  #stages = none;
  #rulesets = none;
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
