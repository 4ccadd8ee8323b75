/** Reasons why operations of the public API in our areas are not served. */
interface Lacking {
  /** Paths of all methods at the path and below it. */
  readonly paths: readonly string[];
  readonly reason: string;
}

export const lackingOperations: readonly Lacking[] = [
  {
    paths: ["/accounts/{id}/dns_settings/views"],
    reason: "planned",
  },
  {
    paths: ["/accounts/{id}/logs/audit"],
    reason: "planned; the operations that they follow are served",
  },
  {
    paths: [
      "/accounts/{id}/bulk/subscriptions",
      "/accounts/{id}/entitlements",
      "/accounts/{id}/invoices",
      "/accounts/{id}/pay-bad-debt",
      "/accounts/{id}/pay-invoice",
      "/accounts/{id}/payment-methods",
      "/accounts/{id}/receipts",
      "/accounts/{id}/subscriptions",
      "/user/billing",
      "/user/subscriptions",
      "/zones/{id}/entitlements",
      "/zones/{id}/subscriptions",
    ],
    reason: "nothing is billed; the plan of a zone is at `/zones/{id}/subscription`",
  },
  {
    paths: [
      "/accounts/{id}/client-secret",
      "/accounts/{id}/oauth_clients",
      "/accounts/{id}/sso_connectors",
      "/oauth/scopes",
    ],
    reason:
      "users sign in by password, a second factor and the [single sign-on](operating/single-sign-on.md) of the whole server; programs by token or key",
  },
  {
    paths: ["/user/organizations", "/user/tenants"],
    reason: "accounts and memberships took the place of organizations, and there are no tenants",
  },
  {
    paths: ["/zones/{id}/cache", "/zones/{id}/environments", "/zones/{id}/invalidate_cache"],
    reason: "the edge has no cache",
  },
  {
    paths: [
      "/zones/{id}/origin/cloud_regions",
      "/zones/{id}/settings/auto_origin_tls_kex",
      "/zones/{id}/ssl/recommendation",
    ],
    reason: "the edge asks origins from its host, by TLS as Node.js has it, and recommends nothing",
  },
  {
    paths: ["/accounts/{id}/settings/transformations", "/zones/{id}/settings/transformations_c2pa"],
    reason: "the edge does not change images",
  },
  {
    paths: [
      "/user/spectrum_analytics",
      "/zones/{id}/dns_analytics",
      "/zones/{id}/observability",
      "/zones/{id}/ct/alerting",
    ],
    reason: "nothing is measured or watched that these would tell",
  },
  {
    paths: ["/zones/{id}/acm/custom_trust_store", "/zones/{id}/ssl/analyze", "/zones/{id}/custom_ns"],
    reason: "nobody has asked for it yet",
  },
];
