import type { Node, NodeContent } from "./zone-node.ts";

/**
 * The names of a zone as they were when the snapshot was taken, readable while the zone changes. It holds
 * copies only of names that change before they are read. Call `close` if it is not read to its end.
 */
export class NodesSnapshot {
  readonly #nodes: ReadonlyMap<string, Node>;
  /** Names added since have this place or a later one. */
  readonly #end: number;
  readonly #before = new Map<string, NodeContent>();
  readonly #closed: (snapshot: NodesSnapshot) => void;
  /** The place of the name that was read last. */
  #told = -1;

  constructor(nodes: ReadonlyMap<string, Node>, end: number, closed: (snapshot: NodesSnapshot) => void) {
    this.#nodes = nodes;
    this.#end = end;
    this.#closed = closed;
  }

  /** Names in the order of their places, which is the order of insertion into the map. */
  *names(): Generator<readonly [name: string, its: NodeContent], void, undefined> {
    for (const [name, node] of this.#nodes) {
      if (node.place >= this.#end) break;
      this.#told = node.place;
      const before = this.#before.get(name);
      this.#before.delete(name);
      yield [name, before ?? node];
    }
    this.#told = this.#end;
    // Names that were deleted before they were read.
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
