import { sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import { JsonItems } from "../../core/json.ts";
import type { PageRequest } from "../../core/page.ts";
import { matchesText, toFlag } from "../../storage/columns.ts";
import { countRows } from "../../storage/page.ts";
import { statement } from "../../storage/statement.ts";
import type { Db, Tables } from "../../storage/tables.ts";
import type { DnsRecordRow } from "../../storage/schema/dns.ts";
import { isShown, shownRecords } from "../../storage/shown-records.ts";
import type { RecordFilter, TagCondition, TextCondition } from "./filter.ts";

const orderings = {
  type: orderedBy("type"),
  name: orderedBy("name"),
  content: orderedBy("content_prefix"),
  ttl: orderedBy("ttl"),
  proxied: orderedBy("proxied"),
};
type RecordOrdering = keyof typeof orderings;
type Direction = PageRequest["direction"];

interface Window {
  readonly zoneId: string;
  readonly limit: number;
  readonly offset: number;
}

function orderedBy<Column extends keyof DnsRecordRow>(column: Column) {
  // SQLite would plan a statement anew for each number of a limit or an offset, unless it cannot see it.
  const window = (direction: Direction): string => `
    select record from dns_records where zone_id = :zoneId and ${shownRecords} order by ${column} ${direction}, id ${direction}
    limit cast(:limit as integer) offset cast(:offset as integer)`;
  const all = (direction: Direction) => ({
    rows: statement<Window, Pick<DnsRecordRow, "record">>(window(direction)),
    // One text costs both sides less than a row for each record.
    joined: statement<Window, JoinedRecords>(
      `select count(*) as length, string_agg(record, ',') as text from (${window(direction)}) page`,
    ),
  });
  return { column, asc: all("asc"), desc: all("desc") };
}

interface JoinedRecords {
  readonly length: number | string;
  /** Null for none. */
  readonly text: string | null;
}

/**
 * One page of the records of a zone, as the API answers them; of those that match, where there is a filter.
 * `totalCount` are the records in all pages: a page in their second half is read from the end, so that the
 * last one costs what the first one does.
 */
export async function selectPage(
  db: Db,
  zoneId: string,
  filter: RecordFilter | undefined,
  { order, direction, page, perPage }: PageRequest<RecordOrdering>,
  totalCount: number,
): Promise<JsonItems> {
  const select = (
    from: Direction,
    limit: number,
    offset: number,
  ): Promise<Pick<DnsRecordRow, "record">[]> => {
    const window = { zoneId, limit, offset };
    if (filter !== undefined) return selectMatching(db, filter, order, from, window);
    return orderings[order][from].rows(db, window);
  };
  const before = (page - 1) * perPage;
  if (before > totalCount / 2) {
    const limit = Math.min(perPage, totalCount - before);
    if (limit <= 0) return new JsonItems("", 0);
    const opposite = direction === "asc" ? "desc" : "asc";
    return joined((await select(opposite, limit, totalCount - before - limit)).toReversed());
  }
  if (filter !== undefined) return joined(await select(direction, perPage, before));
  const [row] = await orderings[order][direction].joined(db, { zoneId, limit: perPage, offset: before });
  return new JsonItems(row?.text ?? "", Number(row?.length));
}

function joined(rows: readonly Pick<DnsRecordRow, "record">[]): JsonItems {
  return new JsonItems(rows.map(({ record }) => record).join(","), rows.length);
}

function selectMatching(
  db: Db,
  filter: RecordFilter,
  order: RecordOrdering,
  direction: Direction,
  { zoneId, limit, offset }: Window,
): Promise<Pick<DnsRecordRow, "record">[]> {
  return db
    .selectFrom("dns_records")
    .select("record")
    .where("zone_id", "=", zoneId)
    .where(isShown("dns_records", zoneId))
    .where((expression) => matches(expression, filter))
    .orderBy(orderings[order].column, direction)
    .orderBy("id", direction)
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countMatching(db: Db, zoneId: string, filter: RecordFilter): Promise<number> {
  return countRows(
    db
      .selectFrom("dns_records")
      .where("zone_id", "=", zoneId)
      .where(isShown("dns_records", zoneId))
      .where((expression) => matches(expression, filter)),
  );
}

/**
 * Few enough that PostgreSQL walks along the index although it knows nothing yet of a table that was just
 * filled.
 */
const streamedAtOnce = 200;

/** A record in the order in which a zone is streamed. */
export interface StreamPosition {
  readonly type: string;
  readonly id: string;
}

/** Ahead of all records. */
export const recordsFromStart: StreamPosition = { type: "", id: "" };

interface StreamPortion {
  readonly records: readonly string[];
  /** The position of its last record; undefined where there are no more. */
  readonly end: StreamPosition | undefined;
}

/**
 * The records of a zone by type after a position, read in portions: memory does not grow with their number.
 */
export async function* streamRecords(
  db: Db,
  zoneId: string,
  after: StreamPosition,
): AsyncGenerator<StreamPortion, void, undefined> {
  for (let last: StreamPosition | undefined = after; last !== undefined;) {
    const { type, id }: StreamPosition = last;
    const rows = await db
      .selectFrom("dns_records")
      .select(["id", "type", "record"])
      .where("zone_id", "=", zoneId)
      .where(isShown("dns_records", zoneId))
      .where(sql<SqlBool>`(type, id) > (${type}, ${id})`)
      .orderBy("type")
      .orderBy("id")
      .limit(streamedAtOnce)
      .execute();
    last = rows.length < streamedAtOnce ? undefined : rows.at(-1);
    yield { records: rows.map((row) => row.record), end: last && { type: last.type, id: last.id } };
  }
}

type Expressions = ExpressionBuilder<Tables, "dns_records">;

function matches(expression: Expressions, filter: RecordFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = filter.texts.map((text) => matchesColumn(expression, text));
  if (filter.types) conditions.push(expression("type", "in", filter.types));
  if (filter.proxied !== undefined) conditions.push(expression("proxied", "=", toFlag(filter.proxied)));
  for (const state of filter.comment) {
    conditions.push(expression("comment_folded", state === "present" ? "is not" : "is", null));
  }
  const tags = filter.tags.map((tag) => matchesTag(expression, tag));
  if (tags.length > 0)
    conditions.push(filter.tagMatch === "any" ? expression.or(tags) : expression.and(tags));

  const demanded: Expression<SqlBool>[] = [];
  if (conditions.length > 0) {
    demanded.push(filter.match === "any" ? expression.or(conditions) : expression.and(conditions));
  }
  if (filter.search !== undefined) demanded.push(found(expression, filter.search));
  return expression.and(demanded);
}

const columnOf = { name: "name", content: "content_folded", comment: "comment_folded" } as const;

function matchesColumn(
  { ref, or }: Expressions,
  { column, match, values }: TextCondition,
): Expression<SqlBool> {
  return or(values.map((value) => matchesText(ref(columnOf[column]), match, value)));
}

function matchesTag(expression: Expressions, { match, name, value }: TagCondition): Expression<SqlBool> {
  let tags = tagsOfRecord(expression).where("tag_name", "=", name);
  if (match !== "present" && match !== "absent") {
    tags = tags.where(({ ref }) => matchesText(ref("tag_value"), match, value));
  }
  const exists = expression.exists(tags);
  return match === "absent" ? expression.not(exists) : exists;
}

function found(expression: Expressions, text: string): Expression<SqlBool> {
  const contains = (column: Expression<string | null>): Expression<SqlBool> =>
    matchesText(column, "contains", text);
  const { ref } = expression;
  return expression.or([
    contains(ref("name")),
    contains(ref("content_folded")),
    contains(ref("comment_folded")),
    expression.exists(
      tagsOfRecord(expression).where(({ ref: column }) =>
        contains(sql<string>`${column("tag_name")} || ':' || ${column("tag_value")}`),
      ),
    ),
  ]);
}

function tagsOfRecord(expression: Expressions) {
  return expression
    .selectFrom("dns_record_tags")
    .select("dns_record_tags.record_id")
    .whereRef("dns_record_tags.record_id", "=", "dns_records.id");
}
