import { FairMap } from "../core/fair-map.ts";
import type { Response } from "../core/dns/served/response.ts";

/** An answer to every equal query until a zone changes. */
export interface PreparedAnswer {
  readonly response: Response;
  /** The encoded response. */
  readonly bytes: Uint8Array;
}

const entriesMax = 20_000;
/** Longer queries are rare, and are not cached. */
const queryOctetsMax = 300;
const idOctets = 2;

/**
 * A cache of answers; the key is the query without its id. A change of any zone empties the cache. The accounts of the zones
 * share it.
 */
export class AnswerCache {
  readonly #answers = new FairMap<string, PreparedAnswer>({ weightMax: entriesMax });
  #revision = 0;

  /** `revision`: a number that changes when any answer may have changed. */
  find(query: Buffer, revision: number): PreparedAnswer | undefined {
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#answers.clear();
    }
    return this.#answers.get(keyOf(query));
  }

  keep(query: Buffer, response: Response, bytes: Uint8Array): void {
    if (query.length > queryOctetsMax) return;
    const owners = [response.answer.zone?.accountId ?? ""];
    // The octets may be a view of a larger buffer, which would stay in memory.
    this.#answers.set(keyOf(query), { response, bytes: Uint8Array.from(bytes) }, owners);
  }
}

function keyOf(query: Buffer): string {
  return query.toString("latin1", idOctets);
}
