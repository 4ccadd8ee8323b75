import { transformations, type Transformation } from "./transformations.ts";

/** Transformations that are applied one after another; the same chain of two rules is one object. */
export interface Chain {
  readonly index: number;
  /** What the last step is applied to; undefined for the chain without steps. */
  readonly before: Chain | undefined;
  readonly step: Transformation;
}

/** Keeps one chain for each list of names. */
export class Chains {
  readonly #chains = new Map<string, Chain>();
  readonly #sha1: Transformation;

  constructor(sha1: Transformation) {
    this.#sha1 = sha1;
  }

  /** Undefined if a name is unknown; otherwise the chain after the last `none`. */
  of(names: readonly string[]): Chain | undefined {
    const lower = names.map((name) => name.toLowerCase());
    let chain: Chain | undefined = this.#extended(undefined, "", (bytes) => bytes);
    let key = "";
    for (const name of lower.slice(lower.lastIndexOf("none") + 1)) {
      const step = name === "sha1" ? this.#sha1 : transformations.get(name);
      if (step === undefined) return undefined;
      key += `,${name}`;
      chain = this.#extended(chain, key, step);
    }
    return chain;
  }

  #extended(before: Chain | undefined, key: string, step: Transformation): Chain {
    const known = this.#chains.get(key);
    if (known !== undefined) return known;
    const chain: Chain = { index: this.#chains.size, before, step };
    this.#chains.set(key, chain);
    return chain;
  }
}

/** The text that a chain makes of a value. */
export function applyChain({ before, step }: Chain, bytes: string): string {
  return before === undefined ? bytes : step(applyChain(before, bytes));
}
