import { parentOf } from "../wire/names.ts";

/** Bits of `NameNode.flags`, by the records of the name. */
const flag = {
  /** Any records. A name that exists without is an empty non-terminal (RFC 4592 section 2.2.2). */
  records: 1,
  /** NS records below the apex: others answer for the name and all below it. */
  cut: 2,
  /** A DNAME record: all names below it are redirected (RFC 6672). */
  dname: 4,
} as const;

/** A name that exists in a zone. Owners add their own fields, as an object for each name takes memory. */
export interface NameNode {
  /** The number of names directly below it. */
  children: number;
  /** A sum of `flag`; 0 for an empty non-terminal. */
  flags: number;
}

interface NameNodes<Node> {
  get(name: string): Node | undefined;
  /** Adds a name without records and names below it. */
  add(name: string): Node;
  delete(name: string): void;
}

/** The result of looking a name up in a zone. */
export type FoundName<Node> =
  /** The name exists, or `wildcard` is the name of the wildcard that matches it. */
  | { readonly kind: "name"; readonly node: Node; readonly wildcard: string | undefined }
  /** The name is delegated, or lies below a delegation. */
  | { readonly kind: "cut"; readonly node: Node; readonly cut: string }
  /** The name lies below one with a DNAME record. */
  | { readonly kind: "redirected"; readonly node: Node; readonly from: string }
  | { readonly kind: "missing" };

const missing = { kind: "missing" } as const;

/**
 * The names of a zone: those with records, and all between them and the apex. It changes name by name; neither a
 * change nor a search costs more the more names there are. All names are folded, without final dot, and in the
 * zone.
 */
export class NameTree<Node extends NameNode> {
  readonly zone: string;
  readonly #nodes: NameNodes<Node>;
  /** The numbers of delegated names and of DNAME records: without any, a name that exists is found at once. */
  #delegations = 0;
  #redirections = 0;

  /** `nodes` has none yet, and gets and loses them through the tree alone. */
  constructor(zone: string, nodes: NameNodes<Node>) {
    this.zone = zone;
    this.#nodes = nodes;
    nodes.add(zone);
  }

  get(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  /** Notes that a name has records. Throws for a name that is not in the zone. */
  put(name: string, has: { readonly ns: boolean; readonly dname: boolean }): Node {
    const node = this.#nodes.get(name) ?? this.#add(name);
    const cut = has.ns && name !== this.zone ? flag.cut : 0;
    this.#mark(node, flag.records | cut | (has.dname ? flag.dname : 0));
    return node;
  }

  /** Notes that a name has no records. It exists while names below it do, and so do those above it. */
  clear(name: string): void {
    let node = this.#nodes.get(name);
    if (node === undefined) return;
    this.#mark(node, 0);
    for (let at = name; node?.children === 0 && node.flags === 0 && at !== this.zone;) {
      this.#nodes.delete(at);
      at = parentOf(at) ?? this.zone;
      node = this.#nodes.get(at);
      if (node !== undefined) node.children -= 1;
    }
  }

  /** Looks up a name (RFC 1034 section 4.3.2, RFC 4592 section 3.3). */
  find(name: string): FoundName<Node> {
    const elsewhere = this.#delegations + this.#redirections === 0 ? undefined : this.#findElsewhere(name);
    if (elsewhere !== undefined) return elsewhere;
    const node = this.#nodes.get(name);
    if (node !== undefined) return { kind: "name", node, wildcard: undefined };
    const wildcard = `*.${this.closestEncloser(name)}`;
    const source = this.#nodes.get(wildcard);
    return source === undefined ? missing : { kind: "name", node: source, wildcard };
  }

  /** The closest encloser of a name that does not exist (RFC 4592 section 3.3.1). */
  closestEncloser(name: string): string {
    let encloser = parentOf(name);
    while (encloser !== undefined && !this.#nodes.get(encloser)) encloser = parentOf(encloser);
    return encloser ?? this.zone;
  }

  isBelowCut(name: string): boolean {
    if (this.#delegations === 0 || name === this.zone) return false;
    for (let at = parentOf(name); at !== undefined && at !== this.zone; at = parentOf(at)) {
      if (isCut(this.#nodes.get(at))) return true;
    }
    return false;
  }

  /** The highest name that delegates the name, or redirects it. */
  #findElsewhere(name: string): FoundName<Node> | undefined {
    let found: FoundName<Node> | undefined;
    for (let at: string | undefined = name; at !== undefined;) {
      const node = this.#nodes.get(at);
      if (node !== undefined && isCut(node)) found = { kind: "cut", node, cut: at };
      else if (node !== undefined && redirects(node) && at !== name)
        found = { kind: "redirected", node, from: at };
      at = at === this.zone ? undefined : parentOf(at);
    }
    return found;
  }

  /** The name exists, and so do all between it and the apex. */
  #add(name: string): Node {
    const parent = parentOf(name);
    if (parent === undefined || name.length <= this.zone.length)
      throw new Error("the name is not in the zone");
    const above = this.#nodes.get(parent) ?? this.#add(parent);
    above.children += 1;
    return this.#nodes.add(name);
  }

  #mark(node: Node, flags: number): void {
    const change = (bit: number): number => Number((flags & bit) !== 0) - Number((node.flags & bit) !== 0);
    this.#delegations += change(flag.cut);
    this.#redirections += change(flag.dname);
    node.flags = flags;
  }
}

/** Whether a name is delegated. */
export function isCut(node: NameNode | undefined): boolean {
  return node !== undefined && (node.flags & flag.cut) !== 0;
}

function redirects(node: NameNode): boolean {
  return (node.flags & flag.dname) !== 0;
}
