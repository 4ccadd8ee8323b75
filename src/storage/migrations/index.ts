import { Migrator } from "kysely/migration";
import type { Migration } from "kysely/migration";

import type { ColumnTypes } from "../columns.ts";
import type { Db } from "../tables.ts";
import { createAccounts } from "./0001-accounts.ts";
import { createZones } from "./0002-zones.ts";
import { createDnsRecords } from "./0003-dns-records.ts";
import { createZoneSettings } from "./0004-zone-settings.ts";
import { createZoneSubscriptions } from "./0005-zone-subscriptions.ts";
import { createZoneHolds } from "./0006-zone-holds.ts";
import { createTokens } from "./0007-tokens.ts";
import { createAuditLogs } from "./0008-audit-logs.ts";
import { createPageRules } from "./0009-page-rules.ts";
import { createAccessRules } from "./0010-access-rules.ts";
import { createFirewallRules } from "./0011-firewall-rules.ts";
import { createPreviousWaf } from "./0012-previous-waf.ts";
import { createRulesets } from "./0013-rulesets.ts";
import { createCertificatePacks } from "./0014-certificate-packs.ts";
import { createCustomCertificates } from "./0015-custom-certificates.ts";
import { createAcmeAccounts } from "./0016-acme-accounts.ts";
import { createWeb3Hostnames } from "./0017-web3-hostnames.ts";
import { createSecurityEvents } from "./0018-security-events.ts";
import { announceAccessChanges } from "./0019-access-changes.ts";
import { createSessions } from "./0020-sessions.ts";
import { createUnfinishedCopies } from "./0021-unfinished-copies.ts";
import { createWeb3ContentLists } from "./0022-web3-content-lists.ts";
import { addTokenGrantors } from "./0023-token-grantors.ts";
import { addUnicodeZoneNames } from "./0024-unicode-zone-names.ts";
import { addAccountSettings } from "./0025-account-settings.ts";
import { createFirewallProducts } from "./0026-firewall-products.ts";
import { createLists } from "./0027-lists.ts";
import { createRequestTransforms } from "./0028-request-transforms.ts";
import { createResourceGroups } from "./0029-resource-groups.ts";
import { addZoneSerials } from "./0030-zone-serials.ts";
import { createUniversalSettings } from "./0031-universal-ssl.ts";
import { addEventFields } from "./0032-event-fields.ts";
import { addFullAccessRuleValues } from "./0033-full-access-rule-values.ts";
import { addInviteGrantors } from "./0034-invite-grantors.ts";
import { createTotalTls } from "./0035-total-tls.ts";
import { addSessionOrigins } from "./0036-session-origins.ts";
import { createZoneTransfers } from "./0039-zone-transfers.ts";
import { addEdgeVersions } from "./0045-edge-versions.ts";
import { createZoneDnssec } from "./0052-dnssec.ts";
import { createDnsSettings } from "./0053-dns-settings.ts";
import { createIncomingTransfers } from "./0055-incoming-transfers.ts";
import { createSecondFactors } from "./0058-second-factors.ts";
import { addSingleSignOn } from "./0059-single-sign-on.ts";
import { addDnsJournal } from "./0060-dns-journal.ts";
import { createServerSettings } from "./0061-server-settings.ts";
import { addInviteLinks } from "./0066-invite-links.ts";
import { createEdges } from "./0067-edges.ts";
import { createRecordScans } from "./0070-record-scans.ts";
import { createTokenUsage } from "./0071-token-usage.ts";
import { addEdgeAccountVersions } from "./0072-edge-account-versions.ts";
import { addTransferredSerials } from "./0073-transferred-serials.ts";
import { createWireRecords } from "./0074-wire-records.ts";
import { addEventPlaces } from "./0075-event-places.ts";
import { addEventSamples } from "./0076-event-samples.ts";
import { shareZoneNames } from "./0077-zone-names.ts";
import { addEventAccounts } from "./0080-event-accounts.ts";
import { foldEmailsAnew } from "./0083-folded-emails.ts";
import { addRecordGenerations } from "./0084-record-generations.ts";
import { addNameServerSets } from "./0092-name-server-sets.ts";
import { addTotalTlsAuthorityDefault } from "./0095-total-tls-authority.ts";
import { createUserGroups } from "./0096-user-groups.ts";
import { migrationNames, selectMigrations, type MigrationName } from "./applied.ts";
import type { SchemaChange } from "./schema-change.ts";

export const schemaChanges: Readonly<Record<MigrationName, SchemaChange>> = {
  "0001-accounts": createAccounts,
  "0002-zones": createZones,
  "0003-dns-records": createDnsRecords,
  "0004-zone-settings": createZoneSettings,
  "0005-zone-subscriptions": createZoneSubscriptions,
  "0006-zone-holds": createZoneHolds,
  "0007-tokens": createTokens,
  "0008-audit-logs": createAuditLogs,
  "0009-page-rules": createPageRules,
  "0010-access-rules": createAccessRules,
  "0011-firewall-rules": createFirewallRules,
  "0012-previous-waf": createPreviousWaf,
  "0013-rulesets": createRulesets,
  "0014-certificate-packs": createCertificatePacks,
  "0015-custom-certificates": createCustomCertificates,
  "0016-acme-accounts": createAcmeAccounts,
  "0017-web3-hostnames": createWeb3Hostnames,
  "0018-security-events": createSecurityEvents,
  "0019-access-changes": announceAccessChanges,
  "0020-sessions": createSessions,
  "0021-unfinished-copies": createUnfinishedCopies,
  "0022-web3-content-lists": createWeb3ContentLists,
  "0023-token-grantors": addTokenGrantors,
  "0024-unicode-zone-names": addUnicodeZoneNames,
  "0025-account-settings": addAccountSettings,
  "0026-firewall-products": createFirewallProducts,
  "0027-lists": createLists,
  "0028-request-transforms": createRequestTransforms,
  "0029-resource-groups": createResourceGroups,
  "0030-zone-serials": addZoneSerials,
  "0031-universal-ssl": createUniversalSettings,
  "0032-event-fields": addEventFields,
  "0033-full-access-rule-values": addFullAccessRuleValues,
  "0034-invite-grantors": addInviteGrantors,
  "0035-total-tls": createTotalTls,
  "0036-session-origins": addSessionOrigins,
  "0039-zone-transfers": createZoneTransfers,
  "0045-edge-versions": addEdgeVersions,
  "0052-dnssec": createZoneDnssec,
  "0053-dns-settings": createDnsSettings,
  "0055-incoming-transfers": createIncomingTransfers,
  "0058-second-factors": createSecondFactors,
  "0059-single-sign-on": addSingleSignOn,
  "0060-dns-journal": addDnsJournal,
  "0061-server-settings": createServerSettings,
  "0066-invite-links": addInviteLinks,
  "0067-edges": createEdges,
  "0070-record-scans": createRecordScans,
  "0071-token-usage": createTokenUsage,
  "0072-edge-account-versions": addEdgeAccountVersions,
  "0073-transferred-serials": addTransferredSerials,
  "0074-wire-records": createWireRecords,
  "0075-event-places": addEventPlaces,
  "0076-event-samples": addEventSamples,
  "0077-zone-names": shareZoneNames,
  "0080-event-accounts": addEventAccounts,
  "0083-folded-emails": foldEmailsAnew,
  "0084-record-generations": addRecordGenerations,
  "0092-name-server-sets": addNameServerSets,
  "0095-total-tls-authority": addTotalTlsAuthorityDefault,
  "0096-user-groups": createUserGroups,
};

/**
 * Applies missing migrations, on one instance at a time. Those of a later version are left alone. This module is loaded
 * only if a migration is missing (`isMigrated`), which is rare.
 */
export async function migrateToLatest(db: Db, columns: ColumnTypes): Promise<void> {
  const migrations: Record<string, Migration> = {};
  for (const name of migrationNames) {
    migrations[name] = { up: (connection) => schemaChanges[name](connection as Db, columns) };
  }
  const getMigrations = async (): Promise<Record<string, Migration>> => {
    const last = migrationNames.at(-1) ?? "";
    const later = (await selectMigrations(db)).filter((name) => name > last);
    return { ...migrations, ...Object.fromEntries(later.map((name) => [name, passedOver])) };
  };
  const migrator = new Migrator({ db, provider: { getMigrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

const passedOver: Migration = { up: async () => undefined };
