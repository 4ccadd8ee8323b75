import { transformations, type Transformation } from "./transformations.ts";

export interface Step {
  readonly index: number;
  readonly apply: Transformation;
}

/** Transformations that are applied one after another; equal chains of different rules are one object. */
export interface Chain {
  readonly index: number;
  /** The chain without its last step; undefined for the empty chain. */
  readonly before: Chain | undefined;
  readonly step: Step;
}

/** The empty chain, and the chain after each step. */
export function stepsOf(chain: Chain): readonly Chain[] {
  return chain.before === undefined ? [chain] : [...stepsOf(chain.before), chain];
}

/** Keeps one chain for each list of names. */
export class Chains {
  readonly #chains = new Map<string, Chain>();
  readonly #steps = new Map<Transformation, Step>();
  readonly #sha1: Transformation;

  constructor(sha1: Transformation) {
    this.#sha1 = sha1;
  }

  of(names: readonly string[]): Chain | undefined {
    const lower = names.map((name) => name.toLowerCase());
    let chain: Chain | undefined = this.#extended(undefined, "", (bytes) => bytes);
    let key = "";
    for (const name of lower.slice(lower.lastIndexOf("none") + 1)) {
      const transformation = name === "sha1" ? this.#sha1 : transformations.get(name);
      if (transformation === undefined) return undefined;
      key += `,${name}`;
      chain = this.#extended(chain, key, transformation);
    }
    return chain;
  }

  #extended(before: Chain | undefined, key: string, transformation: Transformation): Chain {
    const known = this.#chains.get(key);
    if (known !== undefined) return known;
    const chain: Chain = { index: this.#chains.size, before, step: this.#stepOf(transformation) };
    this.#chains.set(key, chain);
    return chain;
  }

  #stepOf(transformation: Transformation): Step {
    const known = this.#steps.get(transformation);
    if (known !== undefined) return known;
    const step: Step = { index: this.#steps.size, apply: transformation };
    this.#steps.set(transformation, step);
    return step;
  }
}
