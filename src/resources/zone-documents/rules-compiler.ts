import type { CompiledExpression, CompiledValueExpression } from "../../core/expression/compile/compile.ts";
import { storedLimits } from "../../core/expression/limits.ts";
import type { RunningRules } from "../../core/judging/judge-request.ts";
import { countRules } from "../../core/judging/program.ts";
import { SharedExpressions } from "../../core/judging/shared-expressions.ts";
import { compileRules, sourcesOf, type AssembledRules } from "../../core/judging/zone-rules.ts";
import { createPause } from "../../operation/pause.ts";
import type { RulesetContext } from "../rulesets/rulesets.ts";

/** Rules that own memory until `free`. */
export interface CompiledRules {
  readonly rules: RunningRules;
  readonly free: () => void;
  /** Memory that they take beside what other rules take as well. */
  readonly octets: () => number;
}

/** Octets of a rule without regular expressions, as measured. */
const octetsOfRule = 8_192;

interface Expressions {
  readonly filters: SharedExpressions<CompiledExpression>;
  readonly values: SharedExpressions<CompiledValueExpression>;
}

interface CompilerOptions {
  /** Octets that the regular expressions of a single zone may take. */
  readonly octetsMax: number;
  /** The error where they take more. */
  readonly tooLarge: () => Error;
  /** Expressions that stay compiled though no rules have them, and their memory; none by default. */
  readonly idle?: { readonly sizeMax: number; readonly octetsMax: number };
}

/** Makes rules ready to run. Those that are ready at the same time share expressions. */
export class RulesCompiler {
  readonly #loadEngine: RulesetContext["loadExpressionEngine"];
  readonly #options: CompilerOptions;
  #loading: Promise<Expressions> | undefined;

  constructor(loadEngine: RulesetContext["loadExpressionEngine"], options: CompilerOptions) {
    this.#loadEngine = loadEngine;
    this.#options = options;
  }

  /**
   * `onOctets` is called when what they take has changed. Throws what compiling throws, and where they take
   * too much.
   */
  async compile(
    rules: AssembledRules,
    managed: RulesetContext["managed"],
    onOctets: () => void = () => undefined,
  ): Promise<CompiledRules> {
    const shared = await (this.#loading ??= this.#load());
    let isReady = false;
    const changed = (): void => {
      if (isReady) onOctets();
    };
    const filters = shared.filters.lease(changed);
    const values = shared.values.lease(changed);
    const ofExpressions = (): number => filters.octets() + values.octets();
    const free = (): void => {
      filters.release();
      values.release();
    };
    const { octetsMax, tooLarge } = this.#options;
    try {
      const pause = createPause();
      const sources = sourcesOf(rules);
      const compilations = [
        ...sources.filters.map((source) => () => filters.get(source)),
        ...sources.values.map((source) => () => values.get(source)),
      ];
      for (const compileOne of compilations) {
        compileOne();
        if (ofExpressions() > octetsMax) throw tooLarge();
        await pause();
      }
      const running = compileRules(rules, managed, { filters, values });
      if (ofExpressions() > octetsMax) throw tooLarge();
      isReady = true;
      const ofRules = octetsOfRule * (1 + countRules(running.program) + countRules(running.responseProgram));
      return { rules: running, free, octets: () => ofRules + ofExpressions() };
    } catch (error) {
      free();
      throw error;
    }
  }

  async #load(): Promise<Expressions> {
    const { idle } = this.#options;
    const engine = await this.#loadEngine();
    return {
      filters: new SharedExpressions(
        (source) => engine.compileFilter(source, { limits: storedLimits }),
        idle,
      ),
      values: new SharedExpressions((source) => engine.compileValue(source, { limits: storedLimits }), idle),
    };
  }
}
