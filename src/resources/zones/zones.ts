import type { Caller } from "../../core/caller.ts";
import { parseZoneName, toAsciiName } from "../../core/dns/name.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type { Grants } from "../../core/policy/grants.ts";
import { visibleZones } from "../../core/policy/visibility.ts";
import { toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import { isUniqueViolation } from "../../storage/errors.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import { findAccount } from "../accounts/accounts.ts";
import { recordChanges, type Change } from "../audit-logs/audit-logs.ts";
import type { Context } from "../context.ts";
import type { DelegationLookup } from "./delegation.ts";
import { parseNameFilter, parseZoneNameFilter } from "./name-filter.ts";
import { changePlan } from "./plan-change.ts";
import { findPlan, type PlanName } from "./plans.ts";
import {
  ZoneType,
  type CreateZoneBody,
  type EditZoneBody,
  type ListZonesQuery,
  type Zone,
} from "./schema.ts";
import {
  deleteZoneRow,
  existsVisibleZone,
  insertZone,
  selectAccountOfZone,
  selectAccountsOfZones,
  selectPlansOfAccounts,
  selectZone,
  selectZoneByName,
  selectZoneForChange,
  selectZoneOfNames,
  selectZoneWithAccount,
  selectZones,
  selectZonesToMigrate,
  type ZonesToMigrate,
  updateRecordState,
  updateZone,
  type ZoneOrdering,
  type ZoneWithAccount,
} from "./store.ts";
import { expectedNameServers, zoneView, type ZoneSettings } from "./zone.ts";

export { developmentModeSeconds, setDevelopmentMode } from "./development-mode.ts";
export { changePlan } from "./plan-change.ts";
export { requirePreviousWaf, setWafVersion } from "./previous-waf.ts";
export { countZonesToMigrate, type ZonesToMigrate } from "./store.ts";
export { findPlan, planNames, planOfZone, plans, type PlanName } from "./plans.ts";

export interface ZoneContext extends Context {
  readonly settings: ZoneSettings & {
    readonly defaultPlan: PlanName;
    readonly activation: "immediate" | "check-ns";
    /** Decision 6. */
    readonly newZoneWaf: "previous" | "new";
  };
  readonly delegation: DelegationLookup;
  /** Throws where no zone of that name may be made in that account. */
  readonly refuseHeldName: (tx: Db, name: string, accountId: string) => Promise<void>;
  /** Gives a zone what comes with its activation; part of the transaction that makes it active. */
  readonly zoneActivated: (tx: Db, zone: ZoneRow) => Promise<void>;
  /** Called once such a transaction is durable. */
  readonly afterActivation: () => void;
}

/** Errors: 400 code 1003 for a type that does not exist. */
export async function listZones(
  { db, now, settings }: ZoneContext,
  caller: Caller,
  query: ListZonesQuery,
  page: PageRequest<ZoneOrdering>,
): Promise<Page<Zone>> {
  const filter = {
    name: query.name ? parseZoneNameFilter(query.name) : undefined,
    status: query.status,
    types: query.type ? parseTypes(query.type) : undefined,
    accountId: query["account.id"] || undefined,
    accountName: query["account.name"] ? parseNameFilter(query["account.name"]) : undefined,
    match: query.match ?? "all",
  };
  const { items, totalCount } = await selectZones(db.read, visibleZones(caller.grants), filter, page);
  const show = zoneView(caller, settings, now());
  return { items: items.map(show), totalCount };
}

/** Errors: 404 code 1001. */
export async function getZone({ db, now, settings }: ZoneContext, caller: Caller, id: string): Promise<Zone> {
  return zoneView(caller, settings, now())(existing(await selectZoneWithAccount(db.read, id)));
}

/** The account that a new zone is for: the one that is given, else the caller's first (decision 3). */
export function accountOfNewZone(caller: Caller, body: CreateZoneBody): string | undefined {
  return body.account?.id || body.organization?.id || caller.accountIds[0];
}

/** Errors: as `addZone`, and 404 code 1001 for an account that does not exist. */
export async function createZone(context: ZoneContext, caller: Caller, body: CreateZoneBody): Promise<Zone> {
  const { db, now, settings } = context;
  const accountId = accountOfNewZone(caller, body) ?? "";
  const show = zoneView(caller, settings, now());
  return db.transaction(async (tx) => {
    const account = await findAccount(tx, accountId);
    const row = await addZone(context, tx, { name: body.name, type: body.type ?? "full", accountId });
    const zone = show({ ...row, account_name: account.name });
    await recordChanges(context, tx, caller, [{ action: "zone_add", ...zoneOf(row), after: zone }]);
    return zone;
  });
}

interface NewZone {
  readonly name: string;
  readonly type: ZoneRow["type"];
  readonly accountId: string;
  readonly plan?: PlanName;
  readonly status?: ZoneRow["status"];
  /** On the Free plan it is always `new` (decision 6). */
  readonly waf?: ZoneRow["waf"];
}

/**
 * Makes a zone; part of the caller's transaction.
 * Errors: 400 code 1049 for a name that is no domain, 400 code 1061 for one that exists already, 400 code 1120
 * for one that another account holds.
 */
export async function addZone(context: ZoneContext, tx: Db, zone: NewZone): Promise<ZoneRow> {
  const { now, newId, settings } = context;
  const name = parseZoneName(zone.name);
  if (name === undefined) {
    throw new AppError("invalid", 1049, `${zone.name} is not a registered domain`, { pointer: "/name" });
  }
  await context.refuseHeldName(tx, name, zone.accountId);
  const plan = zone.plan ?? settings.defaultPlan;
  const created_on = toTimestamp(now());
  const status = zone.status ?? (settings.activation === "immediate" ? "pending" : "initializing");
  const row: ZoneRow = {
    id: newId(),
    account_id: zone.accountId,
    name,
    type: zone.type,
    status,
    paused: 0,
    plan,
    vanity_name_servers: toJson([]),
    original_name_servers: null,
    verification_key: zone.type === "partial" ? newVerificationKey(newId) : null,
    dns_record_count: 0,
    dns_records_version: 0,
    development_mode_ends_on: null,
    waf: plan === "free" ? "new" : (zone.waf ?? settings.newZoneWaf),
    waf_changed_on: null,
    created_on,
    modified_on: created_on,
    activated_on: status === "active" ? created_on : null,
    checked_on: null,
  };
  try {
    await insertZone(tx, row);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("invalid", 1061, `${name} already exists`, { pointer: "/name" });
  }
  if (status === "active") await context.zoneActivated(tx, row);
  return row;
}

/**
 * Changes one property of a zone, as the public API does.
 * Errors: 400 code 1085 for more than one property, 1088 for an unknown plan, 404 code 1001.
 */
export async function editZone(
  context: ZoneContext,
  caller: Caller,
  id: string,
  body: EditZoneBody,
): Promise<Zone> {
  const { db, now, settings } = context;
  const show = zoneView(caller, settings, now());
  return db.transaction(async (tx) => {
    await holdZone(tx, id);
    const row = existing(await selectZoneWithAccount(tx, id));
    const changed = await applyChange(context, tx, row, body);
    if (changed === row) return show(row);
    const [before, after] = [show(row), show(changed)];
    await recordChanges(context, tx, caller, [{ action: "zone_edit", ...zoneOf(row), before, after }]);
    return after;
  });
}

async function applyChange(
  context: ZoneContext,
  tx: Db,
  row: ZoneWithAccount,
  body: EditZoneBody,
): Promise<ZoneWithAccount> {
  const { plan, ...change } = toChange(row, body, context.newId);
  if (plan !== undefined) return changePlan(context, tx, row, plan);
  if (Object.keys(change).length === 0) return row;
  const modified: Partial<ZoneRow> = { ...change, modified_on: toTimestamp(context.now()) };
  await updateZone(tx, row.id, modified);
  return { ...row, ...modified };
}

/** Deletes a zone and everything in it. Errors: 404 code 1001. */
export async function deleteZone(context: ZoneContext, caller: Caller, id: string): Promise<{ id: string }> {
  const show = zoneView(caller, context.settings, context.now());
  return context.db.transaction(async (tx) => {
    const row = existing(await selectZoneWithAccount(tx, id));
    await deleteZoneRow(tx, id);
    await recordChanges(context, tx, caller, [
      {
        action: "zone_delete",
        ...zoneOf(row),
        before: show(row),
        metadata: { dns_records: row.dns_record_count },
      },
    ]);
    return { id };
  });
}

/** Errors: 404 code 1001. */
export async function findZone(db: Db, id: string): Promise<ZoneRow> {
  return existing(await selectZone(db, id));
}

/** The zone of a name, or of an id. Errors: 404 code 1001. */
export async function findZoneCalled(db: Db, nameOrId: string): Promise<ZoneRow> {
  return existing(
    (await selectZone(db, nameOrId)) ?? (await selectZoneByName(db, parseZoneName(nameOrId) ?? "")),
  );
}

/**
 * As `findZone`, and holds the zone against every other change of what is in it until the
 * transaction ends.
 */
export async function holdZone(tx: Db, id: string): Promise<ZoneRow> {
  return existing(await selectZoneForChange(tx, id));
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

/** The next zones that a migration of many comes to, in the order of their ids. */
export async function listZonesToMigrate(
  db: Db,
  wanted: ZonesToMigrate,
  afterId: string,
  limit: number,
): Promise<ZoneRow[]> {
  return selectZonesToMigrate(db, wanted, afterId, limit);
}

/** The account of a zone; undefined for a zone that does not exist. */
export async function findAccountOfZone(db: Db, id: string): Promise<string | undefined> {
  return selectAccountOfZone(db, id);
}

/** Whether the account has a zone that whoever has the grants sees. */
export async function hasVisibleZone(db: Db, grants: Grants, accountId: string): Promise<boolean> {
  return existsVisibleZone(db, visibleZones(grants), accountId);
}

/** The accounts of those of the zones that exist. */
export async function findAccountsOfZones(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return selectAccountsOfZones(db, ids);
}

/**
 * Says that records of a zone have changed, by how many `countChange`, which may be negative. Part of the
 * transaction that holds the zone.
 */
export async function dnsRecordsChanged(tx: Db, zone: ZoneRow, countChange: number): Promise<void> {
  await updateRecordState(tx, {
    id: zone.id,
    count: zone.dns_record_count + countChange,
    version: zone.dns_records_version + 1,
  });
}

/** The name servers that the zone's domain has to be delegated to. */
export function nameServersOfZone(zone: ZoneRow, settings: ZoneSettings): readonly string[] {
  return expectedNameServers(zone, settings);
}

export async function listPlansOfAccounts(
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlySet<PlanName>> {
  return new Set(await selectPlansOfAccounts(db, accountIds));
}

function existing<Row extends ZoneRow>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError("not-found", 1001, "Invalid zone identifier");
  return row;
}

/** Whose the log entry is, and what it is about. */
function zoneOf(zone: ZoneRow): Pick<Change, "owner" | "resource"> {
  return { owner: { zone }, resource: { type: "zone", id: zone.id } };
}

function parseTypes(list: string): string[] {
  const known = ZoneType.anyOf.map((literal): string => literal.const);
  const types = list.split(",").map((type) => type.trim());
  if (types.every((type) => known.includes(type))) return types;
  throw new AppError("invalid", 1003, `Invalid query parameter \`type\`: must be of: ${known.join(", ")}`, {
    pointer: "/type",
  });
}

function toChange(row: ZoneRow, body: EditZoneBody, newId: () => string): Partial<ZoneRow> {
  const given = (["paused", "type", "vanity_name_servers", "plan"] as const).filter(
    (key) => body[key] != null,
  );
  if (given.length > 1) {
    throw new AppError("invalid", 1085, "Only one zone property can be changed at a time", {
      pointer: `/${given[1]}`,
    });
  }
  if (body.paused != null) return { paused: toFlag(body.paused) };
  if (body.type != null) {
    if (body.type === row.type) return {};
    return { type: body.type, verification_key: body.type === "partial" ? newVerificationKey(newId) : null };
  }
  if (body.vanity_name_servers != null) {
    return { vanity_name_servers: toJson(body.vanity_name_servers.map(parseNameServer)) };
  }
  if (body.plan != null) {
    const plan = findPlan(body.plan.id);
    if (plan === undefined) {
      throw new AppError("invalid", 1088, "Invalid body `plan/id`: there is no such plan", {
        pointer: "/plan/id",
      });
    }
    return { plan };
  }
  return {};
}

function parseNameServer(name: string, index: number): string {
  const ascii = toAsciiName(name);
  if (ascii === undefined || !ascii.includes(".")) {
    throw new AppError(
      "invalid",
      1003,
      `Invalid body \`vanity_name_servers/${index}\`: must be a host name`,
      {
        pointer: `/vanity_name_servers/${index}`,
      },
    );
  }
  return ascii;
}

/** Two numbers as the public service gives them: a value to publish, with no meaning of its own. */
function newVerificationKey(newId: () => string): string {
  const digits = BigInt(`0x${newId()}`).toString().padStart(18, "0");
  return `${digits.slice(0, 9)}-${digits.slice(9, 18)}`;
}
