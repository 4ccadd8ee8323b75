import { sql } from "kysely";

import type { Sealed } from "./columns.ts";
import { tableKeys, type CopiedTable } from "./table-keys.ts";
import { countRows, rowsOf, type Row } from "./table-rows.ts";
import type { Db, Tables } from "./tables.ts";

/** `table.column` of every encrypted column. */
export type SealedColumn = {
  [Table in CopiedTable]: {
    [Column in keyof Tables[Table] & string]: [Extract<Tables[Table][Column], Sealed>] extends [never]
      ? never
      : `${Table}.${Column}`;
  }[keyof Tables[Table] & string];
}[CopiedTable];

/** The compiler checks that none is missing. */
const sealedColumns: { readonly [Name in SealedColumn]: CopiedTable } = {
  "pack_certificates.private_key": "pack_certificates",
  "certificate_authorities.private_key": "certificate_authorities",
  "custom_certificates.private_key": "custom_certificates",
  "acme_accounts.private_key": "acme_accounts",
  "transfer_keys.secret": "transfer_keys",
  "zone_dnssec.key_signing_key": "zone_dnssec",
  "zone_dnssec.zone_signing_key": "zone_dnssec",
  "kept_api_keys.api_key": "kept_api_keys",
  "totp_secrets.secret": "totp_secrets",
};

/** Where a secret is stored, as the secret box authenticates it. `key` is the primary key of its row. */
export const sealedPlace = (column: SealedColumn, key: string): string => `${column} ${key}`;

interface StoredSecret {
  readonly table: CopiedTable;
  readonly column: string;
  readonly row: Row;
  readonly sealed: Sealed;
  readonly place: string;
}

/** All secrets of a store, in batches. */
export async function* storedSecrets(db: Db): AsyncGenerator<readonly StoredSecret[]> {
  for (const [name, table] of Object.entries(sealedColumns)) {
    const column = name.slice(table.length + 1);
    for await (const rows of rowsOf(db, table)) {
      yield rows.flatMap((row) => {
        const sealed = row[column];
        if (typeof sealed !== "string") return [];
        const key = tableKeys[table].map((part) => row[part]).join(" ");
        const place = sealedPlace(name as SealedColumn, key);
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
  for (const table of Object.values(sealedColumns)) total += await countRows(tx, table);
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
    const keys = tableKeys[table].map((key) => sql`${sql.ref(key)} = ${row[key]}`);
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${resealed}
      where ${sql.join(keys, sql` and `)} and ${sql.ref(column)} = ${sealed}`.execute(tx);
  }
}
