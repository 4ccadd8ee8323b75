import { NameTree, type NameNode } from "../../core/dns/names/name-tree.ts";
import { isSignersType } from "../../core/dns/dnssec/transferred-data.ts";
import type { StoredRecord, ZoneRecord } from "../../core/dns/served/record-sets.ts";
import { typeCodes } from "../../core/dns/wire/codes.ts";

/** The CNAME records that are followed from a name. */
export const targetsMax = 8;

export interface NameRecords {
  /** The content of A and AAAA records. */
  readonly addresses: readonly string[];
  /** The target of a CNAME record, ASCII and in lower case. */
  readonly cname: string | undefined;
  readonly isProxied: boolean;
  /** The targets of NS records, ASCII and in lower case. */
  readonly nameServers: readonly string[];
}

type EdgeName = NameNode & { -readonly [Key in keyof NameRecords]: NameRecords[Key] };

const none: readonly string[] = [];

/** The names of a zone with the records that lead to origins, found as the name server finds them. */
export class ZoneNames {
  #tree: NameTree<EdgeName>;

  constructor(zone: string) {
    this.#tree = new NameTree(zone, new EdgeNodes());
  }

  /** Takes the names of `others`, which are of the same zone and not to be used any more. */
  replaceBy(others: ZoneNames): void {
    this.#tree = others.#tree;
  }

  set(name: string, all: readonly ZoneRecord[]): void {
    const records = all.filter((record) => !isSignersType(typeOf(record)));
    const has = (code: number): boolean => records.some((record) => typeOf(record) === code);
    const node =
      records.length === 0
        ? this.#tree.get(name)
        : this.#tree.put(name, { ns: has(typeCodes.NS), dname: has(typeCodes.DNAME) });
    if (node === undefined) return;
    takeRecords(
      node,
      records.filter((record) => "content" in record),
    );
    if (records.length === 0) this.#tree.clear(name);
  }

  delegationOf(name: string): readonly string[] {
    return this.#tree.get(name)?.nameServers ?? none;
  }

  /** The records of a name, or of its wildcard. Undefined too where others are asked for them. */
  find(hostname: string): NameRecords | undefined {
    const found = this.#tree.find(hostname);
    return found.kind === "name" ? found.node : undefined;
  }

  /** Whether others are asked for a name, by a delegation or a DNAME record. */
  isElsewhere(hostname: string): boolean {
    const { kind } = this.#tree.find(hostname);
    return kind === "cut" || kind === "redirected";
  }
}

class EdgeNodes extends Map<string, EdgeName> {
  add(name: string): EdgeName {
    const node: EdgeName = {
      children: 0,
      flags: 0,
      addresses: none,
      cname: undefined,
      isProxied: false,
      nameServers: none,
    };
    this.set(name, node);
    return node;
  }
}

const typeOf = (record: ZoneRecord): number =>
  "typeCode" in record ? record.typeCode : typeCodes[record.type];

function takeRecords(node: EdgeName, records: readonly StoredRecord[]): void {
  const leading = records.filter(({ type }) => type === "A" || type === "AAAA" || type === "CNAME");
  const addresses = leading.flatMap(({ type, content }) => (type === "CNAME" ? [] : [content]));
  const nameServers = records.filter(({ type }) => type === "NS").map(targetOf);
  node.addresses = addresses.length === 0 ? none : addresses;
  node.cname = leading.filter(({ type }) => type === "CNAME").map(targetOf)[0];
  node.isProxied = leading.some(({ proxied }) => proxied);
  node.nameServers = nameServers.length === 0 ? none : nameServers;
}

function targetOf({ content }: StoredRecord): string {
  return content.toLowerCase().replace(/\.$/, "");
}
