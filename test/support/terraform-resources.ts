type Arguments = Readonly<Record<string, unknown>>;

/** A resource of the Terraform provider 5, as the requests by which the provider keeps it. */
export interface TerraformResource {
  readonly create: (values: Arguments) => { readonly method?: "PATCH" | "PUT"; readonly path: string };
  /** The body for the arguments without `zone_id` and `account_id`; by default these. */
  readonly body?: (values: Arguments) => unknown;
  /** The path at which it is read and deleted; by default where it was created, with its id behind. */
  readonly path?: (values: Arguments, id: string) => string;
  /** Cannot be deleted: it is as old as its zone. */
  readonly stays?: true;
  /** Arguments that may be left out and that the provider does not compute: an answer to none of them has none. */
  readonly optional?: readonly string[];
  /** Arguments that no answer holds. */
  readonly writeOnly?: readonly string[];
  /** The answer in the form of the arguments. */
  readonly shown?: (result: Arguments) => Arguments;
}

const inZone =
  (name: string) =>
  ({ zone_id }: Arguments) => ({ path: `/zones/${zone_id as string}/${name}` });
const inAccount =
  (name: string) =>
  ({ account_id }: Arguments) => ({ path: `/accounts/${account_id as string}/${name}` });

/** There is one in each zone, at one path. */
const oneInZone = (name: string, method?: "PATCH" | "PUT"): TerraformResource => ({
  create: (values) => ({ ...inZone(name)(values), ...(method && { method }) }),
  path: (values) => inZone(name)(values).path,
});

interface Policy {
  readonly resources: string;
}

/** Resources are JSON in the arguments, so that they may be nested. */
const withPolicies = (create: TerraformResource["create"]): TerraformResource => ({
  create,
  body: (values) => ({
    ...values,
    policies: (values["policies"] as Policy[]).map((policy) =>
      Object.assign({}, policy, { resources: JSON.parse(policy.resources) as unknown }),
    ),
  }),
  shown: (result) => ({
    ...result,
    policies: (result["policies"] as { resources: unknown }[]).map((policy) =>
      Object.assign({}, policy, { resources: JSON.stringify(policy.resources) }),
    ),
  }),
});

const tokenTerms = ["condition", "expires_on", "not_before"];

const enabledOf = (transforms: unknown): unknown =>
  (transforms as { enabled: boolean }[]).filter(({ enabled }) => enabled);

interface PageRuleAction {
  readonly id: string;
  readonly value?: unknown;
}

export const terraformResources: Readonly<Record<string, TerraformResource>> = {
  cloudflare_account: { create: () => ({ path: "/accounts" }) },
  cloudflare_user_group: { create: inAccount("iam/user_groups"), optional: ["policies"] },
  cloudflare_user_group_members: {
    create: ({ account_id, user_group_id }) => ({
      path: `/accounts/${account_id as string}/iam/user_groups/${user_group_id as string}/members`,
    }),
    path: ({ account_id, user_group_id }) =>
      `/accounts/${account_id as string}/iam/user_groups/${user_group_id as string}/members`,
    body: ({ members }) => members,
    shown: (result) => ({ members: result }),
    writeOnly: ["user_group_id"],
    // The provider replaces the members by none.
    stays: true,
  },
  cloudflare_account_member: {
    create: inAccount("members"),
    shown: ({ user, roles, ...result }) => ({
      ...result,
      email: (user as { email: string }).email,
      roles: (roles as { id: string }[]).map(({ id }) => id),
    }),
  },
  cloudflare_zone: { create: () => ({ path: "/zones" }) },
  cloudflare_zone_subscription: { ...oneInZone("subscription"), stays: true },
  cloudflare_zone_hold: oneInZone("hold"),
  cloudflare_zone_setting: {
    create: ({ zone_id, setting_id }) => ({
      method: "PATCH",
      path: `/zones/${zone_id as string}/settings/${setting_id as string}`,
    }),
    body: ({ value }) => ({ value }),
    path: ({ zone_id, setting_id }) => `/zones/${zone_id as string}/settings/${setting_id as string}`,
    shown: ({ id, ...result }) => ({ ...result, setting_id: id }),
    stays: true,
  },
  cloudflare_dns_record: { create: inZone("dns_records"), optional: ["comment", "priority", "data"] },
  cloudflare_ruleset: { create: inZone("rulesets") },
  cloudflare_list: { create: inAccount("rules/lists"), optional: ["description"] },
  cloudflare_access_rule: { create: inZone("firewall/access_rules/rules") },
  cloudflare_zone_lockdown: {
    create: inZone("firewall/lockdowns"),
    optional: ["description", "priority"],
  },
  cloudflare_user_agent_blocking_rule: { create: inZone("firewall/ua_rules"), optional: ["description"] },
  cloudflare_url_normalization_settings: oneInZone("url_normalization", "PUT"),
  cloudflare_managed_transforms: {
    ...oneInZone("managed_headers", "PATCH"),
    // Answers list all that there are.
    shown: (result) => ({
      managed_request_headers: enabledOf(result["managed_request_headers"]),
      managed_response_headers: enabledOf(result["managed_response_headers"]),
    }),
  },
  cloudflare_page_rule: {
    create: inZone("pagerules"),
    body: ({ target, actions, ...values }) => ({
      ...values,
      targets: [{ target: "url", constraint: { operator: "matches", value: target } }],
      actions: Object.entries(actions as object).map(([id, value]) => ({ id, value: value as unknown })),
    }),
    shown: ({ targets, actions, ...result }) => ({
      ...result,
      target: (targets as { constraint: { value: string } }[])[0]?.constraint.value,
      actions: Object.fromEntries((actions as PageRuleAction[]).map(({ id, value }) => [id, value])),
    }),
  },
  cloudflare_certificate_pack: {
    create: inZone("ssl/certificate_packs/order"),
    path: (values, id) => `${inZone("ssl/certificate_packs")(values).path}/${id}`,
  },
  cloudflare_total_tls: {
    ...oneInZone("acm/total_tls"),
    stays: true,
    optional: ["certificate_authority"],
  },
  cloudflare_custom_ssl: {
    create: inZone("custom_certificates"),
    writeOnly: ["certificate", "private_key"],
  },
  cloudflare_dns_zone_transfers_acl: { create: inAccount("secondary_dns/acls") },
  cloudflare_dns_zone_transfers_tsig: { create: inAccount("secondary_dns/tsigs") },
  cloudflare_dns_zone_transfers_peer: {
    create: inAccount("secondary_dns/peers"),
    optional: ["ip", "ixfr_enable", "port", "tsig_id"],
  },
  cloudflare_dns_zone_transfers_outgoing: oneInZone("secondary_dns/outgoing"),
  cloudflare_web3_hostname: { create: inZone("web3/hostnames"), optional: ["description", "dnslink"] },
  cloudflare_api_token: { ...withPolicies(() => ({ path: "/user/tokens" })), optional: tokenTerms },
  cloudflare_account_token: { ...withPolicies(inAccount("tokens")), optional: tokenTerms },
};
