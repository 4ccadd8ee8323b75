/** A value with its place in a `LinkedList`. It can be in one list at a time. */
export class Link<T> {
  readonly value: T;
  before: Link<T> | undefined;
  after: Link<T> | undefined;
  isLinked = false;

  constructor(value: T) {
    this.value = value;
  }
}

/**
 * Values in the order in which they were added. It serves values that come and go with every request: the
 * tables of a long-lived `Set` are allocated anew in the old generation, which fills it with garbage.
 */
export class LinkedList<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get first(): Link<T> | undefined {
    return this.#first;
  }

  get size(): number {
    return this.#size;
  }

  add(link: Link<T>): void {
    link.before = this.#last;
    link.isLinked = true;
    if (this.#last === undefined) this.#first = link;
    else this.#last.after = link;
    this.#last = link;
    this.#size += 1;
  }

  /** Removes a link of this list; does nothing for one that is in no list. */
  remove(link: Link<T>): void {
    if (!link.isLinked) return;
    const { before, after } = link;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    link.before = undefined;
    link.after = undefined;
    link.isLinked = false;
    this.#size -= 1;
  }
}
