import { tableKeys, type CopiedTable } from "./table-keys.ts";
import type { Row } from "./table-rows.ts";

/** A column of secrets that are stored encrypted. */
interface SealedColumn {
  readonly table: CopiedTable;
  readonly column: string;
}

/** All of them. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "pack_certificates", column: "private_key" },
  { table: "certificate_authorities", column: "private_key" },
  { table: "custom_certificates", column: "private_key" },
  { table: "acme_accounts", column: "private_key" },
  { table: "kept_api_keys", column: "api_key" },
];

/** Where a secret is stored, as the secret box has to be told: `acme_accounts.private_key <key of the row>`. */
export function placeOfSealed({ table, column }: SealedColumn, row: Row): string {
  return `${table}.${column} ${tableKeys[table].map((key) => row[key]).join(" ")}`;
}
