import { domainToUnicode } from "node:url";
import { nextSerial } from "../../core/dns/wire/start-of-authority.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { toAsciiName } from "../../core/dns/content/name.ts";
import { updateRow } from "../../storage/rows.ts";
import { toTimestamp, fromJson } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";
import type { Caller } from "../../core/policy/caller.ts";
import type { ZoneApex } from "../../core/dns/served/apex.ts";
import { apexOf, type DnsSettings } from "../../core/dns/served/dns-settings.ts";
import { decide, type Resource } from "../../core/policy/evaluate.ts";
import type { Grants } from "../../core/policy/grants.ts";
import { permissionTexts } from "../../core/policy/permission-groups.ts";
import type { IncomingTransferRow } from "../../storage/schema/zone-transfers.ts";
import { chosenNameServers, nameServersOf } from "./name-servers.ts";
import { planOfZone, plans } from "./plans.ts";
import type { Zone } from "./schema.ts";
import type { ZoneWithAccount } from "./store.ts";

/** The serial of a zone's SOA record. */
export function serialOf(zone: Pick<ZoneRow, "dns_serial" | "created_on">): number {
  return zone.dns_serial ?? toSerial(new Date(zone.created_on));
}

/** The one that it gets with a change here. Those of a secondary zone are its primary's. */
export function serialAfter(zone: Pick<ZoneRow, "type" | "dns_serial" | "created_on">, now: Date): number {
  if (zone.type === "secondary") return serialOf(zone);
  return nextSerial(serialOf(zone), secondsOf(now));
}

export function toSerial(now: Date): number {
  return nextSerial(0, secondsOf(now));
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/**
 * The Unicode form of a name from `parseZoneName`; null if it is equal or ambiguous (RFC 5891 section 5.4).
 */
export function toUnicodeName(ascii: string): string | null {
  const unicode = domainToUnicode(ascii);
  return unicode !== ascii && toAsciiName(unicode) === ascii ? unicode : null;
}

/** The name of a zone in answers about zones. Answers about DNS have the ASCII name. */
export function shownName({ name, unicode_name }: Pick<ZoneRow, "name" | "unicode_name">): string {
  return unicode_name ?? name;
}

const durationSeconds = 3 * 60 * 60;

/** Seconds until development mode ends, negative after its end, 0 if it was never on. */
export function developmentModeSeconds(endsOn: Timestamp | null, now: Date): number {
  return endsOn === null ? 0 : Math.round((Date.parse(endsOn) - now.getTime()) / 1000);
}

/** Turns it on for three hours from `now`, or off, in a transaction that has locked the zone. */
export async function setDevelopmentMode(tx: Db, zone: ZoneRow, isOn: boolean, now: Date): Promise<ZoneRow> {
  const endsOn = toTimestamp(new Date(now.getTime() + (isOn ? durationSeconds * 1000 : 0)));
  await updateRow(tx, "zones", zone.id, { development_mode_ends_on: endsOn });
  return { ...zone, development_mode_ends_on: endsOn };
}

export interface ZoneSettings {
  readonly vendor: string;
  readonly nameServers: readonly string[];
  /** The sets that zones may choose, the first with the number 1. */
  readonly nameServerSets: readonly (readonly string[])[];
}

/** The caller's permissions on a zone: `#dns_records:edit`. */
function permissionsOn(grants: Grants, { id, account_id }: ZoneRow): string[] {
  const onZone: Resource = { type: "zone", id, accountId: account_id };
  const onAccount: Resource = { type: "account", id: account_id };
  return permissionTexts(
    (group) => decide(grants, group, group.scope === "zone" ? onZone : onAccount).allowed,
  );
}

export function zoneView(
  { grants }: Pick<Caller, "grants">,
  settings: ZoneSettings,
  now: Date,
): (row: ZoneWithAccount) => Zone {
  return (row) => toZone(row, permissionsOn(grants, row), settings, now);
}

/** A zone in answers. `name` comes before any other `name`: some clients search the text for it. */
function toZone(row: ZoneWithAccount, permissions: string[], settings: ZoneSettings, now: Date): Zone {
  const plan = plans[row.plan];
  return {
    id: row.id,
    name: shownName(row),
    status: row.status,
    paused: row.paused === 1,
    type: row.type,
    development_mode: developmentModeSeconds(row.development_mode_ends_on, now),
    name_servers: row.type === "partial" ? [] : [...expectedNameServers(row, settings)],
    original_name_servers: row.original_name_servers === null ? null : fromJson(row.original_name_servers),
    original_registrar: null,
    original_dnshost: null,
    modified_on: row.modified_on,
    created_on: row.created_on,
    activated_on: row.activated_on,
    vanity_name_servers: [...vanityNameServers(row, settings)],
    vanity_name_servers_ips: null,
    ...(row.verification_key !== null && {
      verification_key: row.verification_key,
      cname_suffix: `cdn.${settings.vendor}.net`,
    }),
    meta: {
      step: 2,
      custom_certificate_quota: plan.customCertificateQuota,
      page_rule_quota: plan.pageRuleQuota,
      phishing_detected: false,
    },
    owner: { id: row.account_id, type: "organization", name: row.account_name },
    account: { id: row.account_id, name: row.account_name },
    tenant: { id: null, name: null },
    tenant_unit: { id: null },
    permissions,
    plan: planOfZone(row.plan),
  };
}

/** The name servers that the domain must be delegated to. */
function expectedNameServers(row: ZoneRow, settings: ZoneSettings): readonly string[] {
  const vanity = vanityNameServers(row, settings);
  return vanity.length > 0 ? vanity : nameServersOf(row, settings);
}

/** The name servers of the set that the zone has chosen, else those that it was given itself. */
function vanityNameServers(row: ZoneRow, settings: ZoneSettings): readonly string[] {
  return chosenNameServers(row, settings) ?? fromJson(row.vanity_name_servers);
}

/**
 * The SOA record of a zone, and its NS records where they are ours: one that was transferred to us has those
 * of its primary, as they came.
 */
export function apexOfZone(
  zone: ZoneRow,
  settings: ZoneSettings,
  dnsSettings: DnsSettings,
  transferred: IncomingTransferRow["soa"],
): ZoneApex {
  const { name } = zone;
  const serial = serialOf(zone);
  return transferred === null
    ? apexOf({ name, nameServers: expectedNameServers(zone, settings), serial }, dnsSettings)
    : { name, ...fromJson(transferred), serial, nameServers: [] };
}
