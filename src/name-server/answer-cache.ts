import { FairMap } from "../core/fair-map.ts";
import type { Response } from "../core/dns/served/response.ts";
import type { Answer } from "../core/dns/served/sources.ts";
import type { ZoneIndex } from "../core/dns/served/zone-index.ts";
import type { ZoneView } from "../core/dns/served/zone-view.ts";

/** An answer to every equal query until one of its zones changes. */
export interface PreparedAnswer {
  readonly response: PreparedResponse;
  readonly bytes: Uint8Array;
}

/** A response without its records, nor the zone that has them: to keep these would keep zones that were replaced. */
export interface PreparedResponse extends Omit<Response, "answer"> {
  readonly answer: Pick<Answer, "rcode" | "source"> & { readonly zone: AnsweringZone | undefined };
}

export type AnsweringZone = Pick<ZoneView, "name" | "accountId">;

/** A zone that an answer came from, or none, by how it was looked up. */
export interface FoundZone {
  readonly name: string;
  readonly isAbove: boolean;
  /** Revision in the index; undefined for none. */
  readonly revision: number | undefined;
}

interface Entry extends PreparedAnswer {
  readonly from: readonly FoundZone[];
  /** The revision of the index at which it was right. */
  revision: number;
  uses: number;
}

const entriesMax = 20_000;
/** An answer's zones are looked up again after so many uses, so that they count as used as well. */
const usesMax = 16;
/** Longer queries are rare, and are not cached. */
const queryOctetsMax = 300;
const idOctets = 2;

/**
 * A cache of answers; the key is the query without its id. An answer holds as long as the zones that it came
 * from, whatever becomes of others. The accounts of the zones share the cache.
 */
export class AnswerCache {
  readonly #answers = new FairMap<string, Entry>({ weightMax: entriesMax });

  find(query: Buffer, zones: Pick<ZoneIndex, "revision" | "inChargeOf">): PreparedAnswer | undefined {
    const entry = this.#answers.get(keyOf(query));
    if (entry === undefined) return undefined;
    entry.uses += 1;
    if (entry.revision === zones.revision && entry.uses % usesMax !== 0) return entry;
    if (
      entry.from.some(({ name, isAbove, revision }) => zones.inChargeOf(name, isAbove)?.revision !== revision)
    ) {
      this.#answers.delete(keyOf(query));
      return undefined;
    }
    entry.revision = zones.revision;
    return entry;
  }

  /** `from` are all zones that were looked up for the response. */
  keep(
    query: Buffer,
    { answer: { rcode, source, zone }, ...response }: Response,
    bytes: Uint8Array,
    from: readonly FoundZone[],
  ): void {
    if (query.length > queryOctetsMax) return;
    const entry: Entry = {
      response: { ...response, answer: { rcode, source, zone: zone && ownerOf(zone) } },
      // The octets may be a view of a larger buffer, which would stay in memory.
      bytes: Uint8Array.from(bytes),
      from,
      revision: 0,
      uses: 0,
    };
    this.#answers.set(keyOf(query), entry, [zone?.accountId ?? ""]);
  }
}

function ownerOf({ name, accountId }: AnsweringZone): AnsweringZone {
  return { name, accountId };
}

function keyOf(query: Buffer): string {
  return query.toString("latin1", idOctets);
}
