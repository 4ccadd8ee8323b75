interface Compiled {
  readonly free: () => void;
  /** Memory that it takes. */
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

/** The expressions of one program. */
export interface ExpressionLease<Expression> {
  /** Throws an ExpressionError for an invalid text, which stored rules do not have. */
  readonly get: (source: string) => Expression;
  readonly has: (source: string) => boolean;
  /** Octets of those that no program used before this one, or whose earlier users are gone. */
  readonly octets: () => number;
  /** Frees what no other program uses. Nothing that `get` returned may be used afterwards. */
  readonly release: () => void;
}

/** Compiled expressions that programs share. Each is freed with the last program that uses it. */
export class SharedExpressions<Expression extends Compiled> {
  readonly #compile: (source: string) => Expression;
  readonly #shared = new Map<string, Shared<Expression>>();

  constructor(compile: (source: string) => Expression) {
    this.#compile = compile;
  }

  get size(): number {
    return this.#shared.size;
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
        const shared = this.#shared.get(source) ?? { compiled: this.#compile(source), users: new Set() };
        shared.users.add(user);
        this.#shared.set(source, shared);
        leased.set(source, shared);
        if (shared.users.size === 1) user.bear(shared.compiled.octets);
        return shared.compiled;
      },
      has: (source) => this.#shared.has(source),
      octets: () => borne,
      release: () => {
        for (const [source, { compiled, users }] of leased) {
          const [bearer] = users;
          users.delete(user);
          const [next] = users;
          if (next === undefined) {
            this.#shared.delete(source);
            compiled.free();
          } else if (bearer === user) next.bear(compiled.octets);
        }
        leased.clear();
      },
    };
  }
}
