interface Compiled {
  readonly free: () => void;
  readonly octets: number;
}

interface Shared<Expression> {
  readonly compiled: Expression;
  /** The programs that use it; the first of them bears its octets. */
  readonly users: Set<User>;
}

interface User {
  readonly bear: (octets: number) => void;
}

export interface ExpressionLease<Expression> {
  /** Throws an ExpressionError for an invalid text, which stored rules do not have. */
  readonly get: (source: string) => Expression;
  readonly has: (source: string) => boolean;
  /** Octets of those that no program used before this one, or whose earlier users are gone. */
  readonly octets: () => number;
  /** Frees what no other program uses. Nothing that `get` returned may be used afterwards. */
  readonly release: () => void;
}

/** Bounds on compiled expressions that no program uses any more. */
interface Idle {
  readonly sizeMax: number;
  /** A bound on the memory of all of them. */
  readonly octetsMax: number;
}

/**
 * Compiled expressions that programs share, by their texts. It owns them, and frees their memory outside of the
 * core: each with the last program that uses it, but for the `idle` ones that were used last.
 */
export class SharedExpressions<Expression extends Compiled> {
  readonly #compile: (source: string) => Expression;
  readonly #shared = new Map<string, Shared<Expression>>();
  readonly #idle: Idle;
  /** Expressions that no program uses, first the longest unused one. */
  readonly #unused = new Map<string, Expression>();
  #unusedOctets = 0;

  constructor(compile: (source: string) => Expression, idle: Idle = { sizeMax: 0, octetsMax: 0 }) {
    this.#compile = compile;
    this.#idle = idle;
  }

  get size(): number {
    return this.#shared.size + this.#unused.size;
  }

  /** `onOctets` is called when its octets change. */
  lease(onOctets: () => void = () => undefined): ExpressionLease<Expression> {
    const leased = new Map<string, Shared<Expression>>();
    let borne = 0;
    const user: User = {
      bear: (octets) => {
        borne += octets;
        onOctets();
      },
    };
    return {
      get: (source) => {
        const known = leased.get(source);
        if (known !== undefined) return known.compiled;
        const shared = this.#shared.get(source) ?? {
          compiled: this.#takeUnused(source) ?? this.#compile(source),
          users: new Set(),
        };
        shared.users.add(user);
        this.#shared.set(source, shared);
        leased.set(source, shared);
        if (shared.users.size === 1) user.bear(shared.compiled.octets);
        return shared.compiled;
      },
      has: (source) => this.#shared.has(source) || this.#unused.has(source),
      octets: () => borne,
      release: () => {
        for (const [source, { compiled, users }] of leased) {
          const [bearer] = users;
          users.delete(user);
          const [next] = users;
          if (next === undefined) {
            this.#shared.delete(source);
            this.#leaveUnused(source, compiled);
          } else if (bearer === user) next.bear(compiled.octets);
        }
        leased.clear();
      },
    };
  }

  #takeUnused(source: string): Expression | undefined {
    const compiled = this.#unused.get(source);
    if (compiled === undefined) return undefined;
    this.#unused.delete(source);
    this.#unusedOctets -= compiled.octets;
    return compiled;
  }

  #leaveUnused(source: string, compiled: Expression): void {
    this.#unused.set(source, compiled);
    this.#unusedOctets += compiled.octets;
    for (const [oldest] of this.#unused) {
      if (this.#unused.size <= this.#idle.sizeMax && this.#unusedOctets <= this.#idle.octetsMax) return;
      this.#takeUnused(oldest)?.free();
    }
  }
}
