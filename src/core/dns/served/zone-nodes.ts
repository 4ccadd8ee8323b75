import type { Node, NodeContent } from "./zone-node.ts";
import { NodesSnapshot } from "./nodes-snapshot.ts";

type Mutable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

/** Names of a zone with what they have; knows what they had before, for those who read it while it changes. */
export class ZoneNodes {
  /** There are as many as names in the zone, so each is small. */
  readonly #nodes = new Map<string, Mutable<Node>>();
  readonly #snapshots = new Set<NodesSnapshot>();
  #placeOfNext = 0;
  /** What names had that have changed; undefined while that is not kept. */
  #before: Map<string, NodeContent> | undefined;

  get size(): number {
    return this.#nodes.size;
  }

  get(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  [Symbol.iterator](): IterableIterator<readonly [name: string, node: Node]> {
    return this.#nodes.entries();
  }

  /** A name without anything. */
  add(name: string, isBelowCut = false): Node {
    const place = this.#placeOfNext;
    this.#placeOfNext += 1;
    const node = { sets: [], flattened: undefined, isBelowCut, children: 0, place };
    this.#nodes.set(name, node);
    return node;
  }

  /** There are so many more names right below this one. */
  countChildren(name: string, more: number): void {
    const node = this.#nodes.get(name);
    if (node !== undefined) node.children += more;
  }

  put(name: string, { sets, flattened, isBelowCut }: NodeContent): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    this.willChange(name, node);
    node.sets = sets;
    node.flattened = flattened;
    node.isBelowCut = isBelowCut;
  }

  /** What the name has may be something else from now on. */
  willChange(name: string, node: Node): void {
    for (const snapshot of this.#snapshots) snapshot.willChange(name, node);
    if (this.#before?.has(name) !== false) return;
    const { sets, flattened, isBelowCut } = node;
    this.#before.set(name, { sets, flattened, isBelowCut });
  }

  /** Removes a name that has nothing any more. */
  delete(name: string): void {
    this.#nodes.delete(name);
  }

  /** What names had that have changed since this was last called. */
  takeChanged(): ReadonlyMap<string, NodeContent> | undefined {
    const changed = this.#before;
    this.#before = new Map();
    return changed;
  }

  /** The names as they are now, to be read while they change. */
  snapshot(): NodesSnapshot {
    const snapshot = new NodesSnapshot(this.#nodes, this.#placeOfNext, (closed) =>
      this.#snapshots.delete(closed),
    );
    this.#snapshots.add(snapshot);
    return snapshot;
  }
}
