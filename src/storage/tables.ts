import type { Kysely } from "kysely";
import type { Timestamp } from "./columns.ts";
import type {
  UserRow,
  AccountRow,
  MembershipRow,
  ResourceGroupRow,
  UserGroupRow,
  UserGroupMemberRow,
  TokenRow,
  TokenUsageRow,
} from "./tables/accounts.ts";
import type {
  PasswordRow,
  SessionRow,
  SignInLinkRow,
  KeptApiKeyRow,
  TotpSecretRow,
  RecoveryCodeRow,
  PasskeyRow,
  SignInChallengeRow,
} from "./tables/sign-in.ts";
import type { ZoneRow, ZoneSettingRow, ZoneSubscriptionRow, ZoneHoldRow } from "./tables/zones.ts";
import type {
  DnsRecordRow,
  DnsRecordTagRow,
  WireRecordRow,
  RecordScanRow,
  DnsChangeRow,
  ServedWithRow,
  ZoneDnsSettingsRow,
  AccountDnsSettingsRow,
  ZoneDnssecRow,
} from "./tables/dns.ts";
import type {
  TransferAclRow,
  TransferKeyRow,
  TransferPeerRow,
  OutgoingTransferRow,
  OutgoingPeerRow,
  IncomingTransferRow,
  IncomingPeerRow,
} from "./tables/zone-transfers.ts";
import type {
  RulesetRow,
  RulesetVersionRow,
  FilterRow,
  FirewallRuleRow,
  AccessRuleRow,
  ZoneLockdownRow,
  UserAgentRuleRow,
  UrlNormalizationRow,
  ManagedTransformRow,
  PageRuleRow,
} from "./tables/rules.ts";
import type { WafPackageRow, WafGroupRow, WafRuleRow, WafOverrideRow } from "./tables/previous-waf.ts";
import type { ListRow, ListItemRow, ListOperationRow, ListReferenceRow } from "./tables/lists.ts";
import type {
  CertificatePackRow,
  UniversalSettingsRow,
  TotalTlsRow,
  TotalTlsHostRow,
  PackCertificateRow,
  CertificateAuthorityRow,
  CustomCertificateRow,
  AcmeAccountRow,
} from "./tables/certificates.ts";
import type { Web3HostnameRow, Web3ContentListEntryRow } from "./tables/web3.ts";
import type { EdgeVersionRow, EdgeRow, SecurityEventRow } from "./tables/edges.ts";
import type { AuditLogRow } from "./tables/audit-logs.ts";

/**
 * Every table of the store, with its row type. Ids are 32 hexadecimal characters unless a row says otherwise.
 */
export interface Tables {
  users: UserRow;
  accounts: AccountRow;
  memberships: MembershipRow;
  resource_groups: ResourceGroupRow;
  user_groups: UserGroupRow;
  user_group_members: UserGroupMemberRow;
  tokens: TokenRow;
  token_usage: TokenUsageRow;
  zones: ZoneRow;
  dns_records: DnsRecordRow;
  dns_record_tags: DnsRecordTagRow;
  wire_records: WireRecordRow;
  dns_changes: DnsChangeRow;
  record_scans: RecordScanRow;
  served_with: ServedWithRow;
  edge_versions: EdgeVersionRow;
  edges: EdgeRow;
  transfer_acls: TransferAclRow;
  transfer_keys: TransferKeyRow;
  transfer_peers: TransferPeerRow;
  outgoing_transfers: OutgoingTransferRow;
  outgoing_peers: OutgoingPeerRow;
  zone_dnssec: ZoneDnssecRow;
  incoming_transfers: IncomingTransferRow;
  incoming_peers: IncomingPeerRow;
  zone_dns_settings: ZoneDnsSettingsRow;
  account_dns_settings: AccountDnsSettingsRow;
  zone_settings: ZoneSettingRow;
  zone_subscriptions: ZoneSubscriptionRow;
  zone_holds: ZoneHoldRow;
  audit_logs: AuditLogRow;
  page_rules: PageRuleRow;
  access_rules: AccessRuleRow;
  zone_lockdowns: ZoneLockdownRow;
  user_agent_rules: UserAgentRuleRow;
  url_normalizations: UrlNormalizationRow;
  managed_transforms: ManagedTransformRow;
  waf_packages: WafPackageRow;
  waf_groups: WafGroupRow;
  waf_rules: WafRuleRow;
  waf_overrides: WafOverrideRow;
  filters: FilterRow;
  firewall_rules: FirewallRuleRow;
  rulesets: RulesetRow;
  ruleset_versions: RulesetVersionRow;
  lists: ListRow;
  list_items: ListItemRow;
  list_operations: ListOperationRow;
  list_references: ListReferenceRow;
  certificate_packs: CertificatePackRow;
  pack_certificates: PackCertificateRow;
  universal_settings: UniversalSettingsRow;
  total_tls: TotalTlsRow;
  total_tls_hosts: TotalTlsHostRow;
  certificate_authorities: CertificateAuthorityRow;
  custom_certificates: CustomCertificateRow;
  acme_accounts: AcmeAccountRow;
  web3_hostnames: Web3HostnameRow;
  web3_content_list_entries: Web3ContentListEntryRow;
  security_events: SecurityEventRow;
  passwords: PasswordRow;
  sessions: SessionRow;
  sign_in_links: SignInLinkRow;
  kept_api_keys: KeptApiKeyRow;
  totp_secrets: TotpSecretRow;
  recovery_codes: RecoveryCodeRow;
  passkeys: PasskeyRow;
  sign_in_challenges: SignInChallengeRow;
  unfinished_copies: UnfinishedCopyRow;
}

/** A connection to either engine, or a transaction on it. */
export type Db = Kysely<Tables>;

/** Exists while the store is being filled by a copy. */
interface UnfinishedCopyRow {
  started_on: Timestamp;
}
