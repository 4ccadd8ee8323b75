import type { RouteDescription } from "../api/route.ts";
import { createRouter, readTarget } from "../api/router.ts";
import type { Api } from "../api/server-options.ts";
import { partyOf, type Identity } from "../core/policy/caller.ts";
import type { Exchange } from "../core/test-controls/exchange.ts";
import { redactBody, redactHeaders } from "../core/test-controls/redact.ts";
import type { Captured, StoredEntry } from "./kept-entries.ts";

export type FindOperation = (method: string, path: string) => RouteDescription | undefined;

export function operationFinder(api: Pick<Api, "basePath" | "routes">): FindOperation {
  // Most servers of tests are asked for no operation by its path.
  let find: ReturnType<typeof createRouter<typeof api>> | undefined;
  return (method, path) => {
    const target = readTarget(path);
    find ??= createRouter([api]);
    return target && find(target.segments)?.operations.get(method);
  };
}

interface EntryFields extends Omit<Exchange, "headers" | "operation"> {
  /** The number of the request in the order in which requests came. */
  readonly number: number;
  readonly query: string;
  readonly fault: string | undefined;
  readonly ms: number;
}

/** A request that is over, of which an entry is made. */
export interface Recorded extends EntryFields {
  /** The sender; undefined where that is not known. */
  readonly identity: Identity | undefined;
  /** The account of the asked or visited zone; undefined if there is none, and for requests to the API. */
  readonly zoneAccountId: string | undefined;
  /** Names and values in turns, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Captured;
  readonly answer: Captured;
}

/** The entry of a request without its body and its answer. */
export interface JournalEntry extends EntryFields, Exchange {
  /** The number of the entry that holds the rest. */
  readonly place: number;
  readonly caller: WireCaller | null;
  readonly isBodyWhole: boolean;
  readonly isAnswerWhole: boolean;
}

interface WireCaller {
  readonly credential: string;
  readonly token_id: string | null;
  readonly user: { readonly id: string; readonly email: string } | null;
}

/**
 * The stored parts of a request besides its body and its answer. A list is written as JSON in a quarter of an
 * object's time.
 */
type Head = readonly [
  number: number,
  listener: Exchange["listener"],
  at: number,
  method: string,
  path: string,
  query: string,
  zone: string | null,
  token: string | null,
  status: number | null,
  fault: string | null,
  tenthsOfMs: number,
  credential: string | null,
  tokenId: string | null,
  userId: string | null,
  userEmail: string | null,
  isBodyWhole: boolean,
  isAnswerWhole: boolean,
  rawHeaders: readonly string[],
];

/** The owner whose share of the journal a request counts towards. */
export function ownerOf({ identity, zoneAccountId }: Recorded): string {
  return zoneAccountId ?? (identity === undefined ? "" : partyOf(identity));
}

export function writeHead(recorded: Recorded): string {
  const { number, listener, at, method, path, query, zone, token, status, fault, ms } = recorded;
  const { identity, body, answer, rawHeaders } = recorded;
  const credential = identity?.credential;
  const head: Head = [
    number,
    listener,
    at,
    method,
    path,
    query,
    zone ?? null,
    token ?? null,
    status ?? null,
    fault ?? null,
    Math.round(ms * 10),
    credential?.kind ?? null,
    credential?.kind === "token" ? credential.tokenId : null,
    identity?.user?.id ?? null,
    identity?.user?.email ?? null,
    body.isWhole,
    answer.isWhole,
    rawHeaders,
  ];
  return JSON.stringify(head);
}

export function readEntry(place: number, { head }: StoredEntry, findOperation: FindOperation): JournalEntry {
  const [
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
    tenthsOfMs,
    credential,
    tokenId,
    userId,
    userEmail,
    isBodyWhole,
    isAnswerWhole,
    rawHeaders,
  ] = JSON.parse(head.toString()) as Head;
  const user = userId === null ? null : { id: userId, email: userEmail ?? "" };
  return {
    place,
    number,
    listener,
    at,
    method,
    path,
    query,
    zone: zone ?? undefined,
    token: token ?? undefined,
    status: status ?? undefined,
    fault: fault ?? undefined,
    ms: tenthsOfMs / 10,
    caller: credential === null ? null : { credential, token_id: tokenId, user },
    isBodyWhole,
    isAnswerWhole,
    headers: byName(rawHeaders),
    get operation() {
      return listener === "api" ? findOperation(method, path)?.operation : undefined;
    },
  };
}

/** Headers by name in lower case; those that were sent more than once have a list. */
function byName(headers: readonly string[]): Exchange["headers"] {
  const values = new Map<string, string | string[]>();
  for (let index = 0; index < headers.length; index += 2) {
    const [name = "", value = ""] = headers.slice(index, index + 2);
    const others = values.get(name.toLowerCase());
    values.set(name.toLowerCase(), others === undefined ? value : [others, value].flat());
  }
  return Object.fromEntries(values);
}

/** The entry in answers: with its secrets replaced. */
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
    caller: entry.caller,
    headers: redactHeaders(headers),
    body: toWireBody(body, entry.isBodyWhole, headers),
    status: entry.status ?? null,
    answer: toWireBody(answer, entry.isAnswerWhole, headers),
    fault: entry.fault ?? null,
    milliseconds: entry.ms,
  };
}

/** JSON stays JSON, anything else is text; a body that is not whole ends with an ellipsis. */
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
