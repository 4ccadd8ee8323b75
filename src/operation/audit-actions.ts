import { accountParts, zoneParts, type AccountPart, type ZonePart } from "../storage/changes.ts";

type Part = ZonePart | AccountPart | "access";

interface ActionDescription {
  /** The `resource.type` of its entry: what it is about. */
  readonly subject: string;
  /**
   * Parts of the zone or of the account that owns the entry, and where a user owns it, of all of the user's
   * accounts: planes read them again. `access`: every caller is looked up again. Without, nothing that is
   * remembered.
   */
  readonly affects?: Part | readonly Part[];
  readonly meaning: string;
}

const everything = [...zoneParts, ...accountParts] as const;

/** The actions of the audit log, by its `action.type`. */
export const auditActions = {
  zone_add: { subject: "zone", affects: everything, meaning: "A zone was created" },
  zone_edit: {
    subject: "zone",
    affects: "facts",
    meaning: "A property of a zone was changed: paused, type, plan, vanity name servers",
  },
  zone_status: {
    subject: "zone",
    affects: "facts",
    meaning:
      "An activation check or the timer found a zone in another status, or another account's zone of the name took its place",
  },
  zone_delete: {
    subject: "zone",
    affects: "facts",
    meaning: "A zone was deleted with everything in it; `metadata.dns_records` counts its records",
  },
  rec_add: {
    subject: "dns_record",
    affects: "records",
    meaning: "A DNS record was created, alone or in a batch",
  },
  rec_set: {
    subject: "dns_record",
    affects: "records",
    meaning: "A DNS record was replaced or edited, alone or in a batch",
  },
  rec_del: {
    subject: "dns_record",
    affects: "records",
    meaning: "A DNS record was deleted, alone or in a batch",
  },
  rec_import: {
    subject: "zone",
    affects: "records",
    meaning: "A zone file was imported: one entry, whose `metadata` counts the records that it added",
  },
  rec_scan: {
    subject: "zone",
    affects: "records",
    meaning:
      "The DNS was scanned for records: one entry, whose `metadata` counts the records that it found or added",
  },
  rec_scan_review: {
    subject: "zone",
    affects: "records",
    meaning: "Records that a scan had found were accepted or rejected; `metadata` counts them",
  },
  transfer_acl_add: {
    subject: "transfer_acl",
    affects: "dns",
    meaning: "Addresses were allowed to transfer the zones of an account",
  },
  transfer_acl_edit: {
    subject: "transfer_acl",
    affects: "dns",
    meaning: "Addresses that may transfer zones were changed",
  },
  transfer_acl_delete: {
    subject: "transfer_acl",
    affects: "dns",
    meaning: "Addresses may no longer transfer zones",
  },
  transfer_peer_add: {
    subject: "transfer_peer",
    affects: "dns",
    meaning: "A peer of zone transfers was created",
  },
  transfer_peer_edit: {
    subject: "transfer_peer",
    affects: "dns",
    meaning: "A peer of zone transfers was changed",
  },
  transfer_peer_delete: {
    subject: "transfer_peer",
    affects: "dns",
    meaning: "A peer of zone transfers was deleted",
  },
  tsig_add: { subject: "tsig", affects: "dns", meaning: "A TSIG key was created" },
  tsig_edit: { subject: "tsig", affects: "dns", meaning: "A TSIG key was changed" },
  tsig_delete: { subject: "tsig", affects: "dns", meaning: "A TSIG key was deleted" },
  outgoing_transfer_add: {
    subject: "outgoing_transfer",
    affects: "transfers",
    meaning: "Peers were named to which a zone is transferred",
  },
  outgoing_transfer_edit: {
    subject: "outgoing_transfer",
    affects: "transfers",
    meaning: "The peers of a zone were changed",
  },
  outgoing_transfer_delete: {
    subject: "outgoing_transfer",
    affects: "transfers",
    meaning: "A zone has no peers any more",
  },
  outgoing_transfer_enable: {
    subject: "outgoing_transfer",
    affects: "transfers",
    meaning: "Transfers of a zone to its peers were turned on",
  },
  outgoing_transfer_disable: {
    subject: "outgoing_transfer",
    affects: "transfers",
    meaning: "Transfers of a zone to its peers were turned off",
  },
  outgoing_transfer_notify: {
    subject: "outgoing_transfer",
    affects: "transfers",
    meaning: "The peers of a zone were notified by hand",
  },
  dns_settings_edit: {
    subject: "dns_settings",
    affects: ["facts", "settings"],
    meaning: "How the DNS of a zone is answered was changed: SOA, NS, flattening, zone mode",
  },
  account_dns_settings_edit: {
    subject: "dns_settings",
    affects: "dns",
    meaning: "The DNS settings of an account, for its new zones, were changed",
  },
  dnssec_edit: {
    subject: "dnssec",
    affects: ["settings", "transfers"],
    meaning: "DNSSEC of a zone was turned on or off, or changed",
  },
  dnssec_status: {
    subject: "dnssec",
    affects: "settings",
    meaning: "DNSSEC of a zone got another status as the DS records of its parent say so",
  },
  dnssec_delete: {
    subject: "dnssec",
    affects: ["settings", "transfers"],
    meaning: "The keys of a zone were deleted: it is not signed any more",
  },
  incoming_transfer_add: {
    subject: "incoming_transfer",
    affects: "transfers",
    meaning: "Peers were named from which a zone is transferred",
  },
  incoming_transfer_edit: {
    subject: "incoming_transfer",
    affects: "transfers",
    meaning: "The peers from which a zone is transferred were changed",
  },
  incoming_transfer_delete: {
    subject: "incoming_transfer",
    affects: "transfers",
    meaning: "A zone is transferred from nobody any more",
  },
  incoming_transfer_force: {
    subject: "incoming_transfer",
    affects: "transfers",
    meaning: "A transfer of a whole zone was asked for by hand",
  },
  change_setting: {
    subject: "zone_setting",
    affects: "settings",
    meaning: "A setting of a zone was changed",
  },
  change_plan: {
    subject: "zone_subscription",
    affects: "facts",
    meaning: "A zone was subscribed to a rate plan",
  },
  subdomain_consent_add: {
    subject: "zone",
    affects: "facts",
    meaning: "Another account was let have a zone below a zone",
  },
  subdomain_consent_delete: {
    subject: "zone",
    affects: "facts",
    meaning: "Another account may have a zone below a zone no longer",
  },
  hold_create: { subject: "zone_hold", meaning: "A hold was put on a zone" },
  hold_edit: { subject: "zone_hold", meaning: "The hold of a zone was changed" },
  hold_delete: { subject: "zone_hold", meaning: "The hold of a zone was released" },
  page_rule_add: { subject: "page_rule", affects: "rules", meaning: "A page rule was created" },
  page_rule_edit: { subject: "page_rule", affects: "rules", meaning: "A page rule was replaced or edited" },
  page_rule_delete: { subject: "page_rule", affects: "rules", meaning: "A page rule was deleted" },
  access_rule_add: {
    subject: "access_rule",
    affects: "rules",
    meaning: "An access rule of a zone, an account or a user was created",
  },
  access_rule_edit: { subject: "access_rule", affects: "rules", meaning: "An access rule was changed" },
  access_rule_delete: { subject: "access_rule", affects: "rules", meaning: "An access rule was deleted" },
  zone_lockdown_add: { subject: "zone_lockdown", affects: "rules", meaning: "A zone lockdown was created" },
  zone_lockdown_edit: { subject: "zone_lockdown", affects: "rules", meaning: "A zone lockdown was changed" },
  zone_lockdown_delete: {
    subject: "zone_lockdown",
    affects: "rules",
    meaning: "A zone lockdown was deleted",
  },
  ua_rule_add: { subject: "user_agent_rule", affects: "rules", meaning: "A user-agent rule was created" },
  ua_rule_edit: { subject: "user_agent_rule", affects: "rules", meaning: "A user-agent rule was changed" },
  ua_rule_delete: { subject: "user_agent_rule", affects: "rules", meaning: "A user-agent rule was deleted" },
  list_create: { subject: "list", affects: "rules", meaning: "A list was created" },
  list_edit: { subject: "list", meaning: "The description of a list was changed" },
  list_delete: { subject: "list", affects: "rules", meaning: "A list was deleted with its items" },
  list_items_change: {
    subject: "list",
    affects: "rules",
    meaning: "Items of a list were added, replaced or removed: one entry, whose `metadata` counts them",
  },
  url_normalization_edit: {
    subject: "url_normalization",
    affects: "rules",
    meaning: "The URL normalization of a zone was set, or reset to its default",
  },
  managed_transforms_edit: {
    subject: "managed_transforms",
    affects: "rules",
    meaning: "Managed transforms of a zone were turned on or off",
  },
  filter_add: {
    subject: "filter",
    affects: "rules",
    meaning:
      "A filter was created on its own; one that was created with a firewall rule is in the rule's entry",
  },
  filter_edit: { subject: "filter", affects: "rules", meaning: "A filter was changed" },
  filter_delete: { subject: "filter", affects: "rules", meaning: "A filter was deleted" },
  firewall_rule_add: { subject: "firewall_rule", affects: "rules", meaning: "A firewall rule was created" },
  firewall_rule_edit: { subject: "firewall_rule", affects: "rules", meaning: "A firewall rule was changed" },
  firewall_rule_delete: {
    subject: "firewall_rule",
    affects: "rules",
    meaning: "A firewall rule was deleted",
  },
  ruleset_create: {
    subject: "ruleset",
    affects: "rules",
    meaning: "A ruleset was created, or an entry point was first written",
  },
  ruleset_replace: {
    subject: "ruleset",
    affects: "rules",
    meaning: "A ruleset was replaced, as a new version",
  },
  rule_create: {
    subject: "ruleset",
    affects: "rules",
    meaning: "A rule was added to a ruleset, as a new version",
  },
  rule_edit: {
    subject: "ruleset",
    affects: "rules",
    meaning: "A rule of a ruleset was changed or moved, as a new version",
  },
  rule_delete: {
    subject: "ruleset",
    affects: "rules",
    meaning: "A rule was removed from a ruleset, as a new version",
  },
  ruleset_delete: {
    subject: "ruleset",
    affects: "rules",
    meaning: "A ruleset was deleted with all of its versions",
  },
  ruleset_version_delete: {
    subject: "ruleset",
    meaning: "An older version of a ruleset was deleted",
  },
  waf_replay: {
    subject: "zone",
    meaning:
      "Recorded requests were run through both versions of the WAF managed rules; `metadata` counts them",
  },
  waf_migrate: {
    subject: "zone",
    affects: ["facts", "rules"],
    meaning: "A zone moved to the new WAF managed rules, or to both versions for validation",
  },
  waf_package_edit: {
    subject: "waf_package",
    affects: "rules",
    meaning: "The sensitivity or action of the previous WAF's OWASP package was changed",
  },
  waf_group_edit: {
    subject: "waf_group",
    affects: "rules",
    meaning: "A group of rules of the previous WAF was turned on or off",
  },
  waf_rule_edit: {
    subject: "waf_rule",
    affects: "rules",
    meaning: "The mode of a rule of the previous WAF was changed",
  },
  waf_override_add: {
    subject: "waf_override",
    affects: "rules",
    meaning: "A URI-based WAF override was created",
  },
  waf_override_edit: {
    subject: "waf_override",
    affects: "rules",
    meaning: "A URI-based WAF override was replaced",
  },
  waf_override_delete: {
    subject: "waf_override",
    affects: "rules",
    meaning: "A URI-based WAF override was deleted",
  },
  certificate_pack_order: {
    subject: "certificate_pack",
    meaning: "A certificate pack was ordered",
  },
  certificate_pack_issue: {
    subject: "certificate_pack",
    affects: "certificates",
    meaning: "The certificates of a pack were issued, or renewed",
  },
  certificate_pack_edit: {
    subject: "certificate_pack",
    meaning: "The validation of a certificate pack was restarted, or its branding changed",
  },
  certificate_pack_delete: {
    subject: "certificate_pack",
    affects: "certificates",
    meaning: "A certificate pack was deleted with its certificates and their keys",
  },
  universal_ssl_edit: {
    subject: "zone",
    meaning: "The universal certificate pack of a zone was turned on or off",
  },
  total_tls_edit: {
    subject: "zone",
    meaning: "Total TLS of a zone was turned on or off, or its authority changed",
  },
  custom_certificate_add: {
    subject: "custom_certificate",
    affects: "certificates",
    meaning: "A custom certificate was uploaded",
  },
  custom_certificate_edit: {
    subject: "custom_certificate",
    affects: "certificates",
    meaning: "A custom certificate or its key was replaced",
  },
  custom_certificate_prioritize: {
    subject: "custom_certificate",
    affects: "certificates",
    meaning: "The priority of a custom certificate was set",
  },
  custom_certificate_delete: {
    subject: "custom_certificate",
    affects: "certificates",
    meaning: "A custom certificate and its key were deleted",
  },
  web3_hostname_add: { subject: "web3_hostname", meaning: "A Web3 hostname was created" },
  web3_hostname_edit: {
    subject: "web3_hostname",
    meaning: "The description or DNSLink of a Web3 hostname was changed",
  },
  web3_hostname_delete: { subject: "web3_hostname", meaning: "A Web3 hostname was deleted" },
  web3_content_list_edit: {
    subject: "web3_hostname",
    meaning: "The content list of a Web3 hostname was replaced",
  },
  web3_content_list_entry_add: {
    subject: "web3_content_list_entry",
    meaning: "An entry was added to the content list of a Web3 hostname",
  },
  web3_content_list_entry_edit: {
    subject: "web3_content_list_entry",
    meaning: "An entry of the content list of a Web3 hostname was replaced",
  },
  web3_content_list_entry_delete: {
    subject: "web3_content_list_entry",
    meaning: "An entry of the content list of a Web3 hostname was deleted",
  },
  purge: { subject: "zone", meaning: "A purge of the cache was requested; `metadata` says of what" },
  user_create: {
    subject: "user",
    affects: "access",
    meaning: "A user was created: by the operator, or by the link of an invite",
  },
  user_edit: { subject: "user", affects: "access", meaning: "A user changed its profile" },
  sign_in: {
    subject: "user",
    affects: "access",
    meaning: "A user signed in to the dashboard",
  },
  single_sign_on: {
    subject: "user",
    affects: "access",
    meaning: "A user signed in to the dashboard through the OpenID Connect provider",
  },
  sign_out: { subject: "user", affects: "access", meaning: "A user signed out of the dashboard" },
  sessions_end: {
    subject: "user",
    affects: "access",
    meaning: "A user ended sessions of its own in other browsers",
  },
  sign_in_link_create: {
    subject: "user",
    meaning: "The operator created a one-time link for a user to set a password",
  },
  password_set: {
    subject: "user",
    affects: "access",
    meaning: "A user set a password through a one-time link or the link of an invite, and was signed in",
  },
  password_change: {
    subject: "user",
    affects: "access",
    meaning: "A user changed the password, which ended the user's other sessions",
  },
  totp_add: {
    subject: "user",
    affects: "access",
    meaning: "A user set up an authenticator app for two-factor sign-in",
  },
  totp_remove: { subject: "user", affects: "access", meaning: "A user removed its authenticator app" },
  passkey_add: { subject: "user", affects: "access", meaning: "A user added a passkey" },
  passkey_remove: { subject: "user", affects: "access", meaning: "A user removed a passkey" },
  recovery_codes_make: { subject: "user", meaning: "A user made new recovery codes" },
  recovery_code_use: {
    subject: "user",
    meaning: "A user signed in with a recovery code in place of the second factor",
  },
  two_factor_reset: {
    subject: "user",
    affects: "access",
    meaning: "The operator removed the second factors of a user on the host",
  },
  api_key_view: { subject: "user", meaning: "A user viewed the Global API Key" },
  api_key_change: { subject: "user", affects: "access", meaning: "A user changed the Global API Key" },
  account_add: {
    subject: "account",
    affects: [...everything, "access"],
    meaning: "The owner created an account",
  },
  account_edit: {
    subject: "account",
    affects: "access",
    meaning: "The name or a setting of an account was changed",
  },
  account_delete: {
    subject: "account",
    affects: "access",
    meaning: "The owner deleted an account; `metadata` counts what went with it",
  },
  invite_send: { subject: "member", affects: "access", meaning: "Somebody was invited to an account" },
  invite_link_create: {
    subject: "member",
    affects: "access",
    meaning: "A link was made by which somebody who is invited becomes a user; one before ended",
  },
  invite_accept: {
    subject: "member",
    affects: ["rules", "access"],
    meaning: "An invite was accepted, and the user is a member",
  },
  invite_reject: { subject: "member", affects: "access", meaning: "An invite was rejected" },
  member_add: {
    subject: "user",
    affects: ["rules", "access"],
    meaning: "The operator made a user a member without an invite",
  },
  member_edit: {
    subject: "member",
    affects: ["rules", "access"],
    meaning: "The roles or policies of a member or of an invite were changed",
  },
  member_remove: {
    subject: "member",
    affects: ["rules", "access"],
    meaning: "A member was removed, or an invite withdrawn",
  },
  member_leave: {
    subject: "member",
    affects: ["rules", "access"],
    meaning: "A member left, or dropped an invite",
  },
  resource_group_add: {
    subject: "resource_group",
    affects: "access",
    meaning: "A resource group was created",
  },
  resource_group_edit: {
    subject: "resource_group",
    affects: "access",
    meaning: "A resource group was changed, and with it what policies of members cover",
  },
  resource_group_delete: {
    subject: "resource_group",
    affects: "access",
    meaning: "A resource group that no policy names was deleted",
  },
  user_group_add: { subject: "user_group", affects: "access", meaning: "A user group was created" },
  user_group_edit: {
    subject: "user_group",
    affects: "access",
    meaning: "The name or the policies of a user group were changed, and with them what its members may do",
  },
  user_group_delete: {
    subject: "user_group",
    affects: "access",
    meaning: "A user group was deleted, and its members lost what it gave",
  },
  user_group_members_edit: {
    subject: "user_group",
    affects: "access",
    meaning: "Members were added to a user group or removed from it",
  },
  token_create: { subject: "token", affects: "access", meaning: "An API token was created" },
  token_update: {
    subject: "token",
    affects: "access",
    meaning: "An API token was replaced; its secret is the same",
  },
  token_roll: { subject: "token", affects: "access", meaning: "An API token got a new secret" },
  token_delete: { subject: "token", affects: "access", meaning: "An API token was deleted" },
} as const satisfies Readonly<Record<string, ActionDescription>>;

export type AuditAction = keyof typeof auditActions;

export function partsAffectedBy(action: AuditAction): readonly Part[] {
  const { affects = [] }: ActionDescription = auditActions[action];
  return typeof affects === "string" ? [affects] : affects;
}
