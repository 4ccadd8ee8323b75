import type { Timestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";

/** Whether another account holds the name, or one of `parents` with its subdomains. */
export async function isHeldByOtherAccount(
  db: Db,
  name: string,
  parents: readonly string[],
  accountId: string,
  now: Timestamp,
): Promise<boolean> {
  const held = await db
    .selectFrom("zone_holds")
    .innerJoin("zones", "zones.id", "zone_holds.zone_id")
    .select("zones.id")
    .where("zones.name", "in", [name, ...parents])
    .where("zones.account_id", "!=", accountId)
    .where("zone_holds.hold_after", "<=", now)
    .where(({ eb, or }) => or([eb("zones.name", "=", name), eb("zone_holds.include_subdomains", "=", 1)]))
    .executeTakeFirst();
  return held !== undefined;
}
