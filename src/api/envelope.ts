import { renderJson } from "../core/json-text.ts";
import type { CursorPage, PageRequest } from "../core/page.ts";
import { cursorOf } from "./cursor.ts";

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
  items: readonly unknown[],
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
  return `{"result":[${items.map(renderJson).join(",")}],"result_info":${JSON.stringify(resultInfo)},${successTail(messages)}`;
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
  return `{"result":[${items.map(renderJson).join(",")}],"result_info":${JSON.stringify({ cursors })},${successTail([])}`;
}

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
}

/**
 * The envelope of a failure. The members are in the order `success, errors, messages, result` for an error before a resource
 * was reached; otherwise `result` comes first (docs/contract/envelope.md).
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
