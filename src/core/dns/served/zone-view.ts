import type { ZoneApex } from "../apex.ts";
import { typeCodes } from "../wire/codes.ts";
import { isAtOrBelow, parentOf } from "../wire/names.ts";
import {
  apexSets,
  servedName,
  type FlattenedCname,
  type RecordSet,
  type ServingRules,
  type StoredRecord,
} from "./record-sets.ts";

/** A name of a zone that exists: it has records, or one below it has (RFC 4592 section 2.2.2). */
export interface Node {
  sets: readonly RecordSet[];
  flattened: FlattenedCname | undefined;
  /** How many names right below it exist. */
  children: number;
}

/** What a zone knows of a name. */
export type Finding =
  /** The name exists, or a wildcard, whose name is `wildcard`, stands for it. */
  | { readonly kind: "name"; readonly node: Node; readonly wildcard: string | undefined }
  /** The name is delegated, or below a name that is. */
  | { readonly kind: "cut"; readonly node: Node; readonly cut: string }
  | { readonly kind: "missing" };

/**
 * A zone as it is served. Names are folded and without final dot, as they are stored. What a query costs does not depend on
 * how many there are.
 */
export class ZoneView {
  readonly name: string;
  readonly #rules: ServingRules;
  /** By name. There are as many as names in the zone, so each is small. */
  readonly #nodes = new Map<string, Node>();
  readonly #cuts = new Set<string>();
  #apex: ReturnType<typeof apexSets>;
  #apexRecords: readonly StoredRecord[] = [];

  constructor(apex: ZoneApex, rules: ServingRules) {
    this.name = apex.name;
    this.#rules = rules;
    this.#apex = apexSets(apex);
    this.#nodes.set(this.name, { sets: [], flattened: undefined, children: 0 });
    this.#setApex();
  }

  /** The SOA set of a negative answer. */
  get negativeSoa(): RecordSet {
    return this.#apex.negativeSoa;
  }

  /** How many names exist. */
  get size(): number {
    return this.#nodes.size;
  }

  /** The zone has another serial, or other name servers. */
  changeApex(apex: ZoneApex): void {
    this.#apex = apexSets(apex);
    this.#setApex();
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
    const node = this.#nodes.get(name) ?? this.#add(name);
    node.sets = sets;
    node.flattened = flattened;
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
    node.sets = [this.#apex.soa, this.#apex.nameServers, ...sets];
    node.flattened = flattened;
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
    const node: Node = { sets: [], flattened: undefined, children: 0 };
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
    node.sets = [];
    node.flattened = undefined;
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
