import { findName, type ZoneNameTree } from "../../core/dns/names/find-name.ts";
import { ZoneCuts } from "../../core/dns/names/zone-cuts.ts";
import { ZoneRedirections } from "../../core/dns/names/zone-redirections.ts";
import type { StoredRecord, ZoneRecord } from "../../core/dns/served/record-sets.ts";
import { typeCodes } from "../../core/dns/wire/codes.ts";
import { parentOf } from "../../core/dns/wire/names.ts";

/** The CNAME records that are followed from a name. */
export const targetsMax = 8;

/** What an edge reads of the records at one name. */
interface NameRecords {
  /** The content of A and AAAA records. */
  readonly addresses: readonly string[];
  /** The target of a CNAME record, ASCII and in lower case. */
  readonly cname: string | undefined;
  readonly isProxied: boolean;
  /** The targets of NS records, ASCII and in lower case. */
  readonly nameServers: readonly string[];
}

const none: readonly string[] = [];

/** The names of a zone with the records that lead to origins, found as the name server finds them. */
export class ZoneNames {
  readonly #names = new Map<string, NameRecords>();
  readonly #tree: ZoneNameTree<NameRecords>;

  constructor(zone: string) {
    this.#tree = {
      zone,
      get: (name) => this.#names.get(name),
      cuts: new ZoneCuts(zone),
      redirections: new ZoneRedirections(zone),
    };
  }

  /** Adds all records of a name, of any type. */
  add(name: string, records: readonly ZoneRecord[]): void {
    const { zone, cuts, redirections } = this.#tree;
    this.#names.set(name, nameRecordsOf(records.filter((record) => "content" in record)));
    cuts.set(name, name !== zone && records.some((record) => typeOf(record) === typeCodes.NS));
    redirections.set(
      name,
      records.some((record) => typeOf(record) === typeCodes.DNAME),
    );
    // All names between it and the apex exist, and hide the wildcards above them (RFC 4592 section 2.2.2).
    for (
      let above = parentOf(name);
      above !== undefined && above.length >= zone.length;
      above = parentOf(above)
    )
      if (!this.#names.has(above)) this.#names.set(above, nothing);
  }

  /** The name servers to which a name is delegated. */
  delegationOf(name: string): readonly string[] {
    return this.#names.get(name)?.nameServers ?? none;
  }

  /** The records of a name, or of the wildcard that matches it. Undefined too where others are asked for them. */
  find(hostname: string): NameRecords | undefined {
    const found = findName(this.#tree, hostname);
    return found.kind === "name" ? found.node : undefined;
  }

  /** Whether others are asked for a name, by a delegation or a DNAME record. */
  isElsewhere(hostname: string): boolean {
    const { kind } = findName(this.#tree, hostname);
    return kind === "cut" || kind === "redirected";
  }
}

const nothing: NameRecords = { addresses: [], cname: undefined, isProxied: false, nameServers: none };

const typeOf = (record: ZoneRecord): number =>
  "typeCode" in record ? record.typeCode : typeCodes[record.type];

/** Combines the records of one name. */
function nameRecordsOf(records: readonly StoredRecord[]): NameRecords {
  const leading = records.filter(({ type }) => type === "A" || type === "AAAA" || type === "CNAME");
  const delegating = records.filter(({ type }) => type === "NS");
  return {
    addresses: leading.flatMap(({ type, content }) => (type === "CNAME" ? [] : [content])),
    cname: leading.filter(({ type }) => type === "CNAME").map(targetOf)[0],
    isProxied: leading.some(({ proxied }) => proxied),
    nameServers: delegating.length === 0 ? none : delegating.map(targetOf),
  };
}

function targetOf({ content }: StoredRecord): string {
  return content.toLowerCase().replace(/\.$/, "");
}
