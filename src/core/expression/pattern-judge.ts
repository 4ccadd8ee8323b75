import { ExpressionError } from "./expression-error.ts";
import type { ExpressionLimits } from "./limits.ts";
import { parseExpression, parseValueExpression } from "./parse.ts";
import { PatternError, type PatternTaker, type RegexEngine } from "./regex-engine.ts";

/** Most characters of patterns whose verdicts are cached: a few times those of the largest bodies. */
const keptCharactersMax = 4 * 1024 * 1024;

const speaksOfPatterns = /matches|~|regex_replace/;

/**
 * Checks regular expressions by compiling them, which takes milliseconds for a large one. Verdicts are cached; compiled
 * patterns are freed at once.
 */
export class PatternJudge implements PatternTaker {
  readonly #engine: RegexEngine;
  readonly #verdicts = new Map<string, PatternError | undefined>();
  #characters = 0;

  constructor(engine: RegexEngine) {
    this.#engine = engine;
  }

  /** Throws a PatternError. */
  take(pattern: string): void {
    if (!this.#verdicts.has(pattern)) this.judge(pattern);
    const error = this.#verdicts.get(pattern);
    if (error !== undefined) throw error;
  }

  /** Caches the verdict on a pattern, and drops the oldest ones. */
  judge(pattern: string): void {
    this.#verdicts.set(pattern, errorIn(this.#engine, pattern));
    this.#characters += pattern.length;
    for (const oldest of this.#verdicts.keys()) {
      if (this.#characters <= keptCharactersMax) return;
      this.#verdicts.delete(oldest);
      this.#characters -= oldest.length;
    }
  }

  /** The patterns without a verdict in all expressions that `value` holds at any depth. */
  *unjudgedIn(value: unknown, limits: ExpressionLimits): Generator<string> {
    for (const text of textsIn(value)) {
      if (!speaksOfPatterns.test(text)) continue;
      for (const pattern of patternsIn(text, limits)) if (!this.#verdicts.has(pattern)) yield pattern;
    }
  }
}

function errorIn(engine: RegexEngine, pattern: string): PatternError | undefined {
  try {
    engine.compile(pattern).free();
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}

/** The patterns of an expression; of an invalid one those before the error. */
function patternsIn(text: string, limits: ExpressionLimits): ReadonlySet<string> {
  const found = new Set<string>();
  const options = { limits, patterns: { take: (pattern: string) => void found.add(pattern) } };
  for (const parse of [parseExpression, parseValueExpression]) {
    try {
      parse(text, options);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
    }
  }
  return found;
}

/** Does not recurse, so `value` may be nested to any depth. */
function* textsIn(value: unknown): Generator<string> {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") yield next;
    else if (typeof next === "object" && next !== null)
      for (const part of Object.values(next)) waiting.push(part);
  }
}
