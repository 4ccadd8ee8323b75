interface Shared<Compiled> {
  readonly compiled: Compiled;
  uses: number;
}

/** The expressions of one program. */
export interface ExpressionLease<Compiled> {
  /** Throws an ExpressionError for an invalid text, which stored rules do not have. */
  readonly get: (source: string) => Compiled;
  readonly has: (source: string) => boolean;
  /** Frees what no other program uses. Nothing that `get` returned may be used afterwards. */
  readonly release: () => void;
}

/** Compiled expressions that programs share. Each is freed with the last program that uses it. */
export class SharedExpressions<Compiled extends { readonly free: () => void }> {
  readonly #compile: (source: string) => Compiled;
  readonly #shared = new Map<string, Shared<Compiled>>();

  constructor(compile: (source: string) => Compiled) {
    this.#compile = compile;
  }

  get size(): number {
    return this.#shared.size;
  }

  lease(): ExpressionLease<Compiled> {
    const leased = new Map<string, Shared<Compiled>>();
    return {
      get: (source) => {
        const known = leased.get(source);
        if (known !== undefined) return known.compiled;
        const shared = this.#shared.get(source) ?? { compiled: this.#compile(source), uses: 0 };
        shared.uses += 1;
        this.#shared.set(source, shared);
        leased.set(source, shared);
        return shared.compiled;
      },
      has: (source) => this.#shared.has(source),
      release: () => {
        for (const [source, shared] of leased) {
          shared.uses -= 1;
          if (shared.uses > 0) continue;
          this.#shared.delete(source);
          shared.compiled.free();
        }
        leased.clear();
      },
    };
  }
}
