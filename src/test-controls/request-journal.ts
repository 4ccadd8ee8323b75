import { compileMatch, type AnsweredMatch } from "../core/test-controls/match.ts";
import { EntryRing } from "./entry-ring.ts";
import { EventFeed } from "./event-feed.ts";
import type { FindOperation } from "./find-operation.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { readEntry, toWire, type JournalEntry, type Recorded } from "./journal-entry.ts";

const bounds = { entriesMax: 10_000, octetsMax: 64 * 1024 * 1024 };

/** The newest requests: 10,000 of them, and 64 MiB. They are written as they come, and read when somebody asks. */
export class RequestJournal {
  readonly feed = new EventFeed();
  readonly #ring = new EntryRing(bounds);
  readonly #findOperation: FindOperation;
  #numbers = 0;

  constructor(findOperation: FindOperation) {
    this.#findOperation = findOperation;
  }

  get dropped(): number {
    return this.#ring.dropped;
  }

  nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  add(recorded: Recorded): void {
    const head = recorded.head();
    const { body, answer } = recorded;
    this.#ring.add(JSON.stringify(head), body, answer);
    // The objects of a request may outlive it until the next full garbage collection; its bodies need not.
    body.clear();
    answer.clear();
    if (this.feed.isFollowed) this.feed.send("request", head.number, toWire(this.#at(this.#ring.size - 1)));
  }

  clear(): void {
    this.#ring.clear();
  }

  /** In the order in which they came. */
  entries(): readonly JournalEntry[] {
    return [...this.#newestFirst()].toSorted((a, b) => a.number - b.number);
  }

  /** The newest `limit` that match, the oldest of them first. */
  search(
    match: AnsweredMatch,
    limit: number,
  ): { readonly total: number; readonly found: readonly JournalEntry[] } {
    const { matches } = compileMatch(match);
    const all = this.entries().filter(matches);
    return { total: all.length, found: all.slice(-limit) };
  }

  /** The newest answer with status 200 to the same request that is another one than `current`. */
  earlierAnswer(exchange: HttpExchange, current: string): string | undefined {
    for (const entry of this.#newestFirst()) {
      if (entry.status !== 200 || !entry.answer.isWhole || !isLike(exchange, entry)) continue;
      const text = entry.answer.kept.toString();
      if (text !== current) return text;
    }
    return undefined;
  }

  *#newestFirst(): Generator<JournalEntry> {
    for (let position = this.#ring.size - 1; position >= 0; position -= 1) yield this.#at(position);
  }

  #at(position: number): JournalEntry {
    return readEntry(this.#ring.at(position), this.#findOperation);
  }
}

const credentialHeaders = ["authorization", "x-auth-email", "x-auth-key", "cookie"] as const;

/** Whether both asked the same, as the same caller. */
function isLike(exchange: HttpExchange, entry: JournalEntry): boolean {
  return (
    entry.listener === exchange.listener &&
    entry.method === exchange.method &&
    entry.path === exchange.path &&
    entry.query === exchange.query &&
    credentialHeaders.every((name) => entry.headers[name] === exchange.headers[name])
  );
}
