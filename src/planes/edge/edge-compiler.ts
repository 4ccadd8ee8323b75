import type { CompiledExpression, CompiledValueExpression } from "../../core/expression/compile.ts";
import { storedLimits } from "../../core/expression/limits.ts";
import type { RunningRules } from "../../core/judging/judge-request.ts";
import { countRules } from "../../core/judging/program.ts";
import { SharedExpressions } from "../../core/judging/shared-expressions.ts";
import { compileRules, type RulesetContext, type StoredRules } from "../../resources/rulesets/rulesets.ts";

/** Rules that own memory until `free`. */
export interface CompiledRules {
  readonly rules: RunningRules;
  readonly free: () => void;
  /** Memory that they take beside what other rules take as well. */
  readonly octets: () => number;
}

/** Of a rule without regular expressions, as measured. */
const octetsOfRule = 8_192;

interface Expressions {
  readonly filters: SharedExpressions<CompiledExpression>;
  readonly values: SharedExpressions<CompiledValueExpression>;
}

/** Makes rules ready to run. Those that are ready at the same time share expressions. */
export class EdgeCompiler {
  readonly #context: RulesetContext;
  readonly #octetsMax: number;
  #loading: Promise<Expressions> | undefined;

  /** `octetsMax` is what the regular expressions of a single zone may take. */
  constructor(context: RulesetContext, octetsMax: number) {
    this.#context = context;
    this.#octetsMax = octetsMax;
  }

  /** `onOctets` is called when what they take has changed. Throws what compiling throws, and where they take too much. */
  async compile(stored: StoredRules, onOctets: () => void = () => undefined): Promise<CompiledRules> {
    const shared = await (this.#loading ??= this.#load());
    let isReady = false;
    const changed = (): void => {
      if (isReady) onOctets();
      else if (ofExpressions() > this.#octetsMax)
        throw new Error(
          `the regular expressions of the zone take more than ${this.#octetsMax} octets, a quarter of edge_ready_bytes_max`,
        );
    };
    const filters = shared.filters.lease(changed);
    const values = shared.values.lease(changed);
    const ofExpressions = (): number => filters.octets() + values.octets();
    const free = (): void => {
      filters.release();
      values.release();
    };
    try {
      const rules = await compileRules(stored, this.#context.managed, { filters, values });
      isReady = true;
      const { program, responseProgram } = rules;
      const ofRules = octetsOfRule * (1 + countRules(program) + countRules(responseProgram));
      return { rules, free, octets: () => ofRules + ofExpressions() };
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
