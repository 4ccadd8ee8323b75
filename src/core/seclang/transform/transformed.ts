import { lowerAscii } from "../../expression/byte-string.ts";
import { GroupUnion, type GroupSet, type LiteralFilter } from "../operators/literal-filter.ts";
import type { Chain, Step } from "./chain.ts";

/** A value of a request, as it was sent or after transformations. */
export class Transformed {
  readonly text: string;
  /** The same text in another letter case: literal filters find the same groups in both. */
  readonly #origin: Transformed | undefined;
  readonly #all: TransformedValues;
  readonly #afterChain: (Transformed | undefined)[] = [];
  readonly #afterStep: (Transformed | undefined)[] = [];
  #filter: LiteralFilter | undefined;
  #found: GroupSet | undefined;

  constructor(text: string, origin: Transformed | undefined, all: TransformedValues) {
    this.text = text;
    this.#origin = origin;
    this.#all = all;
  }

  after({ index, before, step }: Chain): Transformed {
    if (before === undefined) return this;
    return (this.#afterChain[index] ??= this.after(before).afterStep(step));
  }

  afterStep(step: Step): Transformed {
    return (this.#afterStep[step.index] ??= this.#make(step));
  }

  groups(filter: LiteralFilter): GroupSet {
    if (this.#origin !== undefined) return this.#origin.groups(filter);
    if (this.#found === undefined || this.#filter !== filter) {
      this.#filter = filter;
      this.#found = filter.scan(this.text);
    }
    return this.#found;
  }

  #make({ apply }: Step): Transformed {
    const text = apply(this.text);
    return text === this.text ? this : this.#all.of(text, apply === lowerAscii ? this : undefined);
  }
}

/** The texts of one request, each kept once. */
export class TransformedValues {
  readonly #values = new Map<string, Transformed>();

  of(text: string, origin?: Transformed): Transformed {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = new Transformed(text, origin, this);
    this.#values.set(text, value);
    return value;
  }
}

/** Distinct texts that are inspected together: the values of a target, transformed or not. */
export class TransformedList {
  readonly values: readonly Transformed[];
  readonly #afterChain: (TransformedList | undefined)[] = [];
  #filter: LiteralFilter | undefined;
  #found: GroupSet | undefined;

  constructor(values: ReadonlySet<Transformed>) {
    this.values = [...values];
  }

  after(chain: Chain): TransformedList {
    if (chain.before === undefined) return this;
    return (this.#afterChain[chain.index] ??= this.after(chain.before).#afterStep(chain.step));
  }

  groups(filter: LiteralFilter): GroupSet {
    if (this.#found === undefined || this.#filter !== filter) {
      this.#filter = filter;
      this.#found = this.#find(filter);
    }
    return this.#found;
  }

  #afterStep(step: Step): TransformedList {
    const { values } = this;
    if (values.every((value) => value.afterStep(step) === value)) return this;
    return new TransformedList(new Set(values.map((value) => value.afterStep(step))));
  }

  #find(filter: LiteralFilter): GroupSet {
    const union = new GroupUnion(filter);
    for (const value of this.values) union.add(value.groups(filter));
    return union.found;
  }
}
