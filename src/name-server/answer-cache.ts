import type { Response } from "../core/dns/served/response.ts";

/** An answer that holds for every equal query until a zone changes. */
export interface PreparedAnswer {
  readonly response: Response;
  /** The response as it was written. */
  readonly bytes: Uint8Array;
}

/** Of each of two generations. */
const entriesMax = 10_000;
/** A longer query is an unusual one. */
const queryOctetsMax = 300;
const idOctets = 2;

/**
 * Answers by the octets of their queries behind the id. All are dropped with the next change of a zone. What has not been
 * asked for while `entriesMax` others came is dropped too, so that memory is bounded.
 */
export class AnswerCache {
  #recent = new Map<string, PreparedAnswer>();
  #older = new Map<string, PreparedAnswer>();
  #revision = 0;

  /** `revision` differs where any answer may. */
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
    // The octets may be part of something larger.
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
