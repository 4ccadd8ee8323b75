import { ExpressionError } from "./expression-error.ts";
import type { ExpressionLimits } from "./limits.ts";
import { parseExpression, parseValueExpression } from "./parse.ts";
import { PatternError, type PatternTaker, type RegexEngine } from "./engines.ts";

/** Maximum of cached characters: a few times the largest body. */
const keptCharactersMax = 4 * 1024 * 1024;

const mayHoldPattern = /matches|~|regex_replace/;

/**
 * Checks regular expressions by compiling them, which may take milliseconds. Verdicts are cached, patterns
 * freed.
 */
export class PatternChecks implements PatternTaker {
  readonly #engine: RegexEngine;
  readonly #verdicts = new Map<string, PatternError | undefined>();
  #characters = 0;

  constructor(engine: RegexEngine) {
    this.#engine = engine;
  }

  /** Throws a PatternError. */
  take(pattern: string): void {
    if (!this.#verdicts.has(pattern)) this.check(pattern);
    const error = this.#verdicts.get(pattern);
    if (error !== undefined) throw error;
  }

  check(pattern: string): void {
    this.#verdicts.set(pattern, errorIn(this.#engine, pattern));
    this.#characters += pattern.length;
    for (const oldest of this.#verdicts.keys()) {
      if (this.#characters <= keptCharactersMax) return;
      this.#verdicts.delete(oldest);
      this.#characters -= oldest.length;
    }
  }

  /** The patterns without a verdict in the expressions of `value`, at any depth. */
  *uncheckedIn(value: unknown, limits: ExpressionLimits): Generator<string> {
    for (const text of textsIn(value)) {
      if (!mayHoldPattern.test(text)) continue;
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

/** The patterns of an expression, up to its first error. */
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

/** Without recursion, as `value` may be nested to any depth. */
function* textsIn(value: unknown): Generator<string> {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") yield next;
    else if (typeof next === "object" && next !== null)
      for (const part of Object.values(next)) waiting.push(part);
  }
}
