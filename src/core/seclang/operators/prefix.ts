/** A lower-case text with the number of its group. */
export interface NumberedText {
  readonly text: string;
  readonly group: number;
}

/**
 * A prefix of one or more texts: a state of the automaton of Aho and Corasick (1975). Transitions are
 * computed when first needed, as few states are ever reached.
 */
export class Prefix {
  readonly #classes: Uint8Array;
  /** The texts that begin with this prefix. */
  readonly #texts: readonly NumberedText[];
  readonly #length: number;
  /** The prefix without its last octet, and that octet's class; undefined for the empty prefix. */
  readonly #shorter: { readonly prefix: Prefix; readonly octetClass: number } | undefined;
  readonly #empty: Prefix;
  /** The prefixes one octet longer, by the class of that octet. */
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

  /** The next state: the longest prefix that ends this one followed by the octet. */
  next(octetClass: number): Prefix {
    let longer = this.#after(octetClass);
    for (let end = this.#longestEnd(); longer === undefined && end !== undefined; end = end.#longestEnd()) {
      longer = end.#after(octetClass);
    }
    return longer ?? this.#empty;
  }

  get groups(): readonly number[] {
    return (this.#groups ??= this.#findGroups());
  }

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

  /** The longest other prefix that ends this one; undefined for the empty prefix. */
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
