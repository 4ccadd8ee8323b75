import { sql } from "kysely";

import type { Db } from "../tables.ts";

/** All migrations of this version, in order. A name never changes after its release. */
export const migrationNames = [
  "0001-accounts",
  "0002-zones",
  "0003-dns-records",
  "0004-zone-settings",
  "0005-zone-subscriptions",
  "0006-zone-holds",
  "0007-tokens",
  "0008-audit-logs",
  "0009-page-rules",
  "0010-access-rules",
  "0011-firewall-rules",
  "0012-previous-waf",
  "0013-rulesets",
  "0014-certificate-packs",
  "0015-custom-certificates",
  "0016-acme-accounts",
  "0017-web3-hostnames",
  "0018-security-events",
  "0019-access-changes",
  "0020-sessions",
  "0021-unfinished-copies",
  "0022-web3-content-lists",
  "0023-token-grantors",
  "0024-unicode-zone-names",
  "0025-account-settings",
  "0026-firewall-products",
  "0027-lists",
  "0028-request-transforms",
  "0029-resource-groups",
  "0030-zone-serials",
  "0031-universal-ssl",
  "0032-event-fields",
  "0033-full-access-rule-values",
  "0034-invite-grantors",
  "0035-total-tls",
  "0036-session-origins",
  "0039-zone-transfers",
  "0045-edge-versions",
  "0052-dnssec",
  "0053-dns-settings",
  "0055-incoming-transfers",
  "0058-second-factors",
  "0059-single-sign-on",
  "0060-dns-journal",
  "0061-server-settings",
  "0066-invite-links",
  "0067-edges",
  "0070-record-scans",
  "0071-token-usage",
  "0072-edge-account-versions",
  "0073-transferred-serials",
  "0074-wire-records",
  "0075-event-places",
  "0076-event-samples",
  "0077-zone-names",
  "0080-event-accounts",
  "0083-folded-emails",
  "0084-record-generations",
  "0092-name-server-sets",
  "0095-total-tls-authority",
  "0096-user-groups",
] as const;

export type MigrationName = (typeof migrationNames)[number];

/** The names of the applied migrations, in order. */
export async function selectMigrations(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}

/** The migrations of this version that the store lacks, in order. */
export async function selectMissingMigrations(db: Db): Promise<readonly MigrationName[]> {
  const applied = new Set(await selectMigrations(db));
  return migrationNames.filter((name) => !applied.has(name));
}

/** Whether no migration is missing. Also false if that cannot be read: the attempt to migrate then reports why. */
export async function isMigrated(db: Db): Promise<boolean> {
  try {
    return (await selectMissingMigrations(db)).length === 0;
  } catch {
    return false;
  }
}
