import { setImmediate as nextTurn } from "node:timers/promises";
import { renderJson } from "../core/json.ts";
import { compileMatch, type AnsweredMatch } from "../core/test-controls/match.ts";
import { EventFeed } from "./event-feed.ts";
import {
  type FindOperation,
  ownerOf,
  readEntry,
  toWire,
  writeHead,
  type JournalEntry,
  type Recorded,
} from "./journal-entry.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { KeptEntries } from "./kept-entries.ts";

const bounds = { entriesMax: 10_000, octetsMax: 64 * 1024 * 1024 };

/**
 * The newest requests: at most 10,000, of 64 MiB together, of which users and accounts have a share. They are
 * written as they come, and parsed when the journal is read.
 */
export class RequestJournal {
  readonly feed = new EventFeed();
  readonly #kept = new KeptEntries(bounds);
  readonly #findOperation: FindOperation;
  #numbers = 0;

  constructor(findOperation: FindOperation) {
    this.#findOperation = findOperation;
  }

  get dropped(): number {
    return this.#kept.dropped;
  }

  nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  add(recorded: Recorded): void {
    const place = this.#kept.add(ownerOf(recorded), writeHead(recorded), recorded.body, recorded.answer);
    if (this.feed.isFollowed) this.#tellFollowers(place);
  }

  clear(): void {
    this.#kept.clear();
  }

  #tellFollowers(place: number): void {
    const stored = this.#kept.get(place);
    if (stored === undefined) return;
    const entry = readEntry(place, stored, this.#findOperation);
    this.feed.send("request", entry.number, toWire(entry, stored));
  }

  async entries(): Promise<readonly JournalEntry[]> {
    const found: JournalEntry[] = [];
    const giveWay = createGiveWay();
    for (const place of this.#kept.numbers) {
      const stored = this.#kept.get(place);
      if (stored === undefined) continue;
      found.push(readEntry(place, stored, this.#findOperation));
      await giveWay(stored.head.length);
    }
    return found.toSorted((a, b) => a.number - b.number);
  }

  /** Finds the newest `limit` entries that match, the oldest of them first. */
  async search(
    match: AnsweredMatch,
    limit: number,
  ): Promise<{ readonly total: number; readonly found: readonly JournalEntry[] }> {
    const { matches } = compileMatch(match);
    const all = (await this.entries()).filter(matches);
    return { total: all.length, found: all.slice(-limit) };
  }

  /** Renders entries as JSON, without those that were dropped meanwhile. */
  async *render(entries: readonly JournalEntry[]): AsyncGenerator<string> {
    const giveWay = createGiveWay();
    for (const entry of entries) {
      const stored = this.#kept.get(entry.place);
      if (stored === undefined) continue;
      yield renderJson(toWire(entry, stored));
      await giveWay(stored.head.length + stored.body.length + stored.answer.length);
    }
  }

  /** The newest answer with status 200 to the same request that differs from `current`. */
  earlierAnswer(exchange: HttpExchange, current: string): string | undefined {
    const path = JSON.stringify(exchange.path);
    for (const place of this.#kept.numbers.toReversed()) {
      const stored = this.#kept.get(place);
      // The text is searched first, as parsing each entry would take a hundred times as long.
      if (stored === undefined || !stored.head.includes(path)) continue;
      const entry = readEntry(place, stored, this.#findOperation);
      if (entry.status !== 200 || !entry.isAnswerWhole) continue;
      if (!isLike(exchange, entry)) continue;
      const text = stored.answer.toString();
      if (text !== current) return text;
    }
    return undefined;
  }
}

const octetsAtOnce = 256 * 1024;

/** Creates a function for each round of a long loop: it lets other work run after each 256 KiB. */
function createGiveWay(): (octets: number) => Promise<void> {
  let read = 0;
  return async (octets) => {
    read += octets;
    if (read < octetsAtOnce) return;
    read = 0;
    await nextTurn();
  };
}

const credentialHeaders = ["authorization", "x-auth-email", "x-auth-key", "cookie"] as const;

/** Whether both sent the same request as the same caller. */
function isLike(exchange: HttpExchange, entry: JournalEntry): boolean {
  return (
    entry.listener === exchange.listener &&
    entry.method === exchange.method &&
    entry.path === exchange.path &&
    entry.query === exchange.query &&
    credentialHeaders.every((name) => entry.headers[name] === exchange.headers[name])
  );
}
