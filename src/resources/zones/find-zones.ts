import { parseZoneName } from "../../core/dns/content/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier, notFound } from "../../core/error.ts";
import type { Grants } from "../../core/policy/grants.ts";
import { visibleZones } from "../../core/policy/visibility.ts";
import { selectRows } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { selectZone } from "../../operation/store.ts";
import type { PlanName } from "./plans.ts";
import {
  existsVisibleZone,
  selectAccountsOfZones,
  selectPlansOfAccounts,
  selectZoneOfNames,
  selectZoneWithAccount,
  type ZoneWithAccount,
} from "./store.ts";

/** A zone with the name of its account, as answers need it. Errors: 404 code 1001. */
export async function findZoneWithAccount(db: Db, id: string): Promise<ZoneWithAccount> {
  return existing(await selectZoneWithAccount(db, id));
}

/**
 * A zone by id or name: of several accounts, the active one. Errors: 404 code 1001, also where none of
 * several is active.
 */
export async function findZoneCalled(db: Db, nameOrId: string): Promise<ZoneRow> {
  const row = await selectZone(db, nameOrId);
  if (row !== undefined) return row;
  const named = await selectRows(db, "zones", { name: parseZoneName(nameOrId) ?? "" }, ["id"]);
  const active = named.filter(({ status, type }) => status === "active" && type !== "internal");
  const [only, another] = active.length === 0 ? named : active;
  if (only === undefined) throw notFound(errorCodes.zones.unknown, `There is no zone \`${nameOrId}\``);
  if (another === undefined) return only;
  const ids = named.map(({ id }) => id).join(", ");
  const message = `Several accounts have a zone \`${nameOrId}\`: give the id of one, ${ids}`;
  throw notFound(errorCodes.zones.unknown, message);
}

/** The zone of the account that contains a host: the one with the longest matching name. */
export async function findZoneOfHost(db: Db, accountId: string, host: string): Promise<ZoneRow | undefined> {
  const labels = host.split(".");
  return selectZoneOfNames(
    db,
    accountId,
    labels.map((_, index) => labels.slice(index).join(".")),
  );
}

export async function hasVisibleZone(db: Db, grants: Grants, accountId: string): Promise<boolean> {
  return existsVisibleZone(db, visibleZones(grants), accountId);
}

/** The accounts of existing zones, by zone id. */
export async function findAccountsOfZones(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await selectAccountsOfZones(db, [...new Set(ids)]);
  return new Map(rows.map(({ id, account_id }) => [id, account_id]));
}

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
