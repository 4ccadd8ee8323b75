import type { CompiledExpression, CompiledValueExpression } from "../core/expression/compile.ts";
import { storedLimits } from "../core/expression/limits.ts";
import type { RunningRules } from "../core/rulesets/judge-request.ts";
import { SharedExpressions } from "../core/rulesets/shared-expressions.ts";
import { compileRules, type RulesetContext, type StoredRules } from "../resources/rulesets/rulesets.ts";

/** Rules that own memory until `free`. */
export interface CompiledRules {
  readonly rules: RunningRules;
  readonly free: () => void;
}

interface Expressions {
  readonly filters: SharedExpressions<CompiledExpression>;
  readonly values: SharedExpressions<CompiledValueExpression>;
}

/** Makes rules ready to run. Those that are ready at the same time share expressions. */
export class EdgeCompiler {
  readonly #context: RulesetContext;
  #loading: Promise<Expressions> | undefined;

  constructor(context: RulesetContext) {
    this.#context = context;
  }

  /** Throws what compiling throws. */
  async compile(stored: StoredRules): Promise<CompiledRules> {
    const shared = await (this.#loading ??= this.#load());
    const filters = shared.filters.lease();
    const values = shared.values.lease();
    const free = (): void => {
      filters.release();
      values.release();
    };
    try {
      return { rules: await compileRules(stored, this.#context.managed, { filters, values }), free };
    } catch (error) {
      free();
      throw error;
    }
  }

  async #load(): Promise<Expressions> {
    const engine = await this.#context.loadExpressionEngine();
    return {
      filters: new SharedExpressions((source) => engine.compileFilter(source, { limits: storedLimits })),
      values: new SharedExpressions((source) => engine.compileValue(source, { limits: storedLimits })),
    };
  }
}
