import { sql, type RawBuilder, type SqlBool } from "kysely";

export type RecordTable = "dns_records" | "wire_records";

const generation = "(select records_generation from zones where zones.id = :zoneId)";
const hidesNone = "(select hides_records from zones where zones.id = :zoneId) = 0";

/**
 * The condition, in a statement with the parameter `zoneId`, that a row of `dns_records` is shown: not one of a
 * transfer that is being stored, nor one that a transfer has replaced. It looks at a row only where its zone hides
 * any, so that lists skip rows by their index alone.
 */
export const shownRecords = conditionOf("dns_records");

/** The same in a query. */
export function isShown(table: RecordTable, zoneId: string): RawBuilder<SqlBool> {
  const [first = "", ...others] = conditionOf(table).split(":zoneId");
  return others.reduce<RawBuilder<SqlBool>>(
    (before, text) => sql`${before}${zoneId}${sql.raw(text)}`,
    sql.raw(first),
  );
}

/** The same in a query that joins `zones`, for records of any of them. */
export function isShownOfZones(table: RecordTable): RawBuilder<SqlBool> {
  return sql.raw(
    `(zones.hides_records = 0 or (${table}.shown_from <= zones.records_generation and ` +
      `(${table}.shown_until is null or ${table}.shown_until > zones.records_generation)))`,
  );
}

function conditionOf(table: RecordTable): string {
  return (
    `(${hidesNone} or (${table}.shown_from <= ${generation} and ` +
    `(${table}.shown_until is null or ${table}.shown_until > ${generation})))`
  );
}
