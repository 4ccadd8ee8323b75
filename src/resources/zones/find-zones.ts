import { parseZoneName } from "../../core/dns/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidIdentifier } from "../../core/error.ts";
import type { Grants } from "../../core/policy/grants.ts";
import { visibleZones } from "../../core/policy/visibility.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import { selectZone } from "../../operation/store.ts";
import type { PlanName } from "./plans.ts";
import {
  existsVisibleZone,
  selectAccountsOfZones,
  selectPlansOfAccounts,
  selectZoneByName,
  selectZoneOfNames,
  selectZoneWithAccount,
  type ZoneWithAccount,
} from "./store.ts";

/** A zone as the API shows it needs the name of its account. Errors: 404 code 1001. */
export async function findZoneWithAccount(db: Db, id: string): Promise<ZoneWithAccount> {
  return existing(await selectZoneWithAccount(db, id));
}

/** The zone of a name, or of an id. Errors: 404 code 1001 that says which it is. */
export async function findZoneCalled(db: Db, nameOrId: string): Promise<ZoneRow> {
  const row = (await selectZone(db, nameOrId)) ?? (await selectZoneByName(db, parseZoneName(nameOrId) ?? ""));
  if (row === undefined)
    throw new AppError("not-found", errorCodes.zones.unknown, `There is no zone \`${nameOrId}\``);
  return row;
}

/** The zone of an account to which a host belongs: the one of its name, or the next above it. */
export async function findZoneOfHost(db: Db, accountId: string, host: string): Promise<ZoneRow | undefined> {
  const labels = host.split(".");
  return selectZoneOfNames(
    db,
    accountId,
    labels.map((_, index) => labels.slice(index).join(".")),
  );
}

/** Whether the account has a zone that whoever has the grants sees. */
export async function hasVisibleZone(db: Db, grants: Grants, accountId: string): Promise<boolean> {
  return existsVisibleZone(db, visibleZones(grants), accountId);
}

/** The accounts of the zones that exist, by the zone's id. */
export async function findAccountsOfZones(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await selectAccountsOfZones(db, [...new Set(ids)]);
  return new Map(rows.map(({ id, account_id }) => [id, account_id]));
}

/** The plans that the zones of the accounts have. */
export async function findPlansOfAccounts(
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlySet<PlanName>> {
  const rows = await selectPlansOfAccounts(db, accountIds);
  return new Set(rows.map(({ plan }) => plan));
}

function existing<Row extends ZoneRow>(row: Row | undefined): Row {
  if (row === undefined) throw invalidIdentifier("zone");
  return row;
}
