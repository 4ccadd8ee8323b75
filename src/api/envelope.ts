import { renderItems, renderJson, type JsonItems } from "../core/json.ts";
import type { CursorPage, PageRequest } from "../core/page.ts";

/** An informational message of the envelope. */
export interface Message {
  readonly code: number;
  readonly message: string;
}

/** The envelope of a success: `result, success, errors, messages`. */
export function successBody(result: unknown, messages: readonly Message[] = []): string {
  return `{"result":${renderJson(result)},${successTail(messages)}`;
}

/** The same of a result that comes in parts of its JSON. */
export async function* successChunks(result: AsyncIterable<string>): AsyncGenerator<string> {
  yield `{"result":`;
  yield* result;
  yield `,${successTail([])}`;
}

/** The envelope of a page: `result, result_info, success, errors, messages`. */
export function pageBody(
  items: readonly unknown[] | JsonItems,
  totalCount: number,
  { page, perPage }: Pick<PageRequest, "page" | "perPage">,
  messages: readonly Message[] = [],
): string {
  const resultInfo = {
    page,
    per_page: perPage,
    count: items.length,
    total_count: totalCount,
    total_pages: Math.max(1, Math.ceil(totalCount / perPage)),
  };
  return `{"result":[${renderItems(items)}],"result_info":${JSON.stringify(resultInfo)},${successTail(messages)}`;
}

/**
 * The envelope of a page by cursor: its `result_info` has the cursors of the next and the previous page,
 * where there are any.
 */
export function cursorPageBody({ items, after, before }: CursorPage<unknown>): string {
  const cursors = {
    ...(before !== undefined && { before: cursorOf("before", before) }),
    ...(after !== undefined && { after: cursorOf("after", after) }),
  };
  return `{"result":[${renderItems(items)}],"result_info":${JSON.stringify({ cursors })},${successTail([])}`;
}

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
}

/**
 * The envelope of a failure. The members are in the order `success, errors, messages, result` for an error before a
 * resource was reached; otherwise `result` comes first (docs/contract/envelope.md).
 */
export function failureBody(
  errors: readonly WireError[],
  beforeResource: boolean,
  messages: readonly Message[] = [],
): string {
  const outcome = { success: false, errors, messages: messages.map(toWireMessage) };
  return JSON.stringify(beforeResource ? { ...outcome, result: null } : { result: null, ...outcome });
}

function toWireMessage({ code, message }: Message): object {
  return { code, message, type: null };
}

function successTail(messages: readonly Message[]): string {
  const rendered = messages.map(toWireMessage);
  return `"success":true,"errors":[],"messages":${rendered.length === 0 ? "[]" : JSON.stringify(rendered)}}`;
}

export type ApiHeaders = Readonly<Record<string, string>>;

/** The version of the public API description that is implemented. */
const apiVersion = "2024-08-06";

/** On every answer of the API (docs/contract/envelope.md#headers). */
export const apiHeaders: ApiHeaders = {
  "content-type": "application/json",
  "api-version": apiVersion,
  "cache-control": "no-store, no-cache, must-revalidate, post-check=0, pre-check=0",
  pragma: "no-cache",
  expires: "Sun, 25 Jan 1981 05:00:00 GMT",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  vary: "accept-encoding",
  "cf-cache-status": "DYNAMIC",
  server: "zoneward",
};

/** Only sent over TLS (RFC 6797 7.2). */
export const strictTransport = { "strict-transport-security": "max-age=31536000" } as const;

/** The same over TLS. */
export const apiHeadersOverTls: ApiHeaders = { ...apiHeaders, ...strictTransport };

/** The cursor for the items after or before a key. */
function cursorOf(side: "after" | "before", key: string): string {
  return `${side === "after" ? "a" : "b"}${Buffer.from(key).toString("base64url")}`;
}

/** Parses a cursor; undefined for any other text. */
export function readCursor(
  cursor: string,
): { readonly after: string } | { readonly before: string } | undefined {
  const side = cursor.startsWith("a") ? "after" : "before";
  const key = Buffer.from(cursor.slice(1), "base64url").toString();
  if (cursorOf(side, key) !== cursor || key.includes("\0")) return undefined;
  return side === "after" ? { after: key } : { before: key };
}
