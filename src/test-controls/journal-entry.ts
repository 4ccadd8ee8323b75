import type { Identity } from "../core/caller.ts";
import type { Exchange } from "../core/test-controls/exchange.ts";
import { redactBody, redactHeaders } from "../core/test-controls/redact.ts";
import type { Captured } from "./capture.ts";
import type { StoredEntry } from "./entry-ring.ts";
import type { FindOperation } from "./find-operation.ts";

interface EntryFields extends Omit<Exchange, "headers" | "operation"> {
  /** Counts requests in the order in which they came. */
  readonly number: number;
  readonly query: string;
  readonly caller: WireCaller | undefined;
  /** Id of the fault that acted. */
  readonly fault: string | undefined;
  readonly ms: number;
}

/** What is kept of a request besides its body and its answer: all of it can be written as JSON. */
export interface EntryHead extends EntryFields {
  /** Names and values in turns, as they were sent. */
  readonly headers: readonly string[];
  /** Whether all of the body is kept. */
  readonly isBodyWhole: boolean;
  readonly isAnswerWhole: boolean;
}

/** A request that is over, of which an entry is made. */
export interface Recorded extends EntryFields {
  /** Names and values in turns, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Captured;
  readonly answer: Captured;
}

export function headOf(recorded: Recorded): EntryHead {
  const { number, listener, at, method, path, query, zone, token, status, fault, ms, caller } = recorded;
  return {
    number,
    listener,
    at,
    method,
    path,
    query,
    zone,
    token,
    status,
    fault,
    ms,
    headers: recorded.rawHeaders,
    caller,
    isBodyWhole: recorded.body.isWhole,
    isAnswerWhole: recorded.answer.isWhole,
  };
}

/** What the journal has of a request besides its body and its answer. */
export interface JournalEntry extends EntryFields, Exchange {
  /** Where the rest of it is. */
  readonly place: number;
  readonly isBodyWhole: boolean;
  readonly isAnswerWhole: boolean;
}

export interface WireCaller {
  readonly credential: string;
  readonly token_id: string | null;
  readonly user: { readonly id: string; readonly email: string } | null;
}

export function readEntry(place: number, { head }: StoredEntry, findOperation: FindOperation): JournalEntry {
  const { headers, ...fields } = JSON.parse(head.toString()) as EntryHead;
  return {
    ...fields,
    place,
    headers: byName(headers),
    get operation() {
      return fields.listener === "api" ? findOperation(fields.method, fields.path)?.operation : undefined;
    },
  };
}

/** Names in lower case; those that were sent more than once have a list. */
function byName(headers: readonly string[]): Exchange["headers"] {
  const values = new Map<string, string | string[]>();
  for (let index = 0; index < headers.length; index += 2) {
    const [name = "", value = ""] = headers.slice(index, index + 2);
    const others = values.get(name.toLowerCase());
    values.set(name.toLowerCase(), others === undefined ? value : [others, value].flat());
  }
  return Object.fromEntries(values);
}

/** As clients see it: with its secrets replaced. */
export function toWire(entry: JournalEntry, { body, answer }: StoredEntry) {
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
    caller: entry.caller ?? null,
    headers: redactHeaders(headers),
    body: toWireBody(body, entry.isBodyWhole, headers),
    status: entry.status ?? null,
    answer: toWireBody(answer, entry.isAnswerWhole, headers),
    fault: entry.fault ?? null,
    milliseconds: Math.round(entry.ms * 10) / 10,
  };
}

export function toWireCaller({ user, credential }: Identity): WireCaller {
  return {
    credential: credential.kind,
    token_id: credential.kind === "token" ? credential.tokenId : null,
    user: user === undefined ? null : { id: user.id, email: user.email },
  };
}

/** JSON as it is, anything else as text; what is not whole ends with an ellipsis. */
function toWireBody(kept: Buffer, isWhole: boolean, headers: Exchange["headers"]): unknown {
  if (kept.length === 0) return null;
  const text = redactBody(kept.toString(), headers);
  if (!isWhole) return `${text}\u2026`;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
