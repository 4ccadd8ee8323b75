import { lowerAscii } from "../../expression/byte-string.ts";

interface Node {
  readonly next: Map<number, Node>;
  fallback: Node | undefined;
  phrase: string | undefined;
}

/** Finds the first of many phrases in one pass over a text, ignoring letter case (Aho and Corasick, 1975). */
export class Phrases {
  readonly #root: Node = newNode();

  constructor(phrases: Iterable<string>) {
    for (const phrase of phrases) this.#add(lowerAscii(phrase));
    this.#link();
  }

  find(bytes: string): string | undefined {
    let node = this.#root;
    for (let index = 0; index < bytes.length; index += 1) {
      node = this.#step(node, lowerCode(bytes.charCodeAt(index)));
      if (node.phrase !== undefined) return bytes.slice(index + 1 - node.phrase.length, index + 1);
    }
    return undefined;
  }

  #step(from: Node, code: number): Node {
    for (let node: Node | undefined = from; node !== undefined; node = node.fallback) {
      const next = node.next.get(code);
      if (next !== undefined) return next;
    }
    return this.#root;
  }

  #add(phrase: string): void {
    if (phrase === "") return;
    let node = this.#root;
    for (let index = 0; index < phrase.length; index += 1) {
      const code = phrase.charCodeAt(index);
      let next = node.next.get(code);
      if (next === undefined) node.next.set(code, (next = newNode()));
      node = next;
    }
    node.phrase = phrase;
  }

  #link(): void {
    const waiting: Node[] = [...this.#root.next.values()];
    for (const node of waiting) node.fallback = this.#root;
    // The loop appends to the list that it iterates.
    for (const node of waiting) {
      for (const [code, next] of node.next) {
        next.fallback = this.#step(node.fallback ?? this.#root, code);
        next.phrase ??= next.fallback.phrase;
        waiting.push(next);
      }
    }
  }
}

function newNode(): Node {
  return { next: new Map(), fallback: undefined, phrase: undefined };
}

function lowerCode(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}
