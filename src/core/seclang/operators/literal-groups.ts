import { LiteralFilter } from "./literal-filter.ts";

/** A group of texts in one of the filters of a rule set. */
export interface LiteralGroup {
  readonly group: number;
  readonly groups: LiteralGroups;
}

/** Collects the texts that operators need while rules are compiled. */
export class LiteralGroups {
  /** Known among the filters of the rule set. */
  readonly index: number;
  readonly #groups: (readonly string[])[] = [];
  #filter: LiteralFilter | undefined;

  constructor(index: number) {
    this.index = index;
  }

  /** Notes texts of which an operator needs one. */
  add(texts: readonly string[]): LiteralGroup {
    return { group: this.#groups.push(texts) - 1, groups: this };
  }

  /** Finds all of them in one pass; made when all rules are known. */
  get filter(): LiteralFilter {
    return (this.#filter ??= new LiteralFilter(this.#groups));
  }
}
