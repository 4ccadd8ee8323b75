import type { AuditAction } from "../../../../src/operation/audit-actions.ts";
import type { AuditLog } from "../../../../src/resources/audit-logs/schema.ts";
import { counted } from "../../components/counted.ts";
import { valueText, wordsOf } from "../../components/setting-words.ts";
import { phaseTexts } from "../../rule-phases.ts";

type Entry = Pick<AuditLog, "action" | "resource" | "metadata" | "oldValueJson" | "newValueJson">;
type Value = Readonly<Record<string, unknown>>;

/** The words before the name of the thing, or the whole sentence. */
type Sentence = string | ((entry: Entry) => string);

const sentences: Readonly<Record<AuditAction, Sentence>> = {
  zone_add: "Added the zone",
  zone_edit: "Changed the zone",
  zone_status: ({ newValueJson }) => `Found the zone to be ${shown(asValue(newValueJson)["status"])}`,
  zone_delete: "Deleted the zone",
  subdomain_consent_add: ({ newValueJson }) =>
    `Let another account have the zone ${shown(asValue(newValueJson)["name"])}`,
  subdomain_consent_delete: ({ oldValueJson }) =>
    `Let another account have the zone ${shown(asValue(oldValueJson)["name"])} no longer`,
  rec_add: "Added the",
  rec_set: "Changed the",
  rec_del: "Deleted the",
  rec_import: ({ metadata }) => `Imported a zone file: ${countIn(metadata, "recs_added", "record")} added`,
  rec_scan: ({ metadata }) => `Scanned the DNS: ${countIn(metadata, "recs_added", "record")} added`,
  rec_scan_review: ({ metadata }) =>
    `Reviewed the records that a scan found: ${shown(metadata["accepted"] ?? 0)} accepted, ${shown(metadata["rejected"] ?? 0)} rejected`,
  transfer_acl_add: "Added the transfer ACL",
  transfer_acl_edit: "Changed the transfer ACL",
  transfer_acl_delete: "Deleted the transfer ACL",
  transfer_peer_add: "Added the transfer peer",
  transfer_peer_edit: "Changed the transfer peer",
  transfer_peer_delete: "Deleted the transfer peer",
  tsig_add: "Added the TSIG key",
  tsig_edit: "Changed the TSIG key",
  tsig_delete: "Deleted the TSIG key",
  outgoing_transfer_add: () => "Named the peers to which the zone is transferred",
  outgoing_transfer_edit: () => "Changed the peers to which the zone is transferred",
  outgoing_transfer_delete: () => "Removed the peers to which the zone was transferred",
  outgoing_transfer_enable: () => "Turned on transfers to the peers",
  outgoing_transfer_disable: () => "Turned off transfers to the peers",
  outgoing_transfer_notify: () => "Notified the peers of the zone",
  dns_settings_edit: () => "Changed the DNS settings of the zone",
  account_dns_settings_edit: () => "Changed the DNS settings for new zones",
  dnssec_edit: ({ newValueJson }) =>
    asValue(newValueJson)["status"] === "disabled" ? "Turned off DNSSEC" : "Changed DNSSEC of the zone",
  dnssec_status: ({ newValueJson }) => `Found DNSSEC to be ${shown(asValue(newValueJson)["status"])}`,
  dnssec_delete: () => "Deleted the DNSSEC keys of the zone",
  incoming_transfer_add: () => "Named the peers from which the zone is transferred",
  incoming_transfer_edit: () => "Changed the peers from which the zone is transferred",
  incoming_transfer_delete: () => "Removed the peers from which the zone was transferred",
  incoming_transfer_force: () => "Asked for a transfer of the whole zone",
  change_setting: ({ newValueJson, resource }) => {
    const { id = resource.id, value } = asValue(newValueJson);
    return `Set ${wordsOf(String(id))} to ${valueText(String(id), value)}`;
  },
  change_plan: ({ newValueJson }) => {
    const plan = asValue(asValue(newValueJson)["rate_plan"])["public_name"];
    return plan === undefined ? "Changed the plan" : `Changed the plan to ${shown(plan)}`;
  },
  hold_create: () => "Put a hold on the zone",
  hold_edit: () => "Changed the hold of the zone",
  hold_delete: () => "Released the hold of the zone",
  page_rule_add: "Added the page rule",
  page_rule_edit: "Changed the page rule",
  page_rule_delete: "Deleted the page rule",
  access_rule_add: "Added the IP access rule",
  access_rule_edit: "Changed the IP access rule",
  access_rule_delete: "Deleted the IP access rule",
  zone_lockdown_add: "Added the zone lockdown",
  zone_lockdown_edit: "Changed the zone lockdown",
  zone_lockdown_delete: "Deleted the zone lockdown",
  ua_rule_add: "Added the user agent rule",
  ua_rule_edit: "Changed the user agent rule",
  ua_rule_delete: "Deleted the user agent rule",
  list_create: "Created the list",
  list_edit: "Changed the list",
  list_delete: "Deleted the list",
  list_items_change: ({ metadata }) =>
    `Changed the items of a list: ${["added", "replaced", "removed"]
      .map((change) => `${shown(metadata[change] ?? 0)} ${change}`)
      .join(", ")}`,
  url_normalization_edit: () => "Changed the URL normalization",
  managed_transforms_edit: () => "Changed the managed transforms",
  filter_add: "Added the filter",
  filter_edit: "Changed the filter",
  filter_delete: "Deleted the filter",
  firewall_rule_add: "Added the firewall rule",
  firewall_rule_edit: "Changed the firewall rule",
  firewall_rule_delete: "Deleted the firewall rule",
  ruleset_create: (entry) => `Created the ruleset of ${phaseOf(entry)}`,
  ruleset_replace: (entry) => `Replaced the ruleset of ${phaseOf(entry)}`,
  rule_create: (entry) => `Added ${ruleOf(entry)} to ${phaseOf(entry)}`,
  rule_edit: (entry) => `Changed ${ruleOf(entry)} of ${phaseOf(entry)}`,
  rule_delete: (entry) => `Deleted ${ruleOf(entry)} of ${phaseOf(entry)}`,
  ruleset_delete: (entry) => `Deleted the ruleset of ${phaseOf(entry)}`,
  ruleset_version_delete: (entry) => `Deleted an older version of the ruleset of ${phaseOf(entry)}`,
  waf_replay: ({ metadata }) => `Replayed ${countIn(metadata, "requests", "recorded request")}`,
  waf_migrate: ({ newValueJson }) =>
    asValue(newValueJson)["migration_state"] === "validation"
      ? "Put the new WAF managed rules beside the previous ones"
      : "Moved the zone to the new WAF managed rules",
  waf_package_edit: "Changed the package of WAF rules",
  waf_group_edit: "Changed the group of WAF rules",
  waf_rule_edit: "Changed the mode of the WAF rule",
  waf_override_add: "Added the WAF override",
  waf_override_edit: "Changed the WAF override",
  waf_override_delete: "Deleted the WAF override",
  certificate_pack_order: "Ordered the certificate pack",
  certificate_pack_issue: "Issued the certificates of the pack",
  certificate_pack_edit: "Changed the certificate pack",
  certificate_pack_delete: "Deleted the certificate pack",
  universal_ssl_edit: ({ newValueJson }) => turned(newValueJson, "the universal certificate pack"),
  total_tls_edit: ({ newValueJson }) => turned(newValueJson, "Total TLS"),
  custom_certificate_add: "Uploaded the custom certificate",
  custom_certificate_edit: "Replaced the custom certificate",
  custom_certificate_prioritize: "Changed the priority of the custom certificate",
  custom_certificate_delete: "Deleted the custom certificate",
  web3_hostname_add: "Added the Web3 hostname",
  web3_hostname_edit: "Changed the Web3 hostname",
  web3_hostname_delete: "Deleted the Web3 hostname",
  web3_content_list_edit: () => "Replaced the content list of a Web3 hostname",
  web3_content_list_entry_add: "Added the content list entry",
  web3_content_list_entry_edit: "Changed the content list entry",
  web3_content_list_entry_delete: "Deleted the content list entry",
  purge: () => "Purged the cache",
  user_create: "Created the user",
  user_edit: () => "Changed the profile",
  sign_in: () => "Signed in",
  single_sign_on: () => "Signed in through single sign-on",
  sign_out: () => "Signed out",
  sessions_end: () => "Signed out in other browsers",
  sign_in_link_create: () => "Made a one-time link to sign in",
  password_set: () => "Set a password through a one-time link",
  password_change: () => "Changed the password",
  totp_add: () => "Set up an authenticator app",
  totp_remove: () => "Removed the authenticator app",
  passkey_add: () => "Added a passkey",
  passkey_remove: () => "Removed a passkey",
  recovery_codes_make: () => "Made new recovery codes",
  recovery_code_use: () => "Signed in with a recovery code",
  two_factor_reset: () => "Removed the second factors, on the host",
  api_key_view: () => "Viewed the Global API Key",
  api_key_change: () => "Changed the Global API Key",
  account_add: "Added the account",
  account_edit: "Changed the account",
  account_delete: "Deleted the account",
  invite_send: "Invited",
  invite_link_create: "Made a link for the invite of",
  invite_accept: () => "Accepted the invite",
  invite_reject: () => "Rejected the invite",
  member_add: "Added the member",
  member_edit: "Changed the rights of",
  member_remove: "Removed the member",
  member_leave: () => "Left the account",
  resource_group_add: "Added the resource group",
  resource_group_edit: "Changed the resource group",
  resource_group_delete: "Deleted the resource group",
  user_group_add: "Added the user group",
  user_group_edit: "Changed the user group",
  user_group_delete: "Deleted the user group",
  user_group_members_edit: "Changed the members of the user group",
  token_create: "Created the API token",
  token_update: "Changed the API token",
  token_roll: "Rolled the secret of the API token",
  token_delete: "Deleted the API token",
};

/** One change as a sentence without a full stop: "Added the A record www.example.com, 192.0.2.1". */
export function auditSentence(entry: Entry): string {
  const { type } = entry.action;
  if (!isKnown(type)) return sentenceCase(spaced(type));
  const sentence = sentences[type];
  return typeof sentence === "string" ? `${sentence} ${nameOf(entry)}` : sentence(entry);
}

/** Entries of a later version may have others. */
function isKnown(type: string): type is AuditAction {
  return Object.hasOwn(sentences, type);
}

function nameOf({ resource, oldValueJson, newValueJson }: Entry): string {
  const value = asValue(newValueJson ?? oldValueJson);
  if (resource.type === "dns_record") {
    const { type, name, content } = value;
    return `${shown(type)} record ${shown(name)}, ${shown(content)}`;
  }
  const { name, email, description, configuration, targets, urls, hosts, content, expression, filter } =
    value;
  const [target] = Array.isArray(targets) ? targets : [];
  const names = [name, email, asValue(configuration)["value"], quoted(description), urls, hosts, content];
  const conditions = [
    asValue(asValue(target)["constraint"])["value"],
    expression,
    asValue(filter)["expression"],
  ];
  // A resource without a name of its own has an id.
  return shown([...names, ...conditions].find(isSaid) ?? resource.id);
}

function ruleOf({ oldValueJson, newValueJson }: Entry): string {
  const [rule] = [newValueJson, oldValueJson].flatMap((json) => asValue(json)["rules"] ?? []);
  const description = quoted(asValue(rule)["description"]);
  return description === undefined ? "a rule" : `the rule ${description}`;
}

/** "Custom rules". */
function phaseOf({ oldValueJson, newValueJson }: Entry): string {
  const phase = shown(asValue(newValueJson ?? oldValueJson)["phase"]);
  return Object.entries(phaseTexts).find(([name]) => name === phase)?.[1].title ?? "a phase";
}

function countIn(metadata: Value, key: string, noun: string): string {
  return counted(Number(metadata[key] ?? 0), noun);
}

function turned(json: unknown, what: string): string {
  return `Turned ${asValue(json)["enabled"] === true ? "on" : "off"} ${what}`;
}

function quoted(text: unknown): string | undefined {
  return typeof text === "string" && text !== "" ? `“${text}”` : undefined;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** A field that a change gave another value; undefined where there was or is none. */
interface FieldChange {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Fields of a value that differ, by their names; times of the change itself say nothing. */
export function changedFields(before: unknown, after: unknown): FieldChange[] {
  const [old, now] = [asValue(before), asValue(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => !["modified_on", "last_updated", "version"].includes(field))
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field: spaced(field), before: textOf(old[field]), after: textOf(now[field]) }));
}

function asValue(json: unknown): Value {
  return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Value) : {};
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : shown(value);
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return value === undefined ? "" : JSON.stringify(value);
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
