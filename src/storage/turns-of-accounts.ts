import { sql } from "kysely";

/**
 * Sorts rows of zones so that their accounts take turns: the first of each account, then the second ones, each in
 * the order of a column, where null goes first. For work that is done some rows at a time: an account with many
 * keeps no other waiting.
 */
export function turnOfAccount(zoneId: string, order: string) {
  return sql<number>`row_number() over (
    partition by (select owning.account_id from zones as owning where owning.id = ${sql.ref(zoneId)})
    order by ${sql.ref(order)} asc nulls first
  )`;
}
