/** A field or function that an expression may have. */
export interface Completion {
  readonly name: string;
  /** The text that is written for it. */
  readonly insert: string;
  /** The type of a field; what a function takes and gives. */
  readonly detail: string;
}

/** A name that is being written: from where on, and what of it is there. */
interface Word {
  readonly start: number;
  readonly text: string;
}

const shownMax = 8;

/** The name that ends at the caret; undefined inside a text in quotes and where none begins. */
export function wordBefore(source: string, caret: number): Word | undefined {
  const before = source.slice(0, caret);
  const quotes = before.replaceAll(/\\./gs, "").split('"').length - 1;
  if (quotes % 2 === 1) return undefined;
  const text = /[a-z][\w.]*$/i.exec(before)?.[0];
  return text === undefined ? undefined : { start: caret - text.length, text };
}

/** Completions of a name: first those that begin with it, then those that hold it. */
export function completionsFor(word: string, all: readonly Completion[]): Completion[] {
  const sought = word.toLowerCase();
  const starts = all.filter(({ name }) => name.startsWith(sought));
  const holds = all.filter(({ name }) => !name.startsWith(sought) && name.includes(sought));
  const found = [...starts, ...holds];
  return found.length === 1 && found[0]?.name === sought ? [] : found.slice(0, shownMax);
}
