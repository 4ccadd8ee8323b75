import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";

interface HeldName {
  readonly accountId: string;
  readonly name: string;
  readonly parents: readonly string[];
  readonly now: Timestamp;
}

/** Whether an active zone of the account holds the name, or one of `parents` with its subdomains. */
export async function isHeldBy(db: Db, { accountId, name, parents, now }: HeldName): Promise<boolean> {
  const held = await db
    .selectFrom("zone_holds")
    .innerJoin("zones", "zones.id", "zone_holds.zone_id")
    .select("zones.id")
    .where("zones.name", "in", [name, ...parents])
    .where("zones.account_id", "=", accountId)
    .where("zones.status", "=", "active")
    .where("zone_holds.hold_after", "<=", now)
    .where(({ eb, or }) => or([eb("zones.name", "=", name), eb("zone_holds.include_subdomains", "=", 1)]))
    .executeTakeFirst();
  return held !== undefined;
}
