/**
 * Compiled expressions of rules by their text. It owns them and frees their memory outside of the core.
 * A result of `get` may be used until the next `trim`.
 */
export class ExpressionCache<Compiled extends { readonly free: () => void; readonly octets: number }> {
  readonly #compile: (source: string) => Compiled;
  readonly #compiled = new Map<string, Compiled>();

  constructor(compile: (source: string) => Compiled) {
    this.#compile = compile;
  }

  #octets = 0;

  get size(): number {
    return this.#compiled.size;
  }

  has(source: string): boolean {
    return this.#compiled.has(source);
  }

  /** Throws an ExpressionError for an invalid text, which stored rules do not have. */
  get(source: string): Compiled {
    const known = this.#compiled.get(source);
    const compiled = known ?? this.#compile(source);
    if (known === undefined) this.#octets += compiled.octets;
    // Sets the expression again, as the most recently used.
    if (known !== undefined) this.#compiled.delete(source);
    this.#compiled.set(source, compiled);
    return compiled;
  }

  /** Frees the least recently used expressions, down to so many, and so many octets of memory. */
  trim(sizeMax: number, octetsMax = Infinity): void {
    for (const [source, compiled] of this.#compiled) {
      if (this.#compiled.size <= sizeMax && this.#octets <= octetsMax) return;
      this.#compiled.delete(source);
      this.#octets -= compiled.octets;
      compiled.free();
    }
  }
}
