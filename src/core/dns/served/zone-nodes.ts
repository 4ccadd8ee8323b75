import type { Node, NodeContent } from "./zone-node.ts";
import { NodesSnapshot } from "./nodes-snapshot.ts";

type Mutable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

/**
 * The names of a zone and their record sets. Keeps the previous content of changed names for snapshots and
 * the journal.
 */
export class ZoneNodes {
  /** One node per name of the zone, so nodes are kept small. */
  readonly #nodes = new Map<string, Mutable<Node>>();
  readonly #snapshots = new Set<NodesSnapshot>();
  #placeOfNext = 0;
  /** The previous content of changed names; undefined until `takeChanged` is first called. */
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

  /** Adds a name without records. */
  add(name: string, isBelowCut = false): Node {
    const place = this.#placeOfNext;
    this.#placeOfNext += 1;
    const node = { sets: [], flattened: undefined, isBelowCut, children: 0, place };
    this.#nodes.set(name, node);
    return node;
  }

  /** Adds `more`, which may be negative, to the number of a name's children. */
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

  /** Must be called before the content of a name changes. */
  willChange(name: string, node: Node): void {
    for (const snapshot of this.#snapshots) snapshot.willChange(name, node);
    if (this.#before?.has(name) !== false) return;
    const { sets, flattened, isBelowCut } = node;
    this.#before.set(name, { sets, flattened, isBelowCut });
  }

  /** Removes a name whose record sets are already empty. */
  delete(name: string): void {
    this.#nodes.delete(name);
  }

  /** The previous content of the names that changed since the last call; undefined on the first. */
  takeChanged(): ReadonlyMap<string, NodeContent> | undefined {
    const changed = this.#before;
    this.#before = new Map();
    return changed;
  }

  /** The names as they are now, readable while they change. */
  snapshot(): NodesSnapshot {
    const snapshot = new NodesSnapshot(this.#nodes, this.#placeOfNext, (closed) =>
      this.#snapshots.delete(closed),
    );
    this.#snapshots.add(snapshot);
    return snapshot;
  }
}
