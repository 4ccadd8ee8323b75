import type { ZoneApex } from "../apex.ts";
import { typeCodes } from "../wire/codes.ts";
import { isAtOrBelow, nameToOctets, parentOf } from "../wire/names.ts";
import {
  apexSets,
  servedName,
  type FlattenedCname,
  type RecordSet,
  type ServedName,
  type ServingRules,
  type StoredRecord,
} from "./record-sets.ts";
import { differences, ZoneJournal, type ZoneStep } from "./zone-journal.ts";
import type { Node } from "./zone-node.ts";
import { ZoneSnapshot } from "./zone-snapshot.ts";

/** What a zone knows of a name. */
export type Finding =
  /** The name exists, or a wildcard, whose name is `wildcard`, stands for it. */
  | { readonly kind: "name"; readonly node: Node; readonly wildcard: string | undefined }
  /** The name is delegated, or below a name that is. */
  | { readonly kind: "cut"; readonly node: Node; readonly cut: string }
  | { readonly kind: "missing" };

/** What names had that have changed; `isKnown` if that is all. */
interface Changed {
  readonly before: Map<string, readonly RecordSet[]>;
  isKnown: boolean;
}

const nothingChanged = (): Changed => ({ before: new Map(), isKnown: true });

/**
 * A zone as it is served. Names are folded and without final dot, as they are stored. What a query costs does not depend on
 * how many there are.
 */
export class ZoneView {
  readonly name: string;
  readonly journal = new ZoneJournal();
  /** Called after each change of what is answered. */
  onChange: (() => void) | undefined;
  readonly #rules: ServingRules;
  /** By name. There are as many as names in the zone, so each is small. */
  readonly #nodes = new Map<string, Node>();
  readonly #cuts = new Set<string>();
  readonly #snapshots = new Set<ZoneSnapshot>();
  #serial: number;
  #apex: ReturnType<typeof apexSets>;
  #apexRecords: readonly StoredRecord[] = [];
  #placeOfNext = 0;
  #recordCount = 0;
  /** Names in whose place the addresses of another one are transferred. */
  #flattenedCount = 0;
  /** What has changed since the serial did; undefined while that is not kept. */
  #changed: Changed | undefined;

  constructor(apex: ZoneApex, rules: ServingRules) {
    this.name = apex.name;
    this.#rules = rules;
    this.#serial = apex.serial;
    this.#apex = apexSets(apex);
    this.#nodes.set(this.name, this.#newNode());
    this.#setApex();
  }

  get serial(): number {
    return this.#serial;
  }

  get soa(): RecordSet {
    return this.#apex.soa;
  }

  /** How many records there are. */
  get recordCount(): number {
    return this.#recordCount;
  }

  /** The SOA set of a negative answer. */
  get negativeSoa(): RecordSet {
    return this.#apex.negativeSoa;
  }

  /** How many names exist. */
  get size(): number {
    return this.#nodes.size;
  }

  /** The zone has another serial, or other name servers. What has changed since the serial did is a step of the journal. */
  changeApex(apex: ZoneApex): void {
    const [soaBefore, serialBefore] = [this.soa, this.serial];
    this.#apex = apexSets(apex);
    this.#serial = apex.serial;
    this.#setApex();
    const changed = this.#changed;
    if (this.serial === serialBefore || changed === undefined) return;
    this.#changed = nothingChanged();
    const { before, isKnown } = changed;
    const differing = Array.from(before, ([name, sets]) =>
      differences(name, sets, this.#transferredSets(name)),
    );
    const step: ZoneStep = {
      soaBefore,
      serialBefore,
      soaAfter: this.soa,
      serialAfter: this.serial,
      removed: differing.flatMap(({ removed }) => removed),
      added: differing.flatMap(({ added }) => added),
    };
    if (isKnown && this.#flattenedCount === 0) this.journal.add(step, this.#recordCount);
    else this.journal.clear();
  }

  /** From now on, the journal has what changes between two serials. */
  beginJournal(): void {
    this.journal.clear();
    this.#changed = nothingChanged();
  }

  /** The zone as it is now, to be read while it changes. */
  snapshot(): ZoneSnapshot {
    const snapshot = new ZoneSnapshot(this.soa, this.#nodes, this.#placeOfNext, (closed) =>
      this.#snapshots.delete(closed),
    );
    this.#snapshots.add(snapshot);
    return snapshot;
  }

  /**
   * What of a name is transferred, apart from the SOA record. `flattened` is a CNAME in whose place its addresses are: that
   * which one record asks for remains as it is.
   */
  transferredAt(name: string, { sets, flattened }: ServedName): ServedName {
    if (name === this.name) return { sets: sets.filter(({ type }) => type !== typeCodes.SOA), flattened };
    if (flattened === undefined || this.#rules.flattensAll) return { sets, flattened };
    return { sets: [...sets, cnameSet(flattened)], flattened: undefined };
  }

  /** `records` are those that the name, which lies in the zone, has from now on. */
  setRecords(name: string, records: readonly StoredRecord[]): void {
    if (name === this.name) {
      this.#apexRecords = records;
      this.#setApex();
      return;
    }
    const { sets, flattened } = servedName(records, false, this.#rules);
    if (sets.some(({ type }) => type === typeCodes.NS)) this.#cuts.add(name);
    else this.#cuts.delete(name);
    if (sets.length === 0 && flattened === undefined) {
      this.#removeRecords(name);
      return;
    }
    this.#put(name, this.#nodes.get(name) ?? this.#add(name), { sets, flattened });
  }

  /** What the zone knows of a folded name in it. */
  find(name: string): Finding {
    if (this.#cuts.size > 0) {
      const cut = this.#highestCut(name);
      const node = cut === undefined ? undefined : this.#nodes.get(cut);
      if (cut !== undefined && node !== undefined) return { kind: "cut", node, cut };
    }
    const node = this.#nodes.get(name);
    if (node !== undefined) return { kind: "name", node, wildcard: undefined };

    let encloser = parentOf(name);
    while (encloser !== undefined && !this.#nodes.has(encloser)) encloser = parentOf(encloser);
    const wildcard = `*.${encloser}`;
    const source = this.#nodes.get(wildcard);
    return source === undefined ? { kind: "missing" } : { kind: "name", node: source, wildcard };
  }

  /** The record set of a name as it is stored, even where it is only glue. */
  storedSet(name: string, type: number): RecordSet | undefined {
    return this.#nodes.get(name)?.sets.find((set) => set.type === type);
  }

  #setApex(): void {
    const node = this.#nodes.get(this.name);
    if (node === undefined) return;
    const { sets, flattened } = servedName(this.#apexRecords, true, this.#rules);
    this.#put(this.name, node, { sets: [this.#apex.soa, this.#apex.nameServers, ...sets], flattened });
  }

  #put(name: string, node: Node, { sets, flattened }: ServedName): void {
    for (const snapshot of this.#snapshots) snapshot.willChange(name, node);
    const before = this.transferredAt(name, node);
    node.sets = sets;
    node.flattened = flattened;
    this.onChange?.();
    const after = this.transferredAt(name, node);
    this.#recordCount += recordsOf(after) - recordsOf(before);
    this.#flattenedCount += Number(after.flattened !== undefined) - Number(before.flattened !== undefined);
    if (this.#changed === undefined) return;
    if (!this.#changed.before.has(name)) this.#changed.before.set(name, before.sets);
    // Nobody knows which addresses were transferred in its place.
    if (before.flattened !== undefined) this.#changed.isKnown = false;
  }

  #transferredSets(name: string): readonly RecordSet[] {
    const node = this.#nodes.get(name);
    return node === undefined ? [] : this.transferredAt(name, node).sets;
  }

  #newNode(): Node {
    const place = this.#placeOfNext;
    this.#placeOfNext += 1;
    return { sets: [], flattened: undefined, children: 0, place };
  }

  /** Names below a cut belong to another zone, cuts among them too. */
  #highestCut(name: string): string | undefined {
    let highest: string | undefined;
    for (let at: string | undefined = name; at !== undefined && at !== this.name; at = parentOf(at)) {
      if (this.#cuts.has(at)) highest = at;
    }
    return highest;
  }

  /** The name exists, and so do all between it and the apex. */
  #add(name: string): Node {
    const node = this.#newNode();
    this.#nodes.set(name, node);
    const parent = parentOf(name);
    if (parent === undefined || !isAtOrBelow(parent, this.name))
      throw new Error("the name is not in the zone");
    const above = this.#nodes.get(parent) ?? this.#add(parent);
    above.children += 1;
    return node;
  }

  #removeRecords(name: string): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    this.#put(name, node, { sets: [], flattened: undefined });
    for (let at = name; at !== this.name;) {
      const empty = this.#nodes.get(at);
      const parent = parentOf(at);
      const isGone = empty?.children === 0 && empty.sets.length === 0 && empty.flattened === undefined;
      if (!isGone || parent === undefined) return;
      this.#nodes.delete(at);
      const above = this.#nodes.get(parent);
      if (above !== undefined) above.children -= 1;
      at = parent;
    }
  }
}

function cnameSet({ target, ttl }: FlattenedCname): RecordSet {
  return { type: typeCodes.CNAME, ttl, rdatas: [nameToOctets(target)] };
}

function recordsOf({ sets }: ServedName): number {
  let count = 0;
  for (const { rdatas } of sets) count += rdatas.length;
  return count;
}
