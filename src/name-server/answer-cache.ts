import type { Response } from "../core/dns/served/response.ts";

/** An answer to every equal query until a zone changes. */
export interface PreparedAnswer {
  readonly response: Response;
  /** The encoded response. */
  readonly bytes: Uint8Array;
}

/** The largest number of entries in each of the two generations. */
const entriesMax = 10_000;
/** Longer queries are rare, and are not cached. */
const queryOctetsMax = 300;
const idOctets = 2;

/**
 * A cache of answers; the key is the query without its id. A change of any zone empties the cache. The cache drops an answer
 * that nobody asks for while `entriesMax` other answers come in, so that memory is bounded.
 */
export class AnswerCache {
  #recent = new Map<string, PreparedAnswer>();
  #older = new Map<string, PreparedAnswer>();
  #revision = 0;

  /** `revision`: a number that changes when any answer may have changed. */
  find(query: Buffer, revision: number): PreparedAnswer | undefined {
    if (revision !== this.#revision) this.#clear(revision);
    const key = keyOf(query);
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.#add(key, older);
    return older;
  }

  keep(query: Buffer, response: Response, bytes: Uint8Array): void {
    if (query.length > queryOctetsMax) return;
    // The octets may be a view of a larger buffer, which would stay in memory.
    this.#add(keyOf(query), { response, bytes: Uint8Array.from(bytes) });
  }

  #add(key: string, answer: PreparedAnswer): void {
    if (this.#recent.size >= entriesMax) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, answer);
  }

  #clear(revision: number): void {
    this.#revision = revision;
    this.#recent.clear();
    this.#older.clear();
  }
}

function keyOf(query: Buffer): string {
  return query.toString("latin1", idOctets);
}
