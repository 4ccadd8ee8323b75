import type { CompiledExpression } from "../expression/compile.ts";

/**
 * Compiled expressions of rules by their text. It owns what they hold outside of the core, and frees it.
 * What `get` answers may be used until the next `trim`.
 */
export class ExpressionCache {
  readonly #compile: (source: string) => CompiledExpression;
  readonly #compiled = new Map<string, CompiledExpression>();

  constructor(compile: (source: string) => CompiledExpression) {
    this.#compile = compile;
  }

  get size(): number {
    return this.#compiled.size;
  }

  has(source: string): boolean {
    return this.#compiled.has(source);
  }

  /** Throws an ExpressionError for a text that is none: of stored rules there is no such. */
  get(source: string): CompiledExpression {
    const known = this.#compiled.get(source);
    const compiled = known ?? this.#compile(source);
    // The order of a map is that of its insertions: what was used last stands last.
    if (known !== undefined) this.#compiled.delete(source);
    this.#compiled.set(source, compiled);
    return compiled;
  }

  /** Frees the expressions that were not used for the longest time, but for `sizeMax`. */
  trim(sizeMax: number): void {
    for (const [source, compiled] of this.#compiled) {
      if (this.#compiled.size <= sizeMax) return;
      this.#compiled.delete(source);
      compiled.free();
    }
  }
}
