import type { RequestContext } from "../expression/context.ts";
import type { PreviousAct } from "../previous-waf/judge.ts";
import type { ParanoiaLevel } from "../seclang/evaluate/paranoia-level.ts";
import type { ActionParameters } from "./action-parameters.ts";
import type { CoreMatch } from "./core-rules.ts";
import type { Action, Stage } from "./phases.ts";
import type { Rule } from "./rule.ts";
import type { RunnableLimit } from "./runnable-limit.ts";
import type { TraceStep } from "./trace-step.ts";

/** What became of a request. */
export interface Evaluation {
  /** What ended the evaluation; undefined for nothing. */
  readonly decided: Decision | undefined;
  readonly trace: readonly TraceStep[];
  /** What the previous version of the managed rules made of the request. */
  readonly previousActs: readonly PreviousAct[];
  /** As the last stage left it. */
  readonly request: RequestContext;
  /** What `route` rules and a page rule said; a later rule overrules an earlier one. */
  readonly route: RouteParameters;
  /** What `set_config` rules and a page rule said; a later rule overrules an earlier one. */
  readonly configuration: ActionParameters;
  /** In the order in which they were met. */
  readonly failures: readonly RuleFailure[];
}

/** A rule that could not be judged. */
export interface RuleFailure {
  readonly stage: Stage;
  /** Empty outside of rulesets. */
  readonly rulesetId: string;
  /** Empty where it is not known which one. */
  readonly ruleId: string;
  readonly description: string;
  readonly error: unknown;
}

/** What a `route` rule may say. */
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
  /** Of the answer. */
  readonly status: number;
  /** Of a redirect. */
  readonly location?: string;
  /** Whether it stands for a rule that could not be judged. */
  readonly isUnjudged?: true;
}

export type WhereUnjudged = "open" | "closed";

export interface EvaluateOptions {
  /** The challenges that count as solved. */
  readonly solved?: ReadonlySet<Action>;
  /** Judges by the previous version of the managed rules; without it, that is turned off. */
  readonly previousWaf?: (request: RequestContext) => readonly PreviousAct[];
  /** What rules of the Core Rule Set up to a level match, by rule id; only asked where they judge. */
  readonly coreMatches?: (level: ParanoiaLevel) => ReadonlyMap<string, CoreMatch>;
  /** Whether a request is above the limit of a rule; it is counted if it has to be. A single request never is. */
  readonly exceeds?: (
    rule: Rule,
    limit: RunnableLimit,
    request: RequestContext,
    isCounted: boolean,
  ) => boolean;
  /**
   * A rule that cannot be judged does nothing (`open`), or ends the evaluation with the status 500 (`closed`). By default its
   * error is thrown.
   */
  readonly whereUnjudged?: WhereUnjudged;
  /** Whether the trace holds rules that did not match; it does by default. */
  readonly tracesUnmatched?: boolean;
}
