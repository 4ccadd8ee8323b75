import { LiteralFilter } from "../operators/literal-filter.ts";
import { transformations, type Transformation } from "./transformations.ts";

/** Transformations that are applied one after another; the same chain of two rules is one object. */
export interface Chain {
  readonly steps: readonly Transformation[];
  /** Which of the operators behind the chain may match a value at all; undefined where none can be told. */
  readonly filter: LiteralFilter | undefined;
}

/** Keeps one chain for each list of names. */
export class Chains {
  readonly #chains = new Map<string, GrowingChain>();
  readonly #sha1: Transformation;

  constructor(sha1: Transformation) {
    this.#sha1 = sha1;
  }

  /** Undefined if a name is unknown; otherwise the chain after the last `none`. */
  of(names: readonly string[]): GrowingChain | undefined {
    const lower = names.map((name) => name.toLowerCase());
    const used = lower.slice(lower.lastIndexOf("none") + 1);
    const key = used.join(",");
    const known = this.#chains.get(key);
    if (known !== undefined) return known;
    const steps: Transformation[] = [];
    for (const name of used) {
      const step = name === "sha1" ? this.#sha1 : transformations.get(name);
      if (step === undefined) return undefined;
      steps.push(step);
    }
    const chain = new GrowingChain(steps);
    this.#chains.set(key, chain);
    return chain;
  }

  /** Makes the filters, when all rules are known. */
  finish(): void {
    for (const chain of this.#chains.values()) chain.finish();
  }
}

/** A chain while rules are compiled. */
export class GrowingChain implements Chain {
  readonly steps: readonly Transformation[];
  filter: LiteralFilter | undefined;
  readonly #groups: (readonly string[])[] = [];

  constructor(steps: readonly Transformation[]) {
    this.steps = steps;
  }

  /** Notes texts of which an operator needs one; returns their group in the filter. */
  addLiterals(texts: readonly string[]): number {
    return this.#groups.push(texts) - 1;
  }

  finish(): void {
    if (this.#groups.length > 0) this.filter = new LiteralFilter(this.#groups);
  }
}

/** What chains made of the values of one request, and what their filters found there. */
export class Transformed {
  readonly #texts = new Map<Chain, Map<string, string>>();
  readonly #found = new Map<Chain, Map<string, ReadonlySet<number>>>();

  text(chain: Chain, value: string): string {
    if (chain.steps.length === 0 || value === "") return value;
    return remembered(this.#texts, chain, value, () => chain.steps.reduce((text, step) => step(text), value));
  }

  /** Whether a text that the chain made has one of the texts of the group. */
  hasLiteral(chain: Chain, text: string, group: number): boolean {
    const { filter } = chain;
    if (filter === undefined) return true;
    return remembered(this.#found, chain, text, () => filter.scan(text)).has(group);
  }
}

function remembered<Value>(
  all: Map<Chain, Map<string, Value>>,
  chain: Chain,
  key: string,
  make: () => Value,
): Value {
  let known = all.get(chain);
  if (known === undefined) all.set(chain, (known = new Map()));
  const remembers = known.get(key);
  if (remembers !== undefined) return remembers;
  const made = make();
  known.set(key, made);
  return made;
}
