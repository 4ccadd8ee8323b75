import { isUniqueViolation } from "./errors.ts";
import { tables, type Db, type Tables } from "./tables.ts";

type TableOfZones = {
  [Name in keyof Tables]: Tables[Name] extends { zone_id: string } ? Name : never;
}[keyof Tables];

/** The tables whose rows have an `id`. */
type TableOfIds = {
  [Name in keyof Tables]: Tables[Name] extends { id: string } ? Name : never;
}[keyof Tables];

/** Inserts a row. Rejects with the error of `taken` where it violates a unique index. */
export async function insertRow<Name extends keyof Tables>(
  db: Db,
  table: Name,
  row: Tables[Name],
  taken?: () => Error,
): Promise<void> {
  const insertion = db
    .insertInto(table)
    .values(row as never)
    .execute();
  await insertion.catch((error: unknown) => refuse(error, taken));
}

/** Inserts no more rows than one statement takes; none is no statement. */
export async function insertRows<Name extends keyof Tables>(
  db: Db,
  table: Name,
  rows: readonly Tables[Name][],
): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto(table)
      .values(rows as never)
      .execute();
}

/** Inserts a row, or replaces the one with the same primary key. */
export async function putRow<Name extends keyof Tables>(
  db: Db,
  table: Name,
  row: Tables[Name],
): Promise<void> {
  const { key } = tables[table];
  const change = Object.fromEntries(Object.entries(row).filter(([column]) => !key.includes(column)));
  await db
    .insertInto(table)
    .values(row as never)
    .onConflict((conflict) => conflict.columns(key as never).doUpdateSet(change as never))
    .execute();
}

/** Updates the row with this id. Rejects as `insertRow`. */
export async function updateRow<Name extends TableOfIds>(
  db: Db,
  table: Name,
  id: string,
  change: Partial<Tables[Name]>,
  taken?: () => Error,
): Promise<void> {
  const update = db
    .updateTable(table as "zones")
    .set(change as Partial<Tables["zones"]>)
    .where("id", "=", id)
    .execute();
  await update.catch((error: unknown) => refuse(error, taken));
}

export async function updateRows<Name extends keyof Tables>(
  db: Db,
  table: Name,
  columns: Partial<Tables[Name]>,
  change: Partial<Tables[Name]>,
): Promise<void> {
  await db
    .updateTable(table as "zones")
    .set(change as Partial<Tables["zones"]>)
    .where(({ and }) => and(columns as never))
    .execute();
}

function refuse(error: unknown, taken: (() => Error) | undefined): never {
  throw taken !== undefined && isUniqueViolation(error) ? taken() : error;
}

export async function deleteRow(db: Db, table: TableOfIds, id: string): Promise<void> {
  await db.deleteFrom(table).where("id", "=", id).execute();
}

export async function deleteRows<Name extends keyof Tables>(
  db: Db,
  table: Name,
  columns: Partial<Tables[Name]>,
): Promise<void> {
  await db
    .deleteFrom(table as "zones")
    .where(({ and }) => and(columns as never))
    .execute();
}

/** The rows whose columns have these values, in the order of others, ascending. */
export async function selectRows<Name extends keyof Tables>(
  db: Db,
  table: Name,
  columns: Partial<Tables[Name]>,
  orderBy: readonly (keyof Tables[Name] & string)[] = [],
): Promise<Tables[Name][]> {
  let query = db
    .selectFrom(table as "zones")
    .selectAll()
    .where(({ and }) => and(columns as never));
  for (const column of orderBy) query = query.orderBy(column as "id");
  return (await query.execute()) as unknown as Tables[Name][];
}

/**
 * The rows of zones, in the order of columns, ascending; the result finds those of one of them. No more zones than a
 * statement takes.
 */
export async function selectRowsOfZones<Name extends TableOfZones>(
  db: Db,
  table: Name,
  zoneIds: readonly string[],
  orderBy: readonly (keyof Tables[Name] & string)[] = [],
): Promise<(zoneId: string) => readonly Tables[Name][]> {
  let query = db
    .selectFrom(table as "page_rules")
    .selectAll()
    .where("zone_id", "in", zoneIds);
  for (const column of orderBy) query = query.orderBy(column as "id");
  return byZone((await query.execute()) as unknown as (Tables[Name] & { zone_id: string })[]);
}

export function byZone<Row extends { readonly zone_id: string | null }>(
  rows: readonly Row[],
): (zoneId: string) => readonly Row[] {
  const found = Map.groupBy(rows, ({ zone_id }) => zone_id);
  return (zoneId) => found.get(zoneId) ?? [];
}

export async function selectRow<Name extends keyof Tables>(
  db: Db,
  table: Name,
  columns: Partial<Tables[Name]>,
): Promise<Tables[Name] | undefined> {
  const row = await db
    .selectFrom(table as "zones")
    .selectAll()
    .where(({ and }) => and(columns as never))
    .executeTakeFirst();
  return row as Tables[Name] | undefined;
}

/** Does the same as `selectRow`; throws the error of `missing` if there is none. */
export async function findRow<Name extends keyof Tables>(
  db: Db,
  table: Name,
  columns: Partial<Tables[Name]>,
  missing: () => Error,
): Promise<Tables[Name]> {
  const row = await selectRow(db, table, columns);
  if (row === undefined) throw missing();
  return row;
}
