/** Deliberate differences between the answers of operations and the public document. */
export interface Difference {
  readonly operations: readonly string[];
  /** In the words of `violations`; `/result` stands for each item of a list, too. */
  readonly violations: readonly string[];
  readonly reason: string;
  /** Whether there need not be such an answer: what the server does by itself comes in between. */
  readonly mayBeAbsent?: true;
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

const dryRuns = [
  "createRuleset",
  "replaceRuleset",
  "replaceEntryPoint",
  "createRule",
  "editRule",
  "deleteRule",
  "createAccountRuleset",
  "replaceAccountRuleset",
  "replaceAccountEntryPoint",
  "createAccountRule",
  "editAccountRule",
  "deleteAccountRule",
];

const ofDryRuns: Difference = {
  operations: dryRuns,
  violations: ["/result must be object"],
  reason: "Null with `dry_run=true`, which stores nothing",
  mayBeAbsent: true,
};

export const differences: readonly Difference[] = [
  ofDryRuns,
  {
    operations: ["listZones", "createZone", "getZone", "editZone"],
    violations: [
      String.raw`/result/name must match pattern "^([a-zA-Z0-9][\-a-zA-Z0-9]*\.)+[\-a-zA-Z0-9]{2,20}$"`,
    ],
    reason: "International names are in Unicode, as the public service answers them",
    mayBeAbsent: true,
  },
  {
    operations: ["listMembers", "addMember", "getMember", "editMember"],
    violations: ["/result/roles/*/permissions must be array"],
    reason: "The SDKs and Terraform read permissions of roles as objects with `read` and `write` by area",
  },
  {
    operations: ["listMembers", "addMember", "getMember", "editMember"],
    violations: ["/result/policies/*/resource_groups/*/scope must be array"],
    reason: "The public service answers an object, and so read the SDKs",
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
      "editFirewallRules",
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
  {
    operations: ["getRuleset", "getAccountRuleset", "getRulesetVersion", "getAccountRulesetVersion"],
    violations: ['/result/rules/*/action must match pattern "^[a-z]+$"'],
    reason: "The pattern leaves out actions such as `managed_challenge`, which the document has elsewhere",
    mayBeAbsent: true,
  },
];

/** Differences from the types of the TypeScript SDK of today. */
export const sdkDifferences: readonly Difference[] = [
  ofDryRuns,
  {
    operations: ["getCertificateVerification"],
    violations: [
      '/result/validation_method must be equal to one of the allowed values ["cname","http","txt"]',
    ],
    reason: "A pack may be validated by e-mail, as the order of one says",
    mayBeAbsent: true,
  },
  {
    operations: ["listAccountAuditLogs", "listUserAuditLogs"],
    violations: [
      "/result/actor/id must be string",
      "/result/actor/email must be string",
      "/result/actor/ip must be string",
      '/result/actor/type must be equal to one of the allowed values ["Cloudflare","admin","user"]',
    ],
    reason: "What the server did by itself, or its operator on the host, is of the actor `system`",
    mayBeAbsent: true,
  },
  {
    operations: ["listAccounts", "createAccount", "getAccount", "replaceAccount"],
    violations: ["/result/settings/abuse_contact_email must be string"],
    reason: "Null until it is set, as the public service answers it",
  },
  {
    operations: ["listMemberships", "getMembership", "replaceMembership"],
    violations: ["/result/account/settings/abuse_contact_email must be string"],
    reason: "Null until it is set, as the public service answers it",
  },
  {
    operations: ["listMembers", "addMember", "getMember", "editMember"],
    violations: ["/result/user/id must be string"],
    reason: "Null while no user has the e-mail of the invite",
  },
  {
    operations: ["listInvites", "getInvite", "editInvite"],
    violations: ["/result/invited_by must be string"],
    reason: "Null where nobody is known to have sent the invite, such as one by a token of the account",
  },
  {
    operations: ["listInvites", "getInvite", "editInvite"],
    violations: ["/result/roles/* must be string"],
    reason: "The SDK declares names; roles are objects, as in the public document",
  },
  {
    operations: [
      "listTokens",
      "createToken",
      "getToken",
      "replaceToken",
      "listAccountTokens",
      "createAccountToken",
      "getAccountToken",
      "replaceAccountToken",
    ],
    violations: ["/result/last_used_on must be string"],
    reason: "Null until the token is used, as the public service answers it",
  },
  {
    operations: ["listZones", "createZone", "getZone", "editZone"],
    violations: [
      "/result/tenant/id must be string",
      "/result/tenant/name must be string",
      "/result/tenant_unit/id must be string",
    ],
    reason: "Null: no zone is of a tenant",
  },
  {
    operations: ["getZoneSubscription", "createZoneSubscription", "updateZoneSubscription"],
    violations: ["/result/current_period_end must be string"],
    reason: "Null: nothing is billed, so no period ends",
  },
  {
    operations: ["getZoneSubscription", "createZoneSubscription", "updateZoneSubscription"],
    violations: [
      '/result/rate_plan/id must be equal to one of the allowed values ["business","enterprise","free","lite","partners_business","partners_enterprise","partners_free","partners_pro","pro","pro_plus"]',
    ],
    reason: "A plan reads back by the name that was sent, such as `CF_PRO_20_20`",
  },
  {
    operations: ["getZoneHold", "createZoneHold", "editZoneHold", "deleteZoneHold"],
    violations: ["/result/include_subdomains must be string"],
    reason: "A boolean, as Terraform reads it and as the example of the SDK has it",
  },
  {
    operations: ["getZoneHold", "deleteZoneHold"],
    violations: ["/result/hold_after must be string"],
    reason: "Null while no time is set",
  },
  {
    operations: ["createZoneHold", "editZoneHold"],
    violations: ["/result/hold_after must be string"],
    reason: "Null while no time is set",
    mayBeAbsent: true,
  },
  {
    operations: ["listCertificatePacks"],
    violations: ["/result/certificates/*/priority must be number"],
    reason: "Null: only custom certificates have a priority",
  },
  {
    operations: ["listCertificatePacks", "getCertificatePack", "editCertificatePack"],
    violations: [
      '/result/certificate_authority must be equal to one of the allowed values ["google","lets_encrypt","ssl_com"]',
    ],
    reason: "An order with a body from before 2021 has `digicert` where it names no authority",
    mayBeAbsent: true,
  },
  {
    operations: ["getCertificatePack", "editCertificatePack"],
    violations: ["/result/certificates/*/priority must be number"],
    reason: "Null: only custom certificates have a priority",
    mayBeAbsent: true,
  },
  {
    operations: ["listDnsRecords", "createDnsRecord", "getDnsRecord", "replaceDnsRecord", "editDnsRecord"],
    violations: ["/result/comment must be string"],
    reason: "Null where there is no comment, as the public service answers it",
  },
  {
    operations: ["batchDnsRecords"],
    violations: ["/result/posts/*/comment must be string"],
    reason: "Null where there is no comment, as the public service answers it",
  },
  {
    operations: ["reviewScannedRecords"],
    violations: ["/result/accepts/*/comment must be string"],
    reason: "Null where there is no comment, as the public service answers it",
  },
  {
    operations: [
      "listFirewallRules",
      "createFirewallRules",
      "replaceFirewallRules",
      "getFirewallRule",
      "replaceFirewallRule",
      "editFirewallRules",
      "editFirewallRule",
    ],
    violations: ["/result/priority must be number"],
    reason: "Null where a rule has no priority, as the public service answers it",
  },
  {
    operations: ["listZoneLockdowns", "createZoneLockdown", "getZoneLockdown", "replaceZoneLockdown"],
    violations: ["/result must have required property 'description'"],
    reason: "Left out where there is none: Terraform would make each such lockdown anew for an empty one",
  },
  {
    operations: ["listZoneAccessRules", "createZoneAccessRule", "getZoneAccessRule", "editZoneAccessRule"],
    violations: ['/result/scope/type must be equal to one of the allowed values ["organization","user"]'],
    reason: "Rules of a zone are of type `zone`; the SDK lists only those of users and accounts",
  },
];
