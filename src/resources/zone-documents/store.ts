import { isAmong, type ChangedZones } from "../../storage/changes.ts";
import type { Db } from "../../storage/tables.ts";

/** The versions of active zones, if they are among these; of all of them without. */
export async function selectZoneVersions(db: Db, among: ChangedZones | undefined) {
  return db
    .selectFrom("zones")
    .innerJoin("accounts", "accounts.id", "zones.account_id")
    .select(["zones.id", "zones.name", "zones.type", "zones.account_id", "zones.dns_records_version"])
    .select(["facts_version", "settings_version", "zones.rules_version", "certificates_version"])
    .select("accounts.rules_version as account_rules_version")
    .where("zones.status", "=", "active")
    .where("zones.type", "<>", "internal")
    .where(isAmong(among))
    .execute();
}
