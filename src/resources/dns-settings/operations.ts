import {
  customNameServerTypes,
  dnsSettingsOf,
  mergeDnsSettings,
  nameServerSetOf,
  type DnsSettings,
  type DnsSettingsChange,
} from "../../core/dns/served/dns-settings.ts";
import { nameToOctets } from "../../core/dns/wire/names.ts";
import { WireError } from "../../core/dns/wire/octets.ts";
import { invalidBody } from "../../core/error.ts";
import {
  accountRead,
  accountWrite,
  type AccountRead,
  type AccountWrite,
  zoneRead,
  zoneWrite,
  type ZoneRead,
  type ZoneWrite,
} from "../../operation/scope.ts";
import { fromJson, toFlag, toJson } from "../../storage/columns.ts";
import { putRow, selectRow, updateRow } from "../../storage/rows.ts";
import { zoneAnswersChanged, type ZoneContext } from "../zones/zones.ts";
import {
  AccountDnsSettings,
  AccountDnsSettingsBody,
  ZoneDnsSettings,
  ZoneDnsSettingsBody,
} from "./schema.ts";
import { nextSerials } from "./store.ts";

const ofZone = "/zones/{zone_id}/dns_settings";
const ofAccount = "/accounts/{account_id}/dns_settings";

export const getZoneDnsSettings = zoneRead({
  name: "getZoneDnsSettings",
  summary: "Get how the DNS of a zone is answered, apart from its records",
  path: ofZone,
  permission: "DNS Read",
  result: ZoneDnsSettings,
  run: async ({ db, zone, context }: ZoneRead<ZoneContext>) => {
    const row = await selectRow(db, "zone_dns_settings", { zone_id: zone.id });
    return dnsSettingsOf(context.settings.vendor, row === undefined ? {} : fromJson(row.changed_settings));
  },
});

/** Errors: 400 code 1003 for a value that is invalid, or not supported here. */
export const editZoneDnsSettings = zoneWrite({
  name: "editZoneDnsSettings",
  summary: "Change how the DNS of a zone is answered",
  method: "PATCH",
  path: ofZone,
  permission: "DNS Write",
  body: ZoneDnsSettingsBody,
  result: ZoneDnsSettings,
  run: async ({ tx, zone, context, now, audit }: ZoneWrite<ZoneContext>, { body }) => {
    const { vendor } = context.settings;
    const row = await selectRow(tx, "zone_dns_settings", { zone_id: zone.id });
    const changed = row === undefined ? {} : fromJson(row.changed_settings);
    const merged = mergeDnsSettings(changed, body);
    const [before, after] = [dnsSettingsOf(vendor, changed), dnsSettingsOf(vendor, merged)];
    refuseImpossible(context.settings, after, "");
    refuseInternalDns(body, "");
    if (toJson(before) === toJson(after)) return after;
    await putRow(tx, "zone_dns_settings", { zone_id: zone.id, changed_settings: toJson(merged) });
    await updateRow(tx, "zones", zone.id, {
      name_server_set: nameServerSetOf(after),
      // Its delegation may be to others now.
      ...(nameServerSetOf(after) !== zone.name_server_set && zone.checked_on !== null && { check_due: 1 }),
    });
    await zoneAnswersChanged(tx, zone, now);
    audit({ action: "dns_settings_edit", id: zone.id, before, after });
    return after;
  },
});

export const getAccountDnsSettings = accountRead({
  name: "getAccountDnsSettings",
  summary: "Get how the DNS of an account's new zones is answered",
  path: ofAccount,
  permission: ["Account DNS Settings Read", "Account DNS Settings Write"],
  result: AccountDnsSettings,
  run: async ({ db, accountId, context }: AccountRead<ZoneContext>) => {
    const row = await selectRow(db, "account_dns_settings", { account_id: accountId });
    return toAccountSettings(context.settings.vendor, ...storedOf(row));
  },
});

/** Zones that exist keep their settings, but for `enforce_dns_only`. Errors: as `editZoneDnsSettings`. */
export const editAccountDnsSettings = accountWrite({
  name: "editAccountDnsSettings",
  summary: "Change how the DNS of an account's new zones is answered",
  method: "PATCH",
  path: ofAccount,
  permission: "Account DNS Settings Write",
  body: AccountDnsSettingsBody,
  result: AccountDnsSettings,
  run: async ({ tx, accountId, context, now, audit }: AccountWrite<ZoneContext>, { body }) => {
    const { vendor } = context.settings;
    const row = await selectRow(tx, "account_dns_settings", { account_id: accountId });
    const [changed, wasEnforced] = storedOf(row);
    const merged = mergeDnsSettings(changed, body.zone_defaults ?? {});
    const isEnforced = body.enforce_dns_only ?? wasEnforced;
    const before = toAccountSettings(vendor, changed, wasEnforced);
    const after = toAccountSettings(vendor, merged, isEnforced);
    refuseImpossible(context.settings, after.zone_defaults, "/zone_defaults");
    refuseInternalDns(body.zone_defaults ?? {}, "/zone_defaults");
    if (toJson(before) === toJson(after)) return after;
    await putRow(tx, "account_dns_settings", {
      account_id: accountId,
      zone_defaults: toJson(merged),
      enforce_dns_only: toFlag(isEnforced),
    });
    if (isEnforced !== wasEnforced) await nextSerials(tx, now, accountId);
    audit({
      action: "account_dns_settings_edit",
      id: accountId,
      before,
      after,
    });
    return after;
  },
});

function storedOf(
  row: { readonly zone_defaults: string; readonly enforce_dns_only: 0 | 1 } | undefined,
): readonly [DnsSettingsChange, boolean] {
  if (row === undefined) return [{}, false];
  return [JSON.parse(row.zone_defaults) as DnsSettingsChange, row.enforce_dns_only === 1];
}

function toAccountSettings(vendor: string, changed: DnsSettingsChange, isEnforced: boolean) {
  return { zone_defaults: dnsSettingsOf(vendor, changed), enforce_dns_only: isEnforced };
}

function refuseImpossible(
  { vendor, nameServerSets }: ZoneContext["settings"],
  settings: DnsSettings,
  at: string,
): void {
  const { nameservers, soa, foundation_dns, secondary_overrides, zone_mode } = settings;
  const refuse = (pointer: string, rule: string): never => {
    throw invalidBody(`${at}${pointer}`, rule);
  };
  if (foundation_dns) refuse("/foundation_dns", "must be false: there are no such name servers here");
  if (secondary_overrides)
    refuse("/secondary_overrides", "must be false: secondary zones are not changed here");
  if (zone_mode === "cdn_only") refuse("/zone_mode", "must be standard or dns_only");
  const number = nameServerSetOf(settings);
  if (number === null && nameservers.type !== `${vendor}.standard`) {
    refuse(
      "/nameservers/type",
      `must be ${vendor}.standard, ${customNameServerTypes.join(" or ")}; name servers of a single zone are its vanity_name_servers`,
    );
  }
  if (number === null && nameservers.ns_set !== 1) {
    refuse("/nameservers/ns_set", "must be 1: there is one set of standard name servers");
  }
  if (number !== null && nameServerSets[number - 1] === undefined) {
    refuse(
      "/nameservers/ns_set",
      "must be the number of a set in the setting name_server_sets of the server",
    );
  }
  if (soa.retry > soa.refresh) refuse("/soa/retry", "must be at most soa.refresh");
  if (soa.expire < soa.refresh) refuse("/soa/expire", "must be at least soa.refresh");
  if (!isName(soa.rname)) refuse("/soa/rname", "must be a name");
  if (soa.mname !== null && !isName(soa.mname)) refuse("/soa/mname", "must be a name or null");
}

function refuseInternalDns({ internal_dns }: ZoneDnsSettingsBody, at: string): void {
  if ((internal_dns?.reference_zone_id ?? null) === null) return;
  throw invalidBody(
    `${at}/internal_dns/reference_zone_id`,
    "must be null: there are no zones of internal DNS here",
  );
}

function isName(text: string): boolean {
  try {
    return nameToOctets(text).length > 1 && !text.endsWith(".");
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}
