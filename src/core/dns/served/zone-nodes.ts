import type { FoundName, NameNode } from "../names/name-tree.ts";
import type { ServedName } from "./record-sets.ts";

/** The record sets of a name. */
export interface NodeContent extends ServedName {
  /** Whether it lies below a delegation: any records are glue. */
  readonly isBelowCut: boolean;
}

/** A name of a zone that exists, also one without records. */
export interface Node extends NodeContent, NameNode {
  /** Its position in the order of insertion: larger than that of every name added before. */
  readonly place: number;
}

/** The result of looking a name up in a zone. */
export type Finding = FoundName<Node>;

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
    const node = { sets: [], flattened: undefined, isBelowCut, children: 0, flags: 0, place };
    this.#nodes.set(name, node);
    return node;
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

  snapshot(): NodesSnapshot {
    const snapshot = new NodesSnapshot(this.#nodes, this.#placeOfNext, (closed) =>
      this.#snapshots.delete(closed),
    );
    this.#snapshots.add(snapshot);
    return snapshot;
  }
}

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
