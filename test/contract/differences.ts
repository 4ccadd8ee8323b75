/** What the answers of operations deliberately have otherwise than the public document. */
export interface Difference {
  readonly operations: readonly string[];
  /** As `violations` tells them; `/result` stands for each item of a list, too. */
  readonly violations: readonly string[];
  readonly reason: string;
}

const newerSettings = [
  "aegis",
  "binary_ast",
  "china_network_enabled",
  "content_converter",
  "filter_logs_to_cloudflare",
  "fonts",
  "log_to_cloudflare",
  "long_lived_grpc",
  "origin_h2_max_streams",
  "origin_max_http_version",
  "pre_render",
  "privacy_pass",
  "redirects_for_ai_training",
  "search_for_agents",
  "speed_brain",
  "ssl_automatic_mode",
  "transformations",
  "transformations_allowed_origins",
  "visitor_ip",
  "webmcp_enabled",
  "webmcp_packs",
];

export const differences: readonly Difference[] = [
  {
    operations: ["listMembers", "addMember", "getMember", "editMember"],
    violations: ["/result/roles/*/permissions must be array"],
    reason: "The SDKs and Terraform read permissions of roles as objects with `read` and `write` by area",
  },
  {
    operations: ["listRoles"],
    violations: ["/result/permissions must be array"],
    reason: "The SDKs and Terraform read permissions of roles as objects with `read` and `write` by area",
  },
  {
    operations: ["listMembers", "addMember", "getMember", "editMember"],
    violations: ["/result/user/id must be string"],
    reason: "Null while no user has the e-mail of the invite",
  },
  {
    operations: ["listInvites"],
    violations: ["/result/invited_by must be string"],
    reason: "Null where nobody is known to have sent the invite, such as one by a token of the account",
  },
  {
    operations: ["listMemberships", "getMembership", "replaceMembership"],
    violations: ["/result/account/settings/abuse_contact_email must be string"],
    reason: "Null until it is set, as the public service answers it",
  },
  {
    operations: ["listZoneSettings", "editZoneSettings"],
    violations: newerSettings.map((id) => `/result (${id}) fits no alternative`),
    reason: "The document does not list these settings",
  },
  {
    operations: ["listZoneSettings", "editZoneSettings"],
    violations: ["/result/value must be number"],
    reason: "`proxy_read_timeout` is answered as text, as Terraform expects",
  },
  {
    operations: ["orderCertificatePack", "editCertificatePack", "deleteCertificatePack"],
    violations: ["/result/id must NOT have more than 32 characters"],
    reason: "The public service identifies certificate packs by UUIDs",
  },
  {
    operations: ["listDnsRecords", "createDnsRecord", "getDnsRecord", "replaceDnsRecord", "editDnsRecord"],
    violations: ["/result/comment must be string"],
    reason: "Null where there is no comment, as the public service answers it",
  },
  {
    operations: [
      "listFirewallRules",
      "createFirewallRules",
      "replaceFirewallRules",
      "getFirewallRule",
      "replaceFirewallRule",
      "editFirewallRule",
    ],
    violations: ["/result/priority must be number"],
    reason: "Null where a rule has no priority, as the public service answers it",
  },
  {
    operations: ["listWeb3ContentListEntries"],
    violations: ["/result must be array,null"],
    reason: "The document asks for a list and for an object with `entries` at once; the SDKs read the object",
  },
  {
    operations: ["listRulesByTag"],
    violations: ['/result/rules/*/action must match pattern "^[a-z]+$"'],
    reason: "The pattern leaves out actions such as `managed_challenge`, which the document has elsewhere",
  },
];
