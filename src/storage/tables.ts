import type { Kysely } from "kysely";

import type { Caller } from "../core/caller.ts";
import type { ZoneApex } from "../core/dns/apex.ts";
import type { DnsSettingsChange } from "../core/dns/dns-settings.ts";
import type { StoredRecord } from "../core/dns/served/record-sets.ts";
import type { ListChange } from "../core/lists/change.ts";
import type { ListItemValue } from "../core/lists/items.ts";
import type { ListKind } from "../core/lists/kinds.ts";
import type { PageRuleAction } from "../core/page-rules/actions.ts";
import type { AddressCondition, ConditionKey } from "../core/policy/conditions.ts";
import type { Phase } from "../core/expression/phases.ts";
import type { UserAgentMode } from "../core/firewall-products/user-agent-rule.ts";
import type { UrlNormalization } from "../core/transforms/url-normalization.ts";
import type { Policy } from "../core/policy/grants.ts";
import type { MemberPolicy } from "../core/policy/member-policies.ts";
import type { ResourceScope } from "../core/policy/resource-keys.ts";
import type { RulesetKind } from "../core/rulesets/rule-context.ts";
import type { Rule } from "../core/rulesets/rule.ts";
import type { Flag, Json, Sealed, Timestamp } from "./columns.ts";

/** The schema on one page. Ids are 32 hexadecimal characters. */
export interface Tables {
  users: UserRow;
  accounts: AccountRow;
  memberships: MembershipRow;
  resource_groups: ResourceGroupRow;
  tokens: TokenRow;
  zones: ZoneRow;
  dns_records: DnsRecordRow;
  dns_record_tags: DnsRecordTagRow;
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

export interface UserRow {
  id: string;
  email: string;
  /** `email` in lower case: unique, and named by memberships. */
  email_folded: string;
  username: string;
  first_name: string | null;
  last_name: string | null;
  telephone: string | null;
  country: string | null;
  zipcode: string | null;
  /** SHA-256 of the Global API Key, hexadecimal. */
  key_hash: string;
  /** Since when signing in takes a second factor; null for a user who has none. */
  second_factor_since: Timestamp | null;
  created_on: Timestamp;
  modified_on: Timestamp;
}

export interface AccountRow {
  id: string;
  name: string;
  /** `name` in lower case, for filters. */
  name_folded: string;
  /** Null: `standard`. */
  type: "standard" | "enterprise" | null;
  abuse_contact_email: string | null;
  /** Whether it is closed to members without a second factor; null: no. */
  enforces_two_factor: Flag | null;
  created_on: Timestamp;
}

/** A user's place in an account; an invite while it is `pending`. */
export interface MembershipRow {
  id: string;
  account_id: string;
  /** Null until the user of the e-mail accepts. */
  user_id: string | null;
  /** E-mail of the member, lower case: unique in an account. */
  email_folded: string;
  status: "accepted" | "pending" | "rejected";
  /** Ids of roles; none where there are policies. */
  roles: Json<string[]>;
  /** Null for a member that has roles. */
  policies: Json<MemberPolicy[]> | null;
  /** E-mail of the sender of the invite; null for the owner of a new account. */
  invited_by: string | null;
  /** Of an invite: the ids of the users whose rights bound what it gives when it is accepted; null where unknown. */
  grantors: Json<string[]> | null;
  /** Hash of the token of the link by which the invited person becomes a user; null where there is none in force. */
  link_hash: string | null;
  /** Until when an invite can be answered; null if there was no invite. */
  expires_on: Timestamp | null;
  /** When it was created, or the invite sent. */
  created_on: Timestamp;
}

/** Zones of an account, or all of it, for policies of members. */
export interface ResourceGroupRow {
  id: string;
  account_id: string;
  name: string;
  scopes: Json<ResourceScope[]>;
  created_on: Timestamp;
}

/** The condition of a token and under which keys it was sent; a row that does not say: `request.ip`. */
export type SentCondition = AddressCondition & { readonly sentAs?: readonly ConditionKey[] };

/** An API token: of a user, or of an account. */
export interface TokenRow {
  id: string;
  user_id: string | null;
  account_id: string | null;
  name: string;
  status: "active" | "disabled";
  /** SHA-256 of the secret, hexadecimal. */
  secret_hash: string;
  policies: Json<Policy[]>;
  /** For a token of an account: the ids of its grantors, null where they are unknown. Null for one of a user. */
  grantors: Json<string[]> | null;
  /** As it was sent. */
  condition: Json<SentCondition> | null;
  /** `YYYY-MM-DDThh:mm:ssZ`, as it was sent. */
  not_before: string | null;
  expires_on: string | null;
  issued_on: Timestamp;
  modified_on: Timestamp;
  last_used_on: Timestamp | null;
}

/** The settings of the OWASP package of a zone. */
export interface WafPackageRow {
  zone_id: string;
  /** Null if it was never chosen. */
  sensitivity: "high" | "medium" | "low" | "off" | null;
  action_mode: "simulate" | "block" | "challenge";
}

/** A group of the previous WAF whose mode was chosen. */
export interface WafGroupRow {
  zone_id: string;
  group_id: string;
  mode: "on" | "off";
}

/** A rule of the previous WAF whose mode was chosen. */
export interface WafRuleRow {
  zone_id: string;
  rule_id: string;
  mode: "default" | "disable" | "simulate" | "block" | "challenge" | "on" | "off";
}

export interface WafOverrideRow {
  id: string;
  zone_id: string;
  paused: Flag;
  urls: Json<string[]>;
  priority: number;
  groups: Json<OverrideModes>;
  rules: Json<OverrideModes>;
  rewrite_action: Json<OverrideModes>;
  description: string | null;
  created_on: Timestamp;
}

type OverrideModes = Record<string, "default" | "disable" | "simulate" | "block" | "challenge">;

export interface FilterRow {
  id: string;
  zone_id: string;
  expression: string;
  /** SHA-256 of the expression, which is too long for an index. */
  expression_hash: string;
  paused: Flag;
  description: string;
  ref: string | null;
}

export interface FirewallRuleRow {
  id: string;
  zone_id: string;
  /** A filter of the zone, which may have been deleted. */
  filter_id: string;
  action: "block" | "challenge" | "js_challenge" | "managed_challenge" | "allow" | "log" | "bypass";
  /** The products that `bypass` skips; empty for any other action. */
  products: Json<BypassedProduct[]>;
  priority: number | null;
  paused: Flag;
  description: string;
  ref: string | null;
  created_on: Timestamp;
  modified_on: Timestamp;
}

type BypassedProduct = "zoneLockdown" | "uaBlock" | "bic" | "hot" | "securityLevel" | "rateLimit" | "waf";

/** An IP Access Rule; one of the three owners is set, and `scope_id` is its id. */
export interface AccessRuleRow {
  id: string;
  scope_id: string;
  zone_id: string | null;
  account_id: string | null;
  user_id: string | null;
  mode: "block" | "challenge" | "js_challenge" | "managed_challenge" | "whitelist";
  target: "ip" | "ip6" | "ip_range" | "asn" | "country";
  /** In its canonical spelling. */
  value: string;
  /** With an IPv6 address in full, lower case; null where nothing is. */
  full_value: string | null;
  notes: string;
  /** Lower case, for the filter. */
  notes_folded: string;
  created_on: Timestamp;
  modified_on: Timestamp;
}

/** Addresses that alone may ask for some URLs of a zone. */
export interface ZoneLockdownRow {
  id: string;
  zone_id: string;
  description: string;
  paused: Flag;
  created_on: Timestamp;
  modified_on: Timestamp;
  urls: Json<string[]>;
  configurations: Json<LockdownConfiguration[]>;
  /** The lowest number goes first; null comes behind all numbers. */
  priority: number | null;
}

interface LockdownConfiguration {
  readonly target: "ip" | "ip_range";
  /** As it was sent. */
  readonly value: string;
}

/** What is done with the requests of one user agent. */
export interface UserAgentRuleRow {
  id: string;
  zone_id: string;
  description: string;
  paused: Flag;
  created_on: Timestamp;
  modified_on: Timestamp;
  mode: UserAgentMode;
  user_agent: string;
}

/** How the URLs of a zone's requests are normalized; a zone without a row has the default. */
export interface UrlNormalizationRow extends UrlNormalization {
  zone_id: string;
}

/** A managed transform that is on. */
export interface ManagedTransformRow {
  zone_id: string;
  transform: string;
}

export interface PageRuleRow {
  id: string;
  zone_id: string;
  targets: Json<PageRuleTarget[]>;
  actions: Json<PageRuleAction[]>;
  priority: number;
  status: "active" | "disabled";
  created_on: Timestamp;
  modified_on: Timestamp;
}

interface PageRuleTarget {
  readonly target: "url";
  readonly constraint: { readonly operator: "matches" | "equals" | "contains"; readonly value: string };
}

/** A name of a zone that stands for a gateway. */
export interface Web3HostnameRow {
  id: string;
  zone_id: string;
  /** ASCII, lower case. */
  name: string;
  target: "ethereum" | "ipfs" | "ipfs_universal_path";
  description: string;
  dnslink: string;
  created_on: Timestamp;
  modified_on: Timestamp;
}

/** Content that the gateway of a Web3 hostname must not serve. */
export interface Web3ContentListEntryRow {
  id: string;
  hostname_id: string;
  type: "cid" | "content_path";
  /** As the caller wrote it. */
  content: string;
  description: string;
  created_on: Timestamp;
  modified_on: Timestamp;
}

/** A change: who made it, from where, and what it was. */
export interface AuditLogRow {
  /** UUID, version 7. */
  id: string;
  occurred_on: Timestamp;
  /** The account that it belongs to; null for an entry of a user. */
  account_id: string | null;
  /** The user that it belongs to; null for an entry of an account. */
  user_id: string | null;
  action_type: string;
  actor_type: "user" | "account" | "system";
  actor_id: string | null;
  actor_email: string | null;
  actor_ip: string | null;
  /** The token with which the change was made, if any. */
  token_id: string | null;
  /** `UI` is the dashboard. */
  interface: "API" | "UI" | "CLI" | "timer";
  resource_type: string;
  resource_id: string;
  zone_id: string | null;
  zone_name: string | null;
  /** The object before and after, without secrets; null if there was or is none. */
  old_value: Json<unknown> | null;
  new_value: Json<unknown> | null;
  metadata: Json<Record<string, unknown>>;
}

export interface ZoneRow {
  id: string;
  account_id: string;
  /** ASCII, lower case. */
  name: string;
  /** The same in Unicode; null where nothing differs. */
  unicode_name: string | null;
  type: "full" | "partial" | "secondary" | "internal";
  status: "initializing" | "pending" | "active" | "moved";
  paused: Flag;
  plan: "free" | "pro" | "business" | "enterprise";
  vanity_name_servers: Json<string[]>;
  /** The delegation before the zone was added; null until it is looked up. */
  original_name_servers: Json<string[]> | null;
  verification_key: string | null;
  /** Updated with every change of records, so that lists need not count rows. */
  dns_record_count: number;
  /** Goes up by 1 with every change of the records. */
  dns_records_version: number;
  /** Serial of the SOA record, from 1 to 4,294,967,295; null until something changes what the zone answers. */
  dns_serial: number | null;
  /** Which version of the WAF managed rules is in force; `validation` is both. */
  waf: "previous" | "validation" | "new";
  /** When that version last changed; null if it never did. */
  waf_changed_on: Timestamp | null;
  /** When development mode ends or ended; null if it was never on. */
  development_mode_ends_on: Timestamp | null;
  created_on: Timestamp;
  modified_on: Timestamp;
  activated_on: Timestamp | null;
  /** When its delegation was last looked up. */
  checked_on: Timestamp | null;
}

export interface DnsRecordRow {
  id: string;
  zone_id: string;
  name: string;
  type: string;
  /** Lower case, for filters. */
  content_folded: string;
  /** The first characters of `content_folded`, short enough for an index of either engine. */
  content_prefix: string;
  ttl: number;
  proxied: Flag;
  /** Lower case; null without a comment. */
  comment_folded: string | null;
  /** SHA-256 of what identical records have in common. */
  identity: string;
  /** The record as the API answers it: compact JSON, `id` first. The other columns are its keys. */
  record: string;
}

/** A row for each tag; both columns are in lower case. */
export interface DnsRecordTagRow {
  record_id: string;
  tag_name: string;
  tag_value: string;
}

/** What the last scan of a zone found and nobody has accepted or rejected yet. */
export interface RecordScanRow {
  zone_id: string;
  /** Compact JSON: a list of records as the API answers them. */
  found: string;
}

/** A change of the records of a zone. Only the latest of a zone are kept. */
export interface DnsChangeRow {
  zone_id: string;
  /** The `dns_records_version` that it made. */
  version: number;
  /** The names at which records changed; null where they were too many to be listed. */
  names: Json<readonly string[]> | null;
  /** The zone's serial before and after; null of changes that were made before these were kept. */
  serial_before: number | null;
  serial: number | null;
  /**
   * What the changed records were before, by their ids, and null for new ones. Null in zones that are not transferred, and
   * where it would be too much.
   */
  records_before: Json<Readonly<Record<string, RecordBefore | null>>> | null;
}

/** What of a record is served. */
export interface RecordBefore extends StoredRecord {
  readonly name: string;
}

/** The settings of the server with which zones were last served; at most one row. */
export interface ServedWithRow {
  settings_digest: string;
}

/** Addresses from which all zones of an account may be transferred. */
export interface TransferAclRow {
  id: string;
  account_id: string;
  name: string;
  /** An address, or a range in CIDR notation. */
  ip_range: string;
  created_on: Timestamp;
}

/** A key that signs DNS messages (TSIG, RFC 8945). */
export interface TransferKeyRow {
  id: string;
  account_id: string;
  /** As it was sent; a domain name. */
  name: string;
  /** As it was sent, `hmac-sha256.` */
  algo: string;
  /** Base64. */
  secret: Sealed;
  created_on: Timestamp;
}

/** A name server to which zones are transferred. */
export interface TransferPeerRow {
  id: string;
  account_id: string;
  name: string;
  ip: string | null;
  port: number | null;
  ixfr_enable: Flag | null;
  key_id: string | null;
  /** Serial and digest of its catalog zone; null until it has been made. */
  catalog_serial: number | null;
  catalog_digest: string | null;
  /** The serial of the catalog zone that the peer was last notified of. */
  catalog_notified_serial: number | null;
  created_on: Timestamp;
}

/** That a zone is transferred to peers. */
export interface OutgoingTransferRow {
  zone_id: string;
  /** Name of the zone, as it was sent. */
  name: string;
  enabled: Flag;
  /** Changes before this serial are not transferred one by one. */
  backlog_serial: number;
  created_on: Timestamp;
  /** When a peer last answered a notification. */
  checked_on: Timestamp | null;
  /** When a transfer to a peer last ended. */
  transferred_on: Timestamp | null;
}

/** What a zone changed of how its DNS is answered. */
export interface ZoneDnsSettingsRow {
  zone_id: string;
  changed_settings: Json<DnsSettingsChange>;
}

/** What an account changed of that for its new zones. */
export interface AccountDnsSettingsRow {
  account_id: string;
  zone_defaults: Json<DnsSettingsChange>;
  /** Whether no name of any of its zones is proxied. */
  enforce_dns_only: Flag;
}

/** The keys of a zone that is signed. Keys are on the curve P-256, in base64. */
export interface ZoneDnssecRow {
  zone_id: string;
  status: "active" | "pending" | "disabled" | "pending-disabled" | "error";
  key_signing_key: Sealed;
  key_signing_public_key: string;
  zone_signing_key: Sealed;
  zone_signing_public_key: string;
  /** Null for what nobody has said. */
  multi_signer: Flag | null;
  presigned: Flag | null;
  use_nsec3: Flag | null;
  /** The day since 1970 on which it was last signed. */
  signed_day: number;
  modified_on: Timestamp;
  /** When the parent was last asked for its DS records. */
  checked_on: Timestamp | null;
}

/** That a zone is transferred from peers. */
export interface IncomingTransferRow {
  zone_id: string;
  /** Name of the zone, as it was sent. */
  name: string;
  auto_refresh_seconds: number;
  created_on: Timestamp;
  modified_on: Timestamp;
  /** When a peer last told its serial. */
  checked_on: Timestamp | null;
  /** What the zone's SOA and NS records said when it was last transferred; null until it was. */
  soa: Json<TransferredApex> | null;
  /** When peers are to be asked next. */
  due_on: Timestamp;
  /** When the zone is served no longer, unless a peer answers until then. */
  expires_on: Timestamp | null;
  /** Whether the next transfer is to be of the whole zone. */
  wants_whole: Flag;
}

/** What the SOA and NS records of a transferred zone say. */
export type TransferredApex = Omit<ZoneApex, "name">;

/** A peer that a zone is transferred from. */
export interface IncomingPeerRow {
  zone_id: string;
  peer_id: string;
  position: number;
}

/** A peer of a zone that is transferred. */
export interface OutgoingPeerRow {
  zone_id: string;
  peer_id: string;
  /** Place among the peers of the zone, from 0. */
  position: number;
  /** The serial that the peer was last notified of; null for none. */
  notified_serial: number | null;
}

/** A setting that was changed; settings without a row have their defaults. */
export interface ZoneSettingRow {
  zone_id: string;
  /** Name of the setting, `browser_cache_ttl`. */
  setting: string;
  value: Json<unknown>;
  modified_on: Timestamp;
}

/** The last subscription; the plan itself is in the zone. */
export interface ZoneSubscriptionRow {
  zone_id: string;
  /** As it was sent, `CF_PRO_20_20`. */
  rate_plan: string;
  frequency: "weekly" | "monthly" | "quarterly" | "yearly";
  started_on: Timestamp;
}

export interface ZoneHoldRow {
  zone_id: string;
  /** The zone is held from then on; null for never. */
  hold_after: Timestamp | null;
  include_subdomains: Flag;
}

/** A ruleset of a zone or of an account; its content is in its versions. */
export interface RulesetRow {
  id: string;
  zone_id: string | null;
  account_id: string | null;
  kind: Exclude<RulesetKind, "managed">;
  phase: Phase;
  /** The version that is in force. */
  version: number;
}

export interface RulesetVersionRow {
  ruleset_id: string;
  /** From 1. */
  version: number;
  name: string;
  description: string;
  /** As the API answers them. */
  rules: Json<Rule[]>;
  last_updated: Timestamp;
}

/** A list of an account, which expressions name. */
export interface ListRow {
  id: string;
  account_id: string;
  kind: ListKind;
  /** Unique in the account. */
  name: string;
  /** Null where none was sent. */
  description: string | null;
  /** Updated with every change of the items, so that nobody need count rows. */
  item_count: number;
  /** Goes up with every change of the items. */
  items_version: number;
  created_on: Timestamp;
  /** When the list or its items last changed. */
  modified_on: Timestamp;
}

export interface ListItemRow {
  id: string;
  list_id: string;
  /** Unique in the list, and what its items are sorted by. */
  item_key: string;
  /** As the API answers it. */
  value: Json<ListItemValue>;
  /** Null where none was sent. */
  comment: string | null;
  /** What a search looks at, in lower case. */
  searched: string;
  created_on: Timestamp;
  modified_on: Timestamp;
}

/** A change of the items of a list. At most one of an account has not ended. */
export interface ListOperationRow {
  id: string;
  account_id: string;
  /** May have been deleted since. */
  list_id: string;
  status: "pending" | "running" | "completed" | "failed";
  /** Why it failed. */
  error: string | null;
  /** What is to be done, and who asked for it; null once it has ended. */
  change: Json<ListChange> | null;
  requested_by: Json<Pick<Caller, "user" | "credential" | "address">> | null;
  created_on: Timestamp;
  ended_on: Timestamp | null;
}

/** How often a ruleset or a filter refers to a list of a name, which need not exist. */
export interface ListReferenceRow {
  /** Of the ruleset or the filter; the other one of the two columns below is null. */
  referrer_id: string;
  list_name: string;
  account_id: string;
  ruleset_id: string | null;
  filter_id: string | null;
  /** The rules that do; 1 for a filter. */
  uses: number;
}

/** An order and its progress. The certificates are rows of their own. */
export interface CertificatePackRow {
  /** UUID with dashes. */
  id: string;
  zone_id: string;
  type: "universal" | "advanced" | "total_tls";
  /** ASCII, lower case. */
  hosts: Json<string[]>;
  /** Stays `active` if its certificates expire. */
  status: "initializing" | "pending_validation" | "pending_issuance" | "active" | "validation_timed_out";
  validation_method: "txt" | "http" | "email";
  validity_days: number;
  certificate_authority: "google" | "lets_encrypt" | "ssl_com" | "digicert";
  cloudflare_branding: Flag;
  validation_errors: Json<{ message: string }[]>;
  validation_records: Json<{ status: string; txt_name: string; txt_value: string }[]>;
  /** Failed attempts in a row. */
  failures: number;
  /** When its next step is due; null for never. */
  step_on: Timestamp | null;
  /** When the first of its certificates in use expires. */
  expires_on: Timestamp | null;
  created_on: Timestamp;
}

/** Whether a zone has a universal pack; a zone without a row has. */
export interface UniversalSettingsRow {
  zone_id: string;
  enabled: Flag;
}

/** Whether a zone has Total TLS, and what of the zone the timer that orders its packs has seen. */
export interface TotalTlsRow {
  zone_id: string;
  enabled: Flag;
  certificate_authority: "google" | "lets_encrypt" | "ssl_com";
  /** Goes up when every name of the zone has to be looked at, not only those whose records changed. */
  revision: number;
  seen_revision: number;
  /** A `dns_records_version` of the zone. */
  seen_records_version: number;
}

/** A host for which Total TLS ordered a pack. */
export interface TotalTlsHostRow {
  zone_id: string;
  /** ASCII, lower case. */
  host: string;
  /** Null once somebody has deleted the pack: then none is ordered again. */
  pack_id: string | null;
}

/** A certificate of a pack and its key: in use (`active`), or to be issued and then to replace that. */
export interface PackCertificateRow {
  /** Also the serial number, if the local CA issues the certificate. */
  id: string;
  pack_id: string;
  key_type: "ecdsa" | "rsa";
  /** PKCS#8 in PEM. */
  private_key: Sealed;
  status: "initializing" | "active";
  /** URL of the order at an ACME CA; null before it is placed, and with the local CA. */
  order_url: string | null;
  /** PEM: the certificate, followed by those of its issuers; null until it is issued. */
  chain: string | null;
  hosts: Json<readonly string[]>;
  issuer: string | null;
  signature: string | null;
  issued_on: Timestamp | null;
  expires_on: Timestamp | null;
}

/** The local CA, one for each type of key, because clients that know only RSA cannot verify ECDSA signatures. */
export interface CertificateAuthorityRow {
  key_type: "ecdsa" | "rsa";
  /** PEM. */
  certificate: string;
  /** PKCS#8 in PEM. */
  private_key: Sealed;
  created_on: Timestamp;
}

/** A certificate that a user uploaded. */
export interface CustomCertificateRow {
  id: string;
  zone_id: string;
  type: "legacy_custom" | "sni_custom";
  /** PEM: the certificate, followed by those of its issuers. */
  chain: string;
  /** PKCS#8 in PEM. */
  private_key: Sealed;
  /** ASCII, lower case. */
  hosts: Json<readonly string[]>;
  issuer: string;
  signature: string;
  bundle_method: "ubiquitous" | "optimal" | "force";
  /** As it was sent. */
  geo_restrictions: Json<{ label: "us" | "eu" | "highest_security" }> | null;
  /** If two certificates cover a host, the one with the higher priority is used. */
  priority: number;
  uploaded_on: Timestamp;
  modified_on: Timestamp;
  expires_on: Timestamp;
}

/** Our account at a CA that speaks ACME. */
export interface AcmeAccountRow {
  directory_url: string;
  /** PKCS#8 in PEM. */
  private_key: Sealed;
  created_on: Timestamp;
}

/** How often what an edge makes of a zone has changed; triggers keep it (`migrations/0045-edge-versions.ts`). */
export interface EdgeVersionRow {
  zone_id: string;
  version: number;
}

/** An edge that runs on the database, or did until a short while ago. */
export interface EdgeRow {
  /** 32 hexadecimal characters, new with each start. */
  id: string;
  /** Name of the machine. */
  host: string;
  software_version: string;
  addresses: Json<EdgeAddresses>;
  /** How many it serves. */
  zones: number;
  started_on: Timestamp;
  seen_on: Timestamp;
  /** Since when what it serves may not be what the store says. */
  behind_since: Timestamp | null;
}

/** Where an edge listens, `127.0.0.1:8080`. */
export interface EdgeAddresses {
  readonly http: readonly string[];
  readonly https: readonly string[];
  readonly judge: readonly string[];
}

/** What one rule did about one request. Missing texts of the request are empty, missing numbers are 0. */
export interface SecurityEventRow {
  /** UUID with dashes, version 7: ids sort by time. */
  id: string;
  zone_id: string;
  /** When the request was evaluated, to the second. */
  datetime: Timestamp;
  /** The same for all events of one request: 16 hexadecimal characters. */
  ray_name: string;
  /** Place among the events of its request, from 0. */
  match_index: number;
  kind: "firewall";
  /** What acted: `firewallCustom`, `firewallManaged` (new WAF) or `waf` (previous WAF). */
  source: string;
  action: string;
  ruleset_id: string;
  rule_id: string;
  rule_message: string;
  client_ip: string;
  client_asn: string;
  client_country: string;
  user_agent: string;
  referer_host: string;
  /** This and the next two, and `request_scheme`, are empty in events of earlier versions. */
  referer_scheme: string;
  referer_path: string;
  referer_query: string;
  request_scheme: string;
  host: string;
  method: string;
  protocol: string;
  path: string;
  query: string;
  edge_status: number;
  origin_status: number;
  metadata: Json<readonly { readonly key: string; readonly value: string }[]>;
}

/** The password of a user; users without a row have none yet. */
export interface PasswordRow {
  user_id: string;
  /** Argon2id, in the PHC string format. */
  hash: string;
}

/** A browser that is signed in. */
export interface SessionRow {
  /** SHA-256 of the id that the cookie holds, hexadecimal. */
  id_hash: string;
  user_id: string;
  /** When a request last used it, updated with a delay of some seconds. */
  used_on: Timestamp;
  /** When it ends even if it is in use. */
  expires_on: Timestamp;
  /** When and from which address it began; null where it began before these were stored. */
  started_on: Timestamp | null;
  address: string | null;
  /** Whether a provider of identities has signed the user in, who answers for second factors too; null: no. */
  by_provider: Flag | null;
}

/** A link that lets a user set its password, once. */
export interface SignInLinkRow {
  /** SHA-256 of its token, hexadecimal. */
  token_hash: string;
  user_id: string;
  expires_on: Timestamp;
}

/** An encrypted Global API Key, which can be shown again; obsolete if the user has another one by now. */
interface KeptApiKeyRow {
  user_id: string;
  api_key: Sealed;
}

/** The secret of a user's authenticator app. */
export interface TotpSecretRow {
  user_id: string;
  /** In base32. */
  secret: Sealed;
  /** Null until the user has shown that the app has it. */
  confirmed_on: Timestamp | null;
  /** The time step of the last code that was accepted: neither it nor an earlier one is accepted again. */
  used_step: number;
}

/** A code that stands in for the second factor, once. */
export interface RecoveryCodeRow {
  user_id: string;
  /** SHA-256, hexadecimal. */
  code_hash: string;
}

/** A WebAuthn credential. */
export interface PasskeyRow {
  id: string;
  user_id: string;
  /** What the authenticator calls it, base64url. */
  credential_id: string;
  /** A COSE key, base64url. */
  public_key: string;
  /** How often the authenticator says that it has signed, at most 2^31 - 1; 0 for one that does not count. */
  signature_count: number;
  transports: Json<string[]>;
  /** The host name that it is for (`rpId`). */
  site: string;
  /** Of the user's choice. */
  name: string;
  created_on: Timestamp;
  last_used_on: Timestamp | null;
}

/** What a browser has to answer next: to sign in, or to add a passkey. */
export interface SignInChallengeRow {
  /** SHA-256 of its token, hexadecimal. */
  token_hash: string;
  user_id: string;
  purpose: "sign-in" | "new-passkey";
  /** What a passkey has to sign, base64url. */
  challenge: string;
  expires_on: Timestamp;
}

/** Exists while the store is being filled by a copy. */
interface UnfinishedCopyRow {
  started_on: Timestamp;
}
