import { invalidIdentifier } from "../core/error.ts";
import type { Db } from "../storage/tables.ts";
import type { ZoneRow } from "../storage/schema/zones.ts";
import { selectAccountForChange, selectUserForChange, selectZone, selectZoneForChange } from "./store.ts";

/** Errors: 404 code 1001. */
export async function findZone(db: Db, id: string): Promise<ZoneRow> {
  return (await selectZone(db, id)) ?? unknown("zone");
}

/** As `findZone`; locks the zone and what is in it until the transaction ends. */
export async function lockZone(tx: Db, id: string): Promise<ZoneRow> {
  return (await selectZoneForChange(tx, id)) ?? unknown("zone");
}

/** Locks the account and its memberships until the transaction ends. Errors: 404 code 1001. */
export async function lockAccount(tx: Db, id: string): Promise<void> {
  if ((await selectAccountForChange(tx, id)) === undefined) unknown("account");
}

/** Locks the user and what belongs to it until the transaction ends. Errors: 404 code 1001. */
export async function lockUser(tx: Db, id: string): Promise<void> {
  if ((await selectUserForChange(tx, id)) === undefined) unknown("user");
}

function unknown(noun: string): never {
  throw invalidIdentifier(noun);
}
