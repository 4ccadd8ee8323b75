import { nameServerSetOf } from "../../core/dns/served/dns-settings.ts";
import { parseZoneName } from "../../core/dns/content/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidParameter, invalidRequest } from "../../core/error.ts";
import { insertRow, selectRow, updateRow } from "../../storage/rows.ts";
import { fromJson, toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import { newVersion } from "../../storage/changes.ts";
import type { Db } from "../../storage/tables.ts";
import type { RecordBefore } from "../../storage/schema/dns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Context } from "../../operation/context.ts";
import type { DelegationLookup } from "../../network/dns-resolver.ts";
import {
  parseNameFilter,
  parseZoneNameFilter,
  deleteDnsChanges,
  forgetRecordsBefore,
  insertDnsChange,
  updateRecordState,
  type ZoneFilter,
  type ZoneWithAccount,
} from "./store.ts";
import { changePlan, type PlanName } from "./plans.ts";
import { zoneTypes, type EditZoneBody, type ListZonesQuery } from "./schema.ts";
import { serialAfter, serialOf, toSerial, toUnicodeName, type ZoneSettings } from "./zone.ts";
import { newVerificationKey, toColumns, vanityNameServersColumn } from "./zone-edit.ts";
import { recheckBelow, recheckDependents } from "./name-changes.ts";
import { nextActivationOrder } from "./names-store.ts";
import { isPublicSuffix } from "./public-suffix.ts";

export { developmentModeSeconds, setDevelopmentMode } from "./zone.ts";
export {
  findAccountsOfZones,
  findPlansOfAccounts,
  findZoneCalled,
  findZoneOfHost,
  hasVisibleZone,
} from "./find-zones.ts";
export { changePlan } from "./plans.ts";
export { findPlan, planNames, planOfZone, plans, type PlanName } from "./plans.ts";
export { findZonesToMigrate, requirePreviousWaf, setWafVersion } from "./previous-waf.ts";
export type { ZonesToMigrate } from "./store.ts";
export { shownName } from "./zone.ts";
export { serialOf, toSerial } from "./zone.ts";
export { apexOfZone, type ZoneSettings } from "./zone.ts";
export {
  findEnclosedZones,
  ownerOf,
  ownerOfFacts,
  readAuthority,
  readZoneFacts,
  zonesInCharge,
} from "./active-zones.ts";

export interface ZoneContext extends Context {
  readonly settings: ZoneSettings & {
    readonly defaultPlan: PlanName;
    readonly activation: "immediate" | "check-ns";
    /** A younger zone is not activated. */
    readonly activationDelayMs: number;
    /** docs/decisions/0006-waf-of-a-new-zone.md */
    readonly newZoneWaf: "previous" | "new";
  };
  readonly delegation: DelegationLookup;
  /** The addresses that the name servers of all zones have. */
  readonly ownAddresses: () => Promise<ReadonlySet<string>>;
  /** Whether another account holds the name. */
  readonly isHeldName: (db: Db, name: string, accountId: string) => Promise<boolean>;
  /** Gives a new zone its settings, and returns the zone as they changed it. */
  readonly presetSettings: (tx: Db, zone: ZoneRow) => Promise<ZoneRow>;
  /** Runs in the transaction that activates the zone. */
  readonly zoneActivated: (tx: Db, zone: ZoneRow) => Promise<void>;
  /** Runs after the commit. */
  readonly afterActivation: () => void;
}

/** Errors: 400 code 1003 for an unknown type. */
export function parseZoneFilter(query: ListZonesQuery): ZoneFilter {
  return {
    name: query.name ? parseZoneNameFilter(query.name) : undefined,
    status: query.status,
    types: query.type ? parseTypes(query.type) : undefined,
    accountId: query["account.id"] || undefined,
    accountName: query["account.name"] ? parseNameFilter(query["account.name"]) : undefined,
    match: query.match ?? "all",
  };
}

interface NewZone {
  readonly name: string;
  readonly type: ZoneRow["type"];
  readonly accountId: string;
  readonly paused?: boolean;
  readonly vanityNameServers?: readonly string[];
  readonly plan?: PlanName;
  readonly status?: ZoneRow["status"];
  /** Always `new` on the Free plan. */
  readonly waf?: ZoneRow["waf"];
}

/**
 * Adds a zone in the caller's transaction. Errors: 400 code 1003 for an invalid name server, 1049 for an
 * invalid name and a public suffix, 1061 for one that the account has, 1120 for one that another account
 * holds.
 */
export async function addZone(context: ZoneContext, tx: Db, zone: NewZone): Promise<ZoneRow> {
  const { now, newId, settings } = context;
  const name = parseZoneName(zone.name);
  if (name === undefined) {
    throw invalidRequest(errorCodes.zones.invalidName, `${zone.name} is not a registered domain`, "/name");
  }
  if (await isPublicSuffix(name)) {
    throw invalidRequest(
      errorCodes.zones.invalidName,
      `${name} is a public suffix, which no account can have`,
      "/name",
    );
  }
  await refuseHeldName(context, tx, name, zone.accountId);
  const plan = zone.plan ?? settings.defaultPlan;
  const created_on = toTimestamp(now());
  const status = zone.status ?? (settings.activation === "immediate" ? "pending" : "initializing");
  const defaults = await selectRow(tx, "account_dns_settings", { account_id: zone.accountId });
  const row: ZoneRow = {
    id: newId(),
    account_id: zone.accountId,
    name,
    unicode_name: toUnicodeName(name),
    type: zone.type,
    status,
    paused: toFlag(zone.paused ?? false),
    plan,
    vanity_name_servers: vanityNameServersColumn(zone.vanityNameServers ?? []),
    name_server_set: defaults === undefined ? null : nameServerSetOf(fromJson(defaults.zone_defaults)),
    original_name_servers: null,
    verification_key: zone.type === "partial" ? newVerificationKey(newId) : null,
    dns_record_count: 0,
    dns_records_version: firstRecordsVersion(),
    dns_serial: toSerial(now()),
    development_mode_ends_on: null,
    waf: plan === "free" ? "new" : (zone.waf ?? settings.newZoneWaf),
    waf_changed_on: null,
    created_on,
    modified_on: created_on,
    activated_on: status === "active" ? created_on : null,
    checked_on: null,
    check_due: 0,
    activation_order: status === "active" ? await nextActivationOrder(tx) : null,
    subdomain_consents: null,
  };
  const taken = () => invalidRequest(errorCodes.zones.exists, `${name} already exists`, "/name");
  await insertRow(tx, "zones", row, taken);
  if (defaults !== undefined) {
    const dnsSettings = { zone_id: row.id, changed_settings: defaults.zone_defaults };
    await insertRow(tx, "zone_dns_settings", dnsSettings);
  }
  const added = await context.presetSettings(tx, row);
  if (status === "active") await context.zoneActivated(tx, added);
  return added;
}

/** Changes one property in a transaction that has locked the zone. Errors: as `editZone`. */
export async function applyChange(
  context: ZoneContext,
  tx: Db,
  row: ZoneWithAccount,
  body: EditZoneBody,
): Promise<ZoneWithAccount> {
  const { plan, ...change } = toColumns(row, body, context.newId);
  if (plan !== undefined) return changePlan(context, tx, row, plan);
  if (Object.keys(change).length === 0) return row;
  const now = context.now();
  if (change.type === "internal" && row.status === "active") await recheckBelow(tx, row);
  const modified: Partial<ZoneRow> = {
    ...change,
    ...judgedAgain(context, row, change),
    modified_on: toTimestamp(now),
    dns_serial: serialAfter(row, now),
  };
  await updateRow(tx, "zones", row.id, modified);
  return { ...row, ...modified };
}

/**
 * Judges a zone anew, as the names by which it was judged may have changed. One that was no part of the
 * public DNS has yet to prove its name, and those that became active meanwhile were there before it.
 */
function judgedAgain(
  { settings }: ZoneContext,
  { status, type }: ZoneRow,
  change: Partial<ZoneRow>,
): Partial<ZoneRow> {
  if (change.paused !== undefined) return {};
  if (type === "internal" && change.type !== undefined) {
    if (status === "pending") return { activation_order: null };
    const anew = settings.activation === "immediate" ? "pending" : "initializing";
    return { status: anew, check_due: 1, activation_order: null };
  }
  return status === "active" || status === "moved" ? { check_due: 1 } : {};
}

/** Errors: 400 code 1120. */
async function refuseHeldName(
  { isHeldName }: ZoneContext,
  tx: Db,
  name: string,
  accountId: string,
): Promise<void> {
  if (!(await isHeldName(tx, name, accountId))) return;
  throw invalidRequest(
    errorCodes.zones.held,
    "The zone name provided is subject to a hold which disallows the creation of this zone. Please contact the domain owner to have this hold removed.",
    "/name",
  );
}

/** Changes of records of one zone that are kept for those who serve it and have fallen behind. */
const dnsChangesKept = 1_000;
/** Older changes are deleted so many at a time. */
const dnsChangesDeleted = 100;
/** Name servers and edges read all of it after a change at more names. */
const namesOfChangeMax = 4_000;
/** After a change at more names, all that depend on the zone are judged again. */
const namesJudgedMax = 100;
/** Characters of the stored records before a change: of one change, and of all. */
const beforeLengthMax = 256 * 1024;
const allBeforeLengthMax = 1024 * 1024;

interface RecordsChange {
  /** The difference in the number of records; may be negative. */
  readonly countChange: number;
  readonly names: ReadonlySet<string>;
  /** Each changed record before the change, by id, null for new ones; undefined where unknown. */
  readonly before?: ReadonlyMap<string, RecordBefore | null>;
  readonly now: Date;
  /** The new serial, for a zone whose serials its primary sets; by default the next one. */
  readonly serial?: number;
}

/**
 * Another one than that of a zone that once had the id. What is deleted of changes is the same for all zones.
 */
function firstRecordsVersion(): number {
  return Math.floor(newVersion() / 2 / dnsChangesDeleted) * dnsChangesDeleted;
}

/** Notes that records of a zone have changed. Part of the transaction that has locked the zone. */
export async function dnsRecordsChanged(
  tx: Db,
  zone: ZoneRow,
  { countChange, names, before, now, serial = serialAfter(zone, now) }: RecordsChange,
): Promise<void> {
  const version = zone.dns_records_version + 1;
  await updateRecordState(tx, {
    id: zone.id,
    count: zone.dns_record_count + countChange,
    version,
    serial,
  });
  const isListed = names.size <= namesOfChangeMax;
  await recheckDependents(tx, zone, names.size <= namesJudgedMax ? names : undefined);
  const recordsBefore = isListed && before !== undefined ? toJson(Object.fromEntries(before)) : null;
  await insertDnsChange(tx, {
    zone_id: zone.id,
    version,
    names: isListed ? toJson([...names]) : null,
    serial_before: serialOf(zone),
    serial,
    records_before: recordsBefore !== null && recordsBefore.length > beforeLengthMax ? null : recordsBefore,
  });
  if (version % dnsChangesDeleted !== 0) return;
  await deleteDnsChanges(tx, { zoneId: zone.id, upTo: version - dnsChangesKept });
  await forgetRecordsBefore(tx, { zoneId: zone.id, lengthMax: allBeforeLengthMax });
}

/** Notes that a zone answers differently although no record changed; returns the zone as it is then. */
export async function zoneAnswersChanged(tx: Db, zone: ZoneRow, now: Date): Promise<ZoneRow> {
  const dns_serial = serialAfter(zone, now);
  await updateRow(tx, "zones", zone.id, { dns_serial });
  return { ...zone, dns_serial };
}

function parseTypes(list: string): string[] {
  const types = list.split(",").map((type) => type.trim());
  if (types.every((type) => zoneTypes.some((known) => known === type))) return types;
  throw invalidParameter("type", `must be one or more of: ${zoneTypes.join(", ")}`);
}
