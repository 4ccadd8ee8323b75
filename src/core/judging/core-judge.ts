import type { ParanoiaLevel } from "../seclang/evaluate/judge.ts";
import type { RuleRequest } from "../seclang/evaluate/request.ts";
import type { CoreMatch, CoreRules } from "./core-rules.ts";

/** The rules of the Core Rule Set that matched a request, up to a paranoia level. */
export interface CoreJudgement {
  readonly level: ParanoiaLevel;
  readonly matches: readonly CoreMatch[];
}

/** Why they could not be asked. */
export interface CoreFailure {
  readonly error: unknown;
}

/**
 * Evaluates the Core Rule Set on one request when first asked; again only if a higher level is asked for
 * later.
 */
export class CoreJudge {
  readonly #rules: CoreRules;
  readonly #request: () => RuleRequest;
  #failure: CoreFailure | undefined;
  #known: CoreJudgement | undefined;

  /** `known` is the result of an earlier evaluation, or why it failed. */
  constructor(rules: CoreRules, request: () => RuleRequest, known?: CoreJudgement | CoreFailure) {
    this.#rules = rules;
    this.#request = request;
    if (known !== undefined && "error" in known) this.#failure = known;
    else this.#known = known;
  }

  /** What was found so far, up to the highest level that was asked for, or why it failed; undefined before. */
  get judgement(): CoreJudgement | CoreFailure | undefined {
    return this.#failure ?? this.#known;
  }

  /** Every rule that matched so far, of any level; empty before the first evaluation. */
  get matches(): readonly CoreMatch[] {
    return this.#known?.matches ?? [];
  }

  /** Throws what judging throws, here or elsewhere. */
  upTo(level: ParanoiaLevel): readonly CoreMatch[] {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#known === undefined || this.#known.level < level) {
      this.#known = { level, matches: this.#judge(level) };
    }
    const { level: judged, matches } = this.#known;
    return judged === level ? matches : matches.filter((match) => match.level <= level);
  }

  /** What failed once is not tried again: the request may have been let go of. */
  #judge(level: ParanoiaLevel): readonly CoreMatch[] {
    try {
      return this.#rules.judge(this.#request(), level);
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  /** The rules of the ruleset that match, by their ids. */
  byRule(level: ParanoiaLevel): ReadonlyMap<string, CoreMatch> {
    return new Map(
      this.upTo(level).flatMap((match) => (match.ruleId === undefined ? [] : [[match.ruleId, match]])),
    );
  }
}
