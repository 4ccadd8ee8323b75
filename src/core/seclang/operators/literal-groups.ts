import { LiteralFilter } from "./literal-filter.ts";

/** A group of literals in one of the filters of a rule set. */
export interface LiteralGroup {
  readonly group: number;
  readonly groups: LiteralGroups;
}

/** Collects the literals of operators while rules are compiled. */
export class LiteralGroups {
  /** The index of its filter in the rule set. */
  readonly index: number;
  readonly #groups: (readonly string[])[] = [];
  #filter: LiteralFilter | undefined;

  constructor(index: number) {
    this.index = index;
  }

  /** Adds literals at least one of which an operator needs. */
  add(texts: readonly string[]): LiteralGroup {
    return { group: this.#groups.push(texts) - 1, groups: this };
  }

  /** The filter for all groups; built when all rules are compiled. */
  get filter(): LiteralFilter {
    return (this.#filter ??= new LiteralFilter(this.#groups));
  }
}
