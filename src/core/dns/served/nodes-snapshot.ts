import type { Node, NodeContent } from "./zone-node.ts";

/**
 * Names as they were when this was made, while they change. It costs the memory of the names that have changed and that it
 * has not told yet. To be closed when it is not read to its end.
 */
export class NodesSnapshot {
  readonly #nodes: ReadonlyMap<string, Node>;
  /** Names from this place on came later. */
  readonly #end: number;
  readonly #before = new Map<string, NodeContent>();
  readonly #closed: (snapshot: NodesSnapshot) => void;
  /** The place of the name that was told last. */
  #told = -1;

  constructor(nodes: ReadonlyMap<string, Node>, end: number, closed: (snapshot: NodesSnapshot) => void) {
    this.#nodes = nodes;
    this.#end = end;
    this.#closed = closed;
  }

  /** Names lie in the order of their places, as a map keeps that of its insertions. */
  *names(): Generator<readonly [name: string, its: NodeContent], void, undefined> {
    for (const [name, node] of this.#nodes) {
      if (node.place >= this.#end) break;
      this.#told = node.place;
      const before = this.#before.get(name);
      this.#before.delete(name);
      yield [name, before ?? node];
    }
    this.#told = this.#end;
    // These are gone.
    yield* this.#before;
    this.close();
  }

  close(): void {
    this.#closed(this);
  }

  /** To be called before a name changes or goes. */
  willChange(name: string, { place, sets, flattened, isBelowCut }: Node): void {
    if (place >= this.#end || place <= this.#told || this.#before.has(name)) return;
    this.#before.set(name, { sets, flattened, isBelowCut });
  }
}
