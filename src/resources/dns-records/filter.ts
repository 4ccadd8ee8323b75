import { toAsciiName } from "../../core/dns/content/name.ts";
import { normalizeContentFilter } from "../../core/dns/content/rdata.ts";
import { invalidParameter } from "../../core/error.ts";
import type { TextMatch } from "../../storage/columns.ts";
import type { ListDnsRecordsQuery } from "./schema.ts";

/** A text that a column has to match; both sides are in lower case. */
export interface TextCondition {
  readonly column: "name" | "content" | "comment";
  readonly match: TextMatch;
  /** One of them must match. */
  readonly values: readonly [string, ...string[]];
}

export interface TagCondition {
  /** `absent`: no tag of that name; `present`: one; else one of that name whose value matches. */
  readonly match: TextMatch | "present" | "absent";
  readonly name: string;
  readonly value: string;
}

export interface RecordFilter {
  readonly types: readonly string[] | undefined;
  readonly texts: readonly TextCondition[];
  /** Whether there is a comment at all; asking for both leaves nothing. */
  readonly comment: readonly ("present" | "absent")[];
  readonly proxied: boolean | undefined;
  readonly match: "any" | "all";
  readonly tags: readonly TagCondition[];
  readonly tagMatch: "any" | "all";
  readonly search: string | undefined;
}

/**
 * The maximum number of tags of a record. Each is a subquery of its own, and the time to plan them grows with
 * the square of their number.
 */
const tagsAskedMax = 20;

const matches = ["exact", "contains", "startswith", "endswith"] as const;

/**
 * Reads the filters of a query, ignoring those with an empty value. Undefined if there is none.
 * Errors: 400 code 1003 for too many tags.
 */
export function parseRecordFilter(query: ListDnsRecordsQuery): RecordFilter | undefined {
  if (Object.keys(query).length === 0) return undefined;
  const filter: RecordFilter = {
    types: query.type ? query.type.split(",").map((type) => type.trim().toUpperCase()) : undefined,
    texts: [...textsOf(query, "name"), ...textsOf(query, "content"), ...textsOf(query, "comment")],
    comment: (["present", "absent"] as const).filter((state) => query[`comment.${state}`] !== undefined),
    proxied: query.proxied,
    match: query.match ?? "all",
    tags: tagsOf(query),
    tagMatch: query.tag_match ?? query["tag-match"] ?? "all",
    search: query.search?.toLowerCase() || undefined,
  };
  const isEmpty =
    filter.types === undefined &&
    filter.texts.length === 0 &&
    filter.comment.length === 0 &&
    filter.proxied === undefined &&
    filter.tags.length === 0 &&
    filter.search === undefined;
  return isEmpty ? undefined : filter;
}

function textsOf(query: ListDnsRecordsQuery, column: TextCondition["column"]): TextCondition[] {
  const conditions: TextCondition[] = [];
  const add = (match: TextMatch, value: string | undefined): void => {
    if (value) conditions.push({ column, match, values: foldedValues(column, match, value) });
  };
  add("exact", query[column]);
  for (const match of matches) add(match, query[`${column}.${match}`]);
  return conditions;
}

/**
 * Exact content is what was sent or what it is stored as: spaces and a final dot are only of meaning in some
 * types.
 */
function foldedValues(
  column: TextCondition["column"],
  match: TextMatch,
  value: string,
): TextCondition["values"] {
  const folded = value.toLowerCase();
  if (match === "exact" && column === "name") return [toAsciiName(value) ?? folded];
  if (match === "exact" && column === "content") {
    const stored = normalizeContentFilter(value).toLowerCase();
    return stored === folded ? [folded] : [folded, stored];
  }
  return [folded];
}

function tagsOf(query: ListDnsRecordsQuery): TagCondition[] {
  const conditions: TagCondition[] = [];
  const add = (match: TagCondition["match"], text: string | undefined): void => {
    if (!text) return;
    const { name, value } = splitTag(text.toLowerCase());
    conditions.push({ match, name, value });
  };
  const tags = query.tag?.split(",") ?? [];
  if (tags.length > tagsAskedMax) throw invalidParameter("tag", `must be at most ${tagsAskedMax} tags`);
  for (const tag of tags) add(tag.includes(":") ? "exact" : "present", tag.trim());
  add("present", query["tag.present"]);
  add("absent", query["tag.absent"]);
  for (const match of matches) add(match, query[`tag.${match}`]);
  return conditions;
}

/** The parts of `name:value`; a tag without a colon has an empty value. */
export function splitTag(tag: string): { readonly name: string; readonly value: string } {
  const colon = tag.indexOf(":");
  return colon === -1 ? { name: tag, value: "" } : { name: tag.slice(0, colon), value: tag.slice(colon + 1) };
}
