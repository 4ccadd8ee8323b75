import { api, dns, edge, inPart, refused, stored, type InForce } from "./in-force.ts";

/** Effects of the operations of zones and accounts, except for those that have tables of their own. */
export interface ProductInForce extends InForce {
  readonly name: string;
  /** The paths of its operations; paths below them are included. */
  readonly paths: readonly string[];
}

const product = (name: string, paths: readonly string[], inForce: InForce): ProductInForce => ({
  name,
  paths,
  ...inForce,
});

const zone = "/zones/{zone_id}";
const account = "/accounts/{account_id}";
const noCache = refused("there is no cache");
const noImages = refused("the edge does not change images");
const unmeasured = refused("nothing is measured or watched that these would tell");

export const productsInForce: readonly ProductInForce[] = [
  product("Zone settings", [`${zone}/settings`], inPart("edge", "as the table of settings says")),
  product("DNS records", [`${zone}/dns_records`], inPart("dns", "proxied ones at the edge, too")),
  product(
    "DNS settings",
    [`${zone}/dns_settings`, `${account}/dns_settings`],
    inPart("dns", "`foundation_dns`, `secondary_overrides`, `cdn_only` and internal DNS are refused"),
  ),
  product("DNSSEC", [`${zone}/dnssec`], dns),
  product(
    "Zone transfers",
    [`${zone}/secondary_dns`, `${account}/secondary_dns`],
    inPart("dns", "incoming transfers for zones of the type `secondary` alone"),
  ),
  product(
    "Rulesets",
    [`${zone}/rulesets`, `${account}/rulesets`],
    inPart("edge", "as the tables of phases and actions say"),
  ),
  product("Lists", [`${account}/rules/lists`], inPart("edge", "where rules in force name them")),
  product("Page rules", [`${zone}/pagerules`], inPart("edge", "as the table of actions says")),
  product(
    "IP Access Rules",
    [`${zone}/firewall/access_rules`, `${account}/firewall/access_rules`],
    inPart("edge", "those of countries and systems with `edge_location_databases`"),
  ),
  product("Zone lockdowns", [`${zone}/firewall/lockdowns`], edge),
  product("User-agent rules", [`${zone}/firewall/ua_rules`], edge),
  product("Firewall rules and filters", [`${zone}/firewall/rules`, `${zone}/filters`], edge),
  product("Previous WAF", [`${zone}/firewall/waf`], inPart("edge", "until the zone has migrated")),
  product("WAF migration", [`${zone}/waf_migration`], api),
  product("URL normalization", [`${zone}/url_normalization`], edge),
  product(
    "Managed transforms",
    [`${zone}/managed_headers`],
    inPart(
      "edge",
      "but for `add_waf_credential_check_status_header`: there is no list of leaked credentials",
    ),
  ),
  product("Custom certificates", [`${zone}/custom_certificates`], edge),
  product(
    "Certificate packs",
    [
      `${zone}/ssl/certificate_packs`,
      `${zone}/ssl/universal`,
      `${zone}/ssl/verification`,
      `${zone}/acm/total_tls`,
    ],
    edge,
  ),
  product("Web3 hostnames", [`${zone}/web3/hostnames`], stored("no gateway serves them")),
  product("Purge of the cache", [`${zone}/purge_cache`], stored("requests are checked; there is no cache")),
  product(
    "Activation",
    [`${zone}/activation_check`, `${zone}/subdomain_consents`],
    inPart("api", "it decides what edge and name server serve"),
  ),
  product(
    "Zone holds",
    [`${zone}/hold`],
    inPart("api", "other accounts can neither create nor activate the zone"),
  ),
  product(
    "Plans and subscriptions",
    [`${zone}/available_plans`, `${zone}/available_rate_plans`, `${zone}/subscription`],
    inPart("api", "they decide what a zone can set, and cost nothing"),
  ),
  product(
    "Members, tokens, audit log",
    [
      `${account}/members`,
      `${account}/roles`,
      `${account}/iam`,
      `${account}/tokens`,
      `${account}/audit_logs`,
    ],
    api,
  ),
  product("Request tracer, edges", [`${account}/request-tracer`, `${account}/edges`], api),
  product("Records of an account", [`${account}/dns_records`], api),
  product(
    "Cache Reserve, tiered cache, variants",
    [`${zone}/cache`, `${zone}/invalidate_cache`, `${zone}/environments`],
    noCache,
  ),
  product("Transformations of images", [`${account}/settings/transformations`], noImages),
  product(
    "Custom pages",
    [`${zone}/custom_pages`, `${account}/custom_pages`],
    refused("rules answer with content"),
  ),
  product("Load balancers", [`${zone}/load_balancers`], refused("a name has the addresses of its records")),
  product("Workers", [`${zone}/workers`, `${account}/workers`], refused("no code of users runs")),
  product("Custom hostnames", [`${zone}/custom_hostnames`], refused("zones serve names of their own")),
  product(
    "Analytics and logs",
    [`${zone}/dns_analytics`, `${zone}/observability`, `${zone}/logpush`],
    unmeasured,
  ),
];
