import { fromJson } from "../../storage/columns.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import { developmentModeSeconds } from "./development-mode.ts";
import { nameServersOf } from "./name-servers.ts";
import { planOfZone, plans } from "./plans.ts";
import type { Zone } from "./schema.ts";
import type { ZoneWithAccount } from "./store.ts";

/** The settings that a zone's answer depends on. */
export interface ZoneSettings {
  readonly vendor: string;
  readonly nameServers: readonly string[];
}

const readAndEdit = [
  "access",
  "app",
  "billing",
  "dns_records",
  "lb",
  "legal",
  "logs",
  "member",
  "organization",
  "ssl",
  "stream",
  "subscription",
  "waf",
  "webhooks",
  "worker",
  "zone",
  "zone_settings",
];

/** What the members of an account may do with its zones, in the older spelling that a zone shows. */
const permissions = [
  "#analytics:read",
  "#auditlogs:read",
  "#cache_purge:edit",
  ...readAndEdit.flatMap((area) => [`#${area}:edit`, `#${area}:read`]),
].toSorted();

/** A zone as the API answers it. `name` stands before every other one: clients search the text for it. */
export function toZone(row: ZoneWithAccount, settings: ZoneSettings, now: Date): Zone {
  const plan = plans[row.plan];
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    paused: row.paused === 1,
    type: row.type,
    development_mode: developmentModeSeconds(row.development_mode_ends_on, now),
    name_servers: [...expectedNameServers(row, settings)],
    original_name_servers: row.original_name_servers === null ? null : fromJson(row.original_name_servers),
    original_registrar: null,
    original_dnshost: null,
    modified_on: row.modified_on,
    created_on: row.created_on,
    activated_on: row.activated_on,
    vanity_name_servers: fromJson(row.vanity_name_servers),
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

/** The name servers that the domain has to be delegated to. */
export function expectedNameServers(row: ZoneRow, settings: ZoneSettings): readonly string[] {
  const vanity = fromJson(row.vanity_name_servers);
  return vanity.length > 0 ? vanity : nameServersOf(row.account_id, settings);
}
