import type { Tables } from "./tables.ts";

type CopiedTables = Omit<Tables, "unfinished_copies">;
export type CopiedTable = keyof CopiedTables;

/** The primary key of every table that holds data; a table comes after those that it refers to. */
export const tableKeys: { readonly [Table in CopiedTable]: readonly (keyof Tables[Table] & string)[] } = {
  users: ["id"],
  accounts: ["id"],
  memberships: ["id"],
  resource_groups: ["id"],
  tokens: ["id"],
  zones: ["id"],
  dns_records: ["id"],
  dns_record_tags: ["record_id", "tag_name", "tag_value"],
  dns_changes: ["zone_id", "version"],
  zone_settings: ["zone_id", "setting"],
  zone_subscriptions: ["zone_id"],
  zone_holds: ["zone_id"],
  audit_logs: ["id"],
  page_rules: ["id"],
  access_rules: ["id"],
  zone_lockdowns: ["id"],
  user_agent_rules: ["id"],
  url_normalizations: ["zone_id"],
  managed_transforms: ["zone_id", "transform"],
  filters: ["id"],
  firewall_rules: ["id"],
  waf_packages: ["zone_id"],
  waf_groups: ["zone_id", "group_id"],
  waf_rules: ["zone_id", "rule_id"],
  waf_overrides: ["id"],
  rulesets: ["id"],
  ruleset_versions: ["ruleset_id", "version"],
  lists: ["id"],
  list_items: ["id"],
  list_operations: ["id"],
  list_references: ["referrer_id", "list_name"],
  certificate_packs: ["id"],
  pack_certificates: ["id"],
  universal_settings: ["zone_id"],
  certificate_authorities: ["key_type"],
  custom_certificates: ["id"],
  acme_accounts: ["directory_url"],
  web3_hostnames: ["id"],
  web3_content_list_entries: ["id"],
  security_events: ["id"],
  passwords: ["user_id"],
  sessions: ["id_hash"],
  sign_in_links: ["token_hash"],
  kept_api_keys: ["user_id"],
};

export const copiedTables = Object.keys(tableKeys) as readonly CopiedTable[];
