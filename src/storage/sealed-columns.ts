import { sql } from "kysely";

import type { Sealed } from "./schema/table.ts";
import { countRows, rowsOf, type Row } from "./table-rows.ts";
import { tableNames, tables, type Db, type TableName, type Tables } from "./tables.ts";

/** `table.column` of every encrypted column. */
export type SealedColumn = {
  [Table in TableName]: {
    [Column in keyof Tables[Table] & string]: [Extract<Tables[Table][Column], Sealed>] extends [never]
      ? never
      : `${Table}.${Column}`;
  }[keyof Tables[Table] & string];
}[TableName];

const sealedColumns = tableNames.flatMap((table) =>
  Object.entries(tables[table].columns).flatMap(([column, { isSealed }]) =>
    isSealed ? [{ table, column }] : [],
  ),
);

/** The place of a secret, which the secret box authenticates. `key` is the primary key of its row. */
export const sealedPlace = (column: SealedColumn, key: string): string => `${column} ${key}`;

interface StoredSecret {
  readonly table: TableName;
  readonly column: string;
  readonly row: Row;
  readonly sealed: Sealed;
  readonly place: string;
}

export async function* storedSecrets(db: Db): AsyncGenerator<readonly StoredSecret[]> {
  for (const { table, column } of sealedColumns) {
    for await (const rows of rowsOf(db, table)) {
      yield rows.flatMap((row) => {
        const sealed = row[column];
        if (typeof sealed !== "string") return [];
        const key = tables[table].key.map((part) => row[part]).join(" ");
        const place = sealedPlace(`${table}.${column}` as SealedColumn, key);
        return [{ table, column, row, sealed: sealed as Sealed, place }];
      });
    }
  }
}

interface ResealProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * Replaces every secret by the result of `reseal`; undefined leaves it. Answers the number of replaced secrets. The
 * store may be in use.
 */
export async function resealSecrets(
  tx: Db,
  reseal: (sealed: Sealed, place: string) => Sealed | undefined,
  tell: (progress: ResealProgress) => void,
): Promise<number> {
  let [done, total, replaced] = [0, 0, 0];
  for (const { table } of sealedColumns) total += await countRows(tx, table);
  for await (const secrets of storedSecrets(tx)) {
    const changes = secrets.flatMap((secret) => {
      const resealed = reseal(secret.sealed, secret.place);
      return resealed === undefined ? [] : [{ ...secret, resealed }];
    });
    await replaceSecrets(tx, changes);
    replaced += changes.length;
    tell({ done: (done += secrets.length), total });
  }
  return replaced;
}

/** Leaves a secret that another process has replaced meanwhile. */
async function replaceSecrets(
  tx: Db,
  changes: readonly (StoredSecret & { readonly resealed: Sealed })[],
): Promise<void> {
  for (const { table, column, row, sealed, resealed } of changes) {
    const keys = tables[table].key.map((key) => sql`${sql.ref(key)} = ${row[key]}`);
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${resealed}
      where ${sql.join(keys, sql` and `)} and ${sql.ref(column)} = ${sealed}`.execute(tx);
  }
}
