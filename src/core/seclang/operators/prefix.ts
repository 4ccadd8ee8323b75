/** A text in lower case, and a number of whoever looks for it. */
export interface NumberedText {
  readonly text: string;
  readonly group: number;
}

/**
 * What some of many texts begin with: a state of the automaton of Aho and Corasick (1975). What follows from it is found out
 * when it is first asked, as few of the states are ever reached.
 */
export class Prefix {
  /** Octets that are the same to all texts have the same class. */
  readonly #classes: Uint8Array;
  /** Those that begin so. */
  readonly #texts: readonly NumberedText[];
  readonly #length: number;
  /** What is one octet shorter, and the class of this octet; undefined for the empty one. */
  readonly #shorter: { readonly prefix: Prefix; readonly octetClass: number } | undefined;
  readonly #empty: Prefix;
  /** By the class of their last octet. */
  #longer: Map<number, Prefix> | undefined;
  #fallback: Prefix | undefined;
  #groups: readonly number[] | undefined;

  constructor(
    classes: Uint8Array,
    texts: readonly NumberedText[],
    shorter?: { readonly prefix: Prefix; readonly octetClass: number },
  ) {
    this.#classes = classes;
    this.#texts = texts;
    this.#shorter = shorter;
    this.#empty = shorter === undefined ? this : shorter.prefix.#empty;
    this.#length = shorter === undefined ? 0 : shorter.prefix.#length + 1;
  }

  /** The longest one with which this one and the octet end. */
  next(octetClass: number): Prefix {
    let longer = this.#after(octetClass);
    for (let end = this.#longestEnd(); longer === undefined && end !== undefined; end = end.#longestEnd()) {
      longer = end.#after(octetClass);
    }
    return longer ?? this.#empty;
  }

  /** The groups of all texts with which this ends. */
  get groups(): readonly number[] {
    return (this.#groups ??= this.#findGroups());
  }

  /** This one and the octet, if a text begins so. */
  #after(octetClass: number): Prefix | undefined {
    return (this.#longer ??= this.#divide()).get(octetClass);
  }

  #divide(): Map<number, Prefix> {
    const byClass = new Map<number, NumberedText[]>();
    for (const numbered of this.#texts) {
      if (numbered.text.length === this.#length) continue;
      const octetClass = this.#classes[numbered.text.charCodeAt(this.#length) & 0xff] ?? 0;
      const texts = byClass.get(octetClass);
      if (texts === undefined) byClass.set(octetClass, [numbered]);
      else texts.push(numbered);
    }
    const longer = new Map<number, Prefix>();
    for (const [octetClass, texts] of byClass) {
      longer.set(octetClass, new Prefix(this.#classes, texts, { prefix: this, octetClass }));
    }
    return longer;
  }

  /** The longest other one with which this ends; undefined for the empty one. */
  #longestEnd(): Prefix | undefined {
    if (this.#shorter === undefined) return undefined;
    const { prefix, octetClass } = this.#shorter;
    return (this.#fallback ??= prefix.#longestEnd()?.next(octetClass) ?? prefix);
  }

  #findGroups(): readonly number[] {
    const own = this.#texts.filter(({ text }) => text.length === this.#length).map(({ group }) => group);
    const others = this.#longestEnd()?.groups ?? [];
    return own.length === 0 ? others : [...new Set([...own, ...others])];
  }
}
