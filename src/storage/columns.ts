import { expressionBuilder, sql, type Expression, type SqlBool } from "kysely";
import { isCalendarDay } from "../core/validate/rules.ts";
import type { Flag, Json, Timestamp } from "./schema/table.ts";

/** A time as it is stored and sorted: `2026-01-02T03:04:05.678000Z`. */
export function toTimestamp(date: Date): Timestamp {
  return `${date.toISOString().slice(0, -1)}000Z` as Timestamp;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Parses a time of RFC 3339, to the millisecond; undefined for anything else. */
export function parseTimestamp(text: string): Timestamp | undefined {
  // An unescaped plus sign in a query is decoded as a space.
  const written = text.replace(" ", "+").toUpperCase();
  const date = new Date(rfc3339.test(written) && isCalendarDay(written.slice(0, 10)) ? written : Number.NaN);
  const isStorable = date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999;
  return isStorable ? toTimestamp(date) : undefined;
}

export function toFlag(value: boolean): Flag {
  return value ? 1 : 0;
}

export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>;
}

export function fromJson<T>(text: Json<T>): T {
  return JSON.parse(text) as T;
}

/** `column` is one of the ids, or none of them. */
export function isIn(
  column: Expression<string>,
  { mode, ids }: { readonly mode: "only" | "except"; readonly ids: readonly string[] },
): Expression<SqlBool> {
  if (ids.length === 0) return mode === "only" ? sql<SqlBool>`1 = 0` : sql<SqlBool>`1 = 1`;
  return mode === "only"
    ? sql<SqlBool>`${column} in (${sql.join(ids)})`
    : sql<SqlBool>`${column} not in (${sql.join(ids)})`;
}

export type TextMatch = "exact" | "contains" | "startswith" | "endswith";

/** `column` matches `value`, both in the same case. Wildcards in `value` are taken literally. */
export function matchesText(
  column: Expression<string | null>,
  match: TextMatch,
  value: string,
): Expression<SqlBool> {
  const text = sql<string>`cast(${value} as text)`;
  switch (match) {
    case "exact":
      return sql<SqlBool>`${column} = ${value}`;
    case "startswith": {
      const pattern = `${value.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      return sql<SqlBool>`${column} like ${pattern} escape '\\'`;
    }
    // Before `like`, a leading wildcard makes SQLite try the rest at each character, at the cost of both lengths
    // multiplied.
    case "contains":
      return sql<SqlBool>`${expressionBuilder().fn("strpos", [column, text])} > 0`;
    case "endswith": {
      const start = sql<number>`length(${column}) - length(${text}) + 1`;
      return sql<SqlBool>`(length(${column}) >= length(${text}) and substr(${column}, ${start}) = ${text})`;
    }
  }
}
