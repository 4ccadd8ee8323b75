import type { Identity } from "../core/caller.ts";
import type { Exchange } from "../core/test-controls/exchange.ts";
import { Journal } from "../core/test-controls/journal.ts";
import { compileMatch, type AnsweredMatch } from "../core/test-controls/match.ts";
import { redactBody, redactHeaders } from "../core/test-controls/redact.ts";
import { BodyRing } from "./body-ring.ts";
import { bodyOctetsMax } from "./capture.ts";
import { EventFeed } from "./event-feed.ts";
import type { HttpExchange } from "./http-exchange.ts";

/** What the journal keeps of a request, whatever it came over. */
export interface JournalEntry extends Exchange {
  /** Counts requests in the order in which they came. */
  readonly number: number;
  readonly query: string;
  readonly caller: Identity | undefined;
  readonly body: EntryBody;
  readonly answer: EntryBody;
  /** Id of the fault that acted. */
  readonly fault: string | undefined;
  readonly ms: number;
  readonly bytes: number;
}

interface EntryBody {
  readonly length: number;
  readonly isWhole: boolean;
  readonly text: () => string;
  readonly storeIn: (ring: BodyRing) => void;
}

const bounds = { entriesMax: 10_000, bytesMax: 64 * 1024 * 1024 };

/** The newest requests: 10,000 of them, and 64 MiB. */
export class RequestJournal {
  readonly feed = new EventFeed();
  readonly #journal = new Journal<JournalEntry>(bounds);
  // The bodies of an entry are stored before it takes the place of others.
  readonly #bodies = new BodyRing({ octets: bounds.bytesMax + 2 * bodyOctetsMax, bodyOctetsMax });
  #numbers = 0;

  get dropped(): number {
    return this.#journal.dropped;
  }

  nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  add(entry: JournalEntry): void {
    entry.body.storeIn(this.#bodies);
    entry.answer.storeIn(this.#bodies);
    this.#journal.add(entry);
    if (this.feed.isFollowed) this.feed.send("request", entry.number, toWire(entry));
  }

  clear(): void {
    this.#journal.clear();
  }

  /** In the order in which they came. */
  entries(): readonly JournalEntry[] {
    return [...this.#journal.entries()].toSorted((a, b) => a.number - b.number);
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
    for (const entry of this.#journal.newestFirst()) {
      if (entry.status !== 200 || !entry.answer.isWhole || !isLike(exchange, entry)) continue;
      const text = entry.answer.text();
      if (text !== current) return text;
    }
    return undefined;
  }
}

function isLike(exchange: HttpExchange, entry: JournalEntry): boolean {
  return entry.listener === exchange.listener && exchange.isLike(entry as HttpExchange);
}

/** As clients see it: with its secrets replaced. */
export function toWire(entry: JournalEntry) {
  const { headers } = entry;
  return {
    number: entry.number,
    at: new Date(entry.at).toISOString(),
    listener: entry.listener,
    operation: entry.operation ?? null,
    method: entry.method,
    path: entry.path,
    query: redactBody(entry.query, headers),
    zone: entry.zone ?? null,
    caller: toWireCaller(entry.caller),
    headers: redactHeaders(headers),
    body: toWireBody(entry.body, headers),
    status: entry.status ?? null,
    answer: toWireBody(entry.answer, headers),
    fault: entry.fault ?? null,
    milliseconds: Math.round(entry.ms * 10) / 10,
  };
}

function toWireCaller(caller: Identity | undefined): object | null {
  if (caller === undefined) return null;
  const { user, credential } = caller;
  return {
    credential: credential.kind,
    token_id: credential.kind === "token" ? credential.tokenId : null,
    user: user === undefined ? null : { id: user.id, email: user.email },
  };
}

/** JSON as it is, anything else as text; what is not whole ends with an ellipsis. */
function toWireBody(body: EntryBody, headers: Exchange["headers"]): unknown {
  if (body.length === 0) return null;
  const text = redactBody(body.text(), headers);
  if (!body.isWhole) return `${text}\u2026`;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
