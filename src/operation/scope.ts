import { invalidIdentifier } from "../core/error.ts";
import type { Db, ZoneRow } from "../storage/tables.ts";
import { selectAccountForChange, selectUserForChange, selectZone, selectZoneForChange } from "./store.ts";

/** Errors: 404 code 1001. */
export async function findZone(db: Db, id: string): Promise<ZoneRow> {
  return (await selectZone(db, id)) ?? unknown("zone");
}

/** As `findZone`; nobody else changes the zone or what is in it until the transaction ends. */
export async function lockZone(tx: Db, id: string): Promise<ZoneRow> {
  return (await selectZoneForChange(tx, id)) ?? unknown("zone");
}

/** Nobody else changes the account or who belongs to it until the transaction ends. Errors: 404 code 1001. */
export async function lockAccount(tx: Db, id: string): Promise<void> {
  if ((await selectAccountForChange(tx, id)) === undefined) unknown("account");
}

/** Nobody else changes the user or what belongs to it until the transaction ends. Errors: 404 code 1001. */
export async function lockUser(tx: Db, id: string): Promise<void> {
  if ((await selectUserForChange(tx, id)) === undefined) unknown("user");
}

function unknown(noun: string): never {
  throw invalidIdentifier(noun);
}
