import { readCursor } from "./envelope.ts";
import type { Query } from "./query.ts";
import { invalidParameter } from "../core/error.ts";
import type { CursorRequest, PageRequest } from "../core/page.ts";

/** The options of a paginated list. The first ordering is the default. */
export interface ListOptions<Ordering extends string> {
  readonly orderings: readonly [Ordering, ...Ordering[]];
  readonly direction?: "asc" | "desc";
  /** A larger `per_page` is lowered to this. */
  readonly perPageMax: number;
}

/** The documented default. */
export const perPageDefault = 20;

const pageMax = 2 ** 31 - 1;

/**
 * Reads `page`, `per_page`, `order` and `direction`.
 * Errors: 400 code 1003 with `source.pointer` to the parameter.
 */
export function readPageRequest<Ordering extends string>(
  query: Query,
  options: ListOptions<Ordering>,
): PageRequest<Ordering> {
  const perPage = readCount(query, "per_page") ?? perPageDefault;
  return {
    page: Math.min(readCount(query, "page") ?? 1, pageMax),
    perPage: Math.min(perPage, options.perPageMax),
    order: readChoice(query, "order", options.orderings) ?? options.orderings[0],
    direction: readChoice(query, "direction", ["asc", "desc"]) ?? options.direction ?? "asc",
  };
}

/** The options of a list that is paginated by cursor. */
export interface CursorListOptions {
  readonly perPageDefault: number;
  /** A larger `per_page` is lowered to this. */
  readonly perPageMax: number;
}

/** Reads `cursor` and `per_page`. Errors: 400 code 1003 with `source.pointer` to the parameter. */
export function readCursorRequest(query: Query, options: CursorListOptions): CursorRequest {
  const perPage = Math.min(readCount(query, "per_page") ?? options.perPageDefault, options.perPageMax);
  const { cursor } = query;
  if (cursor === undefined || cursor === "") return { perPage };
  const from = readCursor(cursor);
  if (from === undefined) throw invalidParameter("cursor", "must be one that was answered");
  return { perPage, ...from };
}

function readCount(query: Query, name: string): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const value = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (value < 1) throw invalidParameter(name, "must be an integer of at least 1");
  return value;
}

function readChoice<Choice extends string>(
  query: Query,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = query[name]?.toLowerCase();
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw invalidParameter(name, `must be one of: ${choices.join(", ")}`);
  return choice;
}
