import { accountParts, zoneParts, type AccountPart, type ZonePart } from "../storage/changes.ts";

type Part = ZonePart | AccountPart | "access";

interface ActionDescription {
  /** The `resource.type` of its entry: what it is about. */
  readonly subject: string;
  /**
   * Parts of the zone or of the account that owns the entry, and where a user owns it, of all of the user's
   * accounts: planes read them again. `access`: every caller is looked up again. Without any, nothing that is
   * remembered changes.
   */
  readonly affects: readonly Part[];
  readonly meaning: string;
}

const everything = [...zoneParts, ...accountParts] as const;

/** The actions of the audit log, by its `action.type`. */
export const auditActions = {
  ...about("zone", everything, { zone_add: "A zone was created" }),
  ...about("zone", "facts", {
    zone_edit: "A property of a zone was changed: paused, type, plan, vanity name servers",
    zone_status:
      "An activation check or the timer found a zone in another status, or another account's zone of the name took its place",
    zone_delete: "A zone was deleted with everything in it; `metadata.dns_records` counts its records",
  }),
  ...about("dns_record", "records", {
    rec_add: "A DNS record was created, alone or in a batch",
    rec_set: "A DNS record was replaced or edited, alone or in a batch",
    rec_del: "A DNS record was deleted, alone or in a batch",
  }),
  ...about("zone", "records", {
    rec_import: "A zone file was imported: one entry, whose `metadata` counts the records that it added",
    rec_scan:
      "The DNS was scanned for records: one entry, whose `metadata` counts the records that it found or added",
    rec_scan_review: "Records that a scan had found were accepted or rejected; `metadata` counts them",
  }),
  ...about("transfer_acl", "dns", {
    transfer_acl_add: "Addresses were allowed to transfer the zones of an account",
    transfer_acl_edit: "Addresses that may transfer zones were changed",
    transfer_acl_delete: "Addresses may no longer transfer zones",
  }),
  ...about("transfer_peer", "dns", {
    transfer_peer_add: "A peer of zone transfers was created",
    transfer_peer_edit: "A peer of zone transfers was changed",
    transfer_peer_delete: "A peer of zone transfers was deleted",
  }),
  ...about("tsig", "dns", {
    tsig_add: "A TSIG key was created",
    tsig_edit: "A TSIG key was changed",
    tsig_delete: "A TSIG key was deleted",
  }),
  ...about("outgoing_transfer", "transfers", {
    outgoing_transfer_add: "Peers were named to which a zone is transferred",
    outgoing_transfer_edit: "The peers of a zone were changed",
    outgoing_transfer_delete: "A zone has no peers any more",
    outgoing_transfer_enable: "Transfers of a zone to its peers were turned on",
    outgoing_transfer_disable: "Transfers of a zone to its peers were turned off",
    outgoing_transfer_notify: "The peers of a zone were notified by hand",
  }),
  ...about("dns_settings", ["facts", "settings"], {
    dns_settings_edit: "How the DNS of a zone is answered was changed: SOA, NS, flattening, zone mode",
  }),
  ...about("dns_settings", "dns", {
    account_dns_settings_edit: "The DNS settings of an account, for its new zones, were changed",
  }),
  ...about("dnssec", ["settings", "transfers"], {
    dnssec_edit: "DNSSEC of a zone was turned on or off, or changed",
  }),
  ...about("dnssec", "settings", {
    dnssec_status: "DNSSEC of a zone got another status as the DS records of its parent say so",
  }),
  ...about("dnssec", ["settings", "transfers"], {
    dnssec_delete: "The keys of a zone were deleted: it is not signed any more",
  }),
  ...about("incoming_transfer", "transfers", {
    incoming_transfer_add: "Peers were named from which a zone is transferred",
    incoming_transfer_edit: "The peers from which a zone is transferred were changed",
    incoming_transfer_delete: "A zone is transferred from nobody any more",
    incoming_transfer_force: "A transfer of a whole zone was asked for by hand",
  }),
  ...about("zone_setting", "settings", { change_setting: "A setting of a zone was changed" }),
  ...about("zone_subscription", "facts", { change_plan: "A zone was subscribed to a rate plan" }),
  ...about("zone", "facts", {
    subdomain_consent_add: "Another account was let have a zone below a zone",
    subdomain_consent_delete: "Another account may have a zone below a zone no longer",
  }),
  ...about("zone_hold", [], {
    hold_create: "A hold was put on a zone",
    hold_edit: "The hold of a zone was changed",
    hold_delete: "The hold of a zone was released",
  }),
  ...about("page_rule", "rules", {
    page_rule_add: "A page rule was created",
    page_rule_edit: "A page rule was replaced or edited",
    page_rule_delete: "A page rule was deleted",
  }),
  ...about("access_rule", "rules", {
    access_rule_add: "An access rule of a zone, an account or a user was created",
    access_rule_edit: "An access rule was changed",
    access_rule_delete: "An access rule was deleted",
  }),
  ...about("zone_lockdown", "rules", {
    zone_lockdown_add: "A zone lockdown was created",
    zone_lockdown_edit: "A zone lockdown was changed",
    zone_lockdown_delete: "A zone lockdown was deleted",
  }),
  ...about("user_agent_rule", "rules", {
    ua_rule_add: "A user-agent rule was created",
    ua_rule_edit: "A user-agent rule was changed",
    ua_rule_delete: "A user-agent rule was deleted",
  }),
  ...about("list", "rules", { list_create: "A list was created" }),
  ...about("list", [], { list_edit: "The description of a list was changed" }),
  ...about("list", "rules", {
    list_delete: "A list was deleted with its items",
    list_items_change:
      "Items of a list were added, replaced or removed: one entry, whose `metadata` counts them",
  }),
  ...about("url_normalization", "rules", {
    url_normalization_edit: "The URL normalization of a zone was set, or reset to its default",
  }),
  ...about("managed_transforms", "rules", {
    managed_transforms_edit: "Managed transforms of a zone were turned on or off",
  }),
  ...about("filter", "rules", {
    filter_add:
      "A filter was created on its own; one that was created with a firewall rule is in the rule's entry",
    filter_edit: "A filter was changed",
    filter_delete: "A filter was deleted",
  }),
  ...about("firewall_rule", "rules", {
    firewall_rule_add: "A firewall rule was created",
    firewall_rule_edit: "A firewall rule was changed",
    firewall_rule_delete: "A firewall rule was deleted",
  }),
  ...about("ruleset", "rules", {
    ruleset_create: "A ruleset was created, or an entry point was first written",
    ruleset_replace: "A ruleset was replaced, as a new version",
    rule_create: "A rule was added to a ruleset, as a new version",
    rule_edit: "A rule of a ruleset was changed or moved, as a new version",
    rule_delete: "A rule was removed from a ruleset, as a new version",
    ruleset_delete: "A ruleset was deleted with all of its versions",
  }),
  ...about("ruleset", [], { ruleset_version_delete: "An older version of a ruleset was deleted" }),
  ...about("zone", [], {
    waf_replay:
      "Recorded requests were run through both versions of the WAF managed rules; `metadata` counts them",
  }),
  ...about("zone", ["facts", "rules"], {
    waf_migrate: "A zone moved to the new WAF managed rules, or to both versions for validation",
  }),
  ...about("waf_package", "rules", {
    waf_package_edit: "The sensitivity or action of the previous WAF's OWASP package was changed",
  }),
  ...about("waf_group", "rules", {
    waf_group_edit: "A group of rules of the previous WAF was turned on or off",
  }),
  ...about("waf_rule", "rules", { waf_rule_edit: "The mode of a rule of the previous WAF was changed" }),
  ...about("waf_override", "rules", {
    waf_override_add: "A URI-based WAF override was created",
    waf_override_edit: "A URI-based WAF override was replaced",
    waf_override_delete: "A URI-based WAF override was deleted",
  }),
  ...about("certificate_pack", [], { certificate_pack_order: "A certificate pack was ordered" }),
  ...about("certificate_pack", "certificates", {
    certificate_pack_issue: "The certificates of a pack were issued, or renewed",
  }),
  ...about("certificate_pack", [], {
    certificate_pack_edit: "The validation of a certificate pack was restarted, or its branding changed",
  }),
  ...about("certificate_pack", "certificates", {
    certificate_pack_delete: "A certificate pack was deleted with its certificates and their keys",
  }),
  ...about("zone", [], {
    universal_ssl_edit: "The universal certificate pack of a zone was turned on or off",
    total_tls_edit: "Total TLS of a zone was turned on or off, or its authority changed",
  }),
  ...about("custom_certificate", "certificates", {
    custom_certificate_add: "A custom certificate was uploaded",
    custom_certificate_edit: "A custom certificate or its key was replaced",
    custom_certificate_prioritize: "The priority of a custom certificate was set",
    custom_certificate_delete: "A custom certificate and its key were deleted",
  }),
  ...about("web3_hostname", [], {
    web3_hostname_add: "A Web3 hostname was created",
    web3_hostname_edit: "The description or DNSLink of a Web3 hostname was changed",
    web3_hostname_delete: "A Web3 hostname was deleted",
    web3_content_list_edit: "The content list of a Web3 hostname was replaced",
  }),
  ...about("web3_content_list_entry", [], {
    web3_content_list_entry_add: "An entry was added to the content list of a Web3 hostname",
    web3_content_list_entry_edit: "An entry of the content list of a Web3 hostname was replaced",
    web3_content_list_entry_delete: "An entry of the content list of a Web3 hostname was deleted",
  }),
  ...about("zone", [], { purge: "A purge of the cache was requested; `metadata` says of what" }),
  ...about("user", "access", {
    user_create: "A user was created: by the operator, or by the link of an invite",
    user_edit: "A user changed its profile",
    sign_in: "A user signed in to the dashboard",
    single_sign_on: "A user signed in to the dashboard through the OpenID Connect provider",
    sign_out: "A user signed out of the dashboard",
    sessions_end: "A user ended sessions of its own in other browsers",
  }),
  ...about("user", [], {
    sign_in_link_create: "The operator created a one-time link for a user to set a password",
  }),
  ...about("user", "access", {
    password_set: "A user set a password through a one-time link or the link of an invite, and was signed in",
    password_change: "A user changed the password, which ended the user's other sessions",
    totp_add: "A user set up an authenticator app for two-factor sign-in",
    totp_remove: "A user removed its authenticator app",
    passkey_add: "A user added a passkey",
    passkey_remove: "A user removed a passkey",
  }),
  ...about("user", [], {
    recovery_codes_make: "A user made new recovery codes",
    recovery_code_use: "A user signed in with a recovery code in place of the second factor",
  }),
  ...about("user", "access", {
    two_factor_reset: "The operator removed the second factors of a user on the host",
  }),
  ...about("user", [], { api_key_view: "A user viewed the Global API Key" }),
  ...about("user", "access", { api_key_change: "A user changed the Global API Key" }),
  ...about("account", [...everything, "access"], { account_add: "The owner created an account" }),
  ...about("account", "access", {
    account_edit: "The name or a setting of an account was changed",
    account_delete: "The owner deleted an account; `metadata` counts what went with it",
  }),
  ...about("member", "access", {
    invite_send: "Somebody was invited to an account",
    invite_link_create: "A link was made by which somebody who is invited becomes a user; one before ended",
  }),
  ...about("member", ["rules", "access"], {
    invite_accept: "An invite was accepted, and the user is a member",
  }),
  ...about("member", "access", { invite_reject: "An invite was rejected" }),
  ...about("user", ["rules", "access"], {
    member_add: "The operator made a user a member without an invite",
  }),
  ...about("member", ["rules", "access"], {
    member_edit: "The roles or policies of a member or of an invite were changed",
    member_remove: "A member was removed, or an invite withdrawn",
    member_leave: "A member left, or dropped an invite",
  }),
  ...about("resource_group", "access", {
    resource_group_add: "A resource group was created",
    resource_group_edit: "A resource group was changed, and with it what policies of members cover",
    resource_group_delete: "A resource group that no policy names was deleted",
  }),
  ...about("user_group", "access", {
    user_group_add: "A user group was created",
    user_group_edit:
      "The name or the policies of a user group were changed, and with them what its members may do",
    user_group_delete: "A user group was deleted, and its members lost what it gave",
    user_group_members_edit: "Members were added to a user group or removed from it",
  }),
  ...about("token", "access", {
    token_create: "An API token was created",
    token_update: "An API token was replaced; its secret is the same",
    token_roll: "An API token got a new secret",
    token_delete: "An API token was deleted",
  }),
};

export type AuditAction = keyof typeof auditActions;

/** Actions about one subject that affect the same parts, with their meanings. */
function about<Action extends string>(
  subject: string,
  affects: Part | readonly Part[],
  meanings: Readonly<Record<Action, string>>,
): Readonly<Record<Action, ActionDescription>> {
  const described = Object.entries<string>(meanings).map(
    ([action, meaning]) => [action, { subject, affects: [affects].flat(), meaning }] as const,
  );
  return Object.fromEntries<ActionDescription>(described) as Record<Action, ActionDescription>;
}
