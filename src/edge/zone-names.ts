/** The CNAME records that are followed from a name. */
export const targetsMax = 8;

/** What an edge reads of the records at one name. */
export interface NameRecords {
  /** The content of A and AAAA records. */
  readonly addresses: readonly string[];
  /** The target of a CNAME record, ASCII and in lower case. */
  readonly cname: string | undefined;
  readonly isProxied: boolean;
}

/** The members of a record that matter to an edge. */
export interface NamedRecord {
  readonly type: string;
  readonly content: string;
  readonly proxied: boolean;
}

/** The names of a zone with the records that lead to origins. */
export class ZoneNames {
  readonly #zone: string;
  /** Includes names with records of any type: an existing name hides the wildcard above it. */
  readonly #names: ReadonlyMap<string, NameRecords>;

  constructor(zone: string, names: ReadonlyMap<string, NameRecords>) {
    this.#zone = zone;
    this.#names = names;
  }

  get size(): number {
    return this.#names.size;
  }

  /** The records of a name, or of the wildcard that matches it (RFC 4592 section 3.3.1). */
  find(hostname: string): NameRecords | undefined {
    const exact = this.#names.get(hostname);
    if (exact !== undefined) return exact;
    let name = hostname;
    while (name.length > this.#zone.length) {
      name = name.slice(name.indexOf(".") + 1);
      const wildcard = this.#names.get(`*.${name}`);
      if (wildcard !== undefined || this.#names.has(name)) return wildcard;
    }
    return undefined;
  }
}

/** Combines the records of one name. */
export function nameRecordsOf(records: readonly NamedRecord[]): NameRecords {
  const leading = records.filter(({ type }) => type === "A" || type === "AAAA" || type === "CNAME");
  return {
    addresses: leading.flatMap(({ type, content }) => (type === "CNAME" ? [] : [content])),
    cname: leading
      .find(({ type }) => type === "CNAME")
      ?.content.toLowerCase()
      .replace(/\.$/, ""),
    isProxied: leading.some(({ proxied }) => proxied),
  };
}
