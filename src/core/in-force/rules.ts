import type { Phase } from "../expression/phases.ts";
import type { Action } from "../rulesets/phases.ts";
import type { Rule } from "../rulesets/rule.ts";
import { edge, inPart, stored, storedTexts, type InForce } from "./in-force.ts";

const noCache = stored("there is no cache");
const traced = stored("there is no cache; traces show what the rules would set");
const noPackets = stored("the edge judges requests, not packets");
const noBots = stored("bots are not recognized");
const normalizedElsewhere = stored("`url_normalization` says how URLs are normalized");
const pagesAreKept = stored("the edge does not change pages");

export const phasesInForce: Readonly<Record<Phase, InForce>> = {
  ddos_l4: noPackets,
  ddos_l7: inPart("edge", "its rules log, unless an override gives them another action"),
  http_config_settings: edge,
  http_custom_errors: inPart("edge", "rules with `content`; assets are not stored"),
  http_log_custom_fields: stored("there are no logs of requests"),
  http_ratelimit: edge,
  http_request_cache_settings: traced,
  http_request_dynamic_redirect: edge,
  http_request_firewall_custom: edge,
  http_request_firewall_managed: edge,
  http_request_late_transform: edge,
  http_request_origin: edge,
  http_request_redirect: edge,
  http_request_sanitize: normalizedElsewhere,
  http_request_sbfm: noBots,
  http_request_select_configuration: stored("configuration rules are those of `http_config_settings`"),
  http_request_transform: edge,
  http_response_cache_settings: traced,
  http_response_compression: edge,
  http_response_firewall_managed: edge,
  http_response_headers_transform: edge,
  magic_transit: noPackets,
  magic_transit_ids_managed: noPackets,
  magic_transit_managed: noPackets,
  magic_transit_ratelimit: noPackets,
};

export const actionsInForce: Readonly<Record<Action, InForce>> = {
  allow: inPart("edge", "as `log`: what does not end a request lets it pass"),
  block: edge,
  challenge: inPart("edge", "a proof of work"),
  compress_response: edge,
  ddos_dynamic: inPart("edge", "as `log`: floods are not measured"),
  execute: edge,
  force_connection_close: inPart("edge", "as `log`: the connection stays open"),
  js_challenge: inPart("edge", "a proof of work"),
  log: edge,
  log_custom_field: phasesInForce.http_log_custom_fields,
  managed_challenge: inPart("edge", "a proof of work"),
  redirect: edge,
  rewrite: edge,
  route: edge,
  score: edge,
  serve_error: phasesInForce.http_custom_errors,
  set_cache_control: traced,
  set_cache_settings: traced,
  set_cache_tags: traced,
  set_config: inPart("edge", "as far as its parameters are"),
  skip: edge,
};

/** The effect of each parameter of `set_config`. */
export const configurationInForce: Readonly<Record<string, InForce>> = {
  automatic_https_rewrites: pagesAreKept,
  autominify: pagesAreKept,
  bic: edge,
  content_converter: pagesAreKept,
  disable_apps: pagesAreKept,
  disable_pay_per_crawl: pagesAreKept,
  disable_rum: pagesAreKept,
  disable_zaraz: pagesAreKept,
  email_obfuscation: pagesAreKept,
  fonts: pagesAreKept,
  hotlink_protection: edge,
  mirage: stored("the edge does not change images"),
  opportunistic_encryption: stored("`Alt-Svc` is not sent"),
  polish: stored("the edge does not change images"),
  redirects_for_ai_training: pagesAreKept,
  request_body_buffering: stored("as much of a body is held as rules read"),
  response_body_buffering: stored("as much of an answer is held as rules read"),
  rocket_loader: pagesAreKept,
  security_level: inPart("edge", "only `under_attack`, as there is no reputation of addresses"),
  server_side_excludes: pagesAreKept,
  ssl: edge,
  sxg: pagesAreKept,
  webmcp_enabled: pagesAreKept,
  webmcp_packs: pagesAreKept,
};

export const managedRulesetsInForce: Readonly<Record<string, InForce>> = {
  efb7b8c949ac4650a09736fc376e9aee: edge,
  "4814384a9e5d4991b9815dcfc25d2f1f": inPart(
    "edge",
    "in full with the setting `crs`; without it, 72 of its 207 rules match",
  ),
  c2e184081120413c86c3ab7e14069605: stored("there is no list of leaked credentials"),
  "77454fe2d30c4220b5701f6fdfb893ba": edge,
  a6905ff86d3844cebc1a88dd80c659e7: noBots,
  "48ba18287c544bd7bdbe842a294f1ae2": noBots,
  e22d83c647c64a3eae91b71b499d988e: edge,
  "4d21379b4f9f4bb088e0729962c8b3cf": phasesInForce.ddos_l7,
  "3b64149bfa6e4220bbbc2bd6db589552": noPackets,
  "70339d97bdb34195bbf054b1ebe81f76": normalizedElsewhere,
};

/** The effect of each action of page rules. */
export const pageRuleActionsInForce: Readonly<Record<string, InForce>> = {
  always_online: noCache,
  always_use_https: edge,
  automatic_https_rewrites: pagesAreKept,
  browser_cache_ttl: noCache,
  browser_check: edge,
  bypass_cache_on_cookie: noCache,
  cache_by_device_type: noCache,
  cache_deception_armor: noCache,
  cache_key_fields: noCache,
  cache_level: noCache,
  cache_on_cookie: noCache,
  cache_ttl_by_status: noCache,
  disable_apps: pagesAreKept,
  disable_performance: pagesAreKept,
  disable_railgun: stored("the public service no longer has it"),
  disable_security: inPart("edge", "zone lockdowns, hotlink protection and the previous WAF"),
  disable_zaraz: pagesAreKept,
  edge_cache_ttl: noCache,
  email_obfuscation: pagesAreKept,
  explicit_cache_control: noCache,
  forwarding_url: edge,
  host_header_override: edge,
  ip_geolocation: edge,
  minify: pagesAreKept,
  mirage: stored("the edge does not change images"),
  opportunistic_encryption: stored("`Alt-Svc` is not sent"),
  origin_error_page_pass_thru: stored("the origin's own pages for 502 and 504 are shown always"),
  polish: stored("the edge does not change images"),
  resolve_override: edge,
  respect_strong_etag: stored(
    "a strong `ETag` becomes a weak one where the edge compresses, and stays elsewhere",
  ),
  response_buffering: stored("an answer is passed on as it comes"),
  rocket_loader: pagesAreKept,
  security_level: inPart("edge", "only `under_attack`, as there is no reputation of addresses"),
  server_side_exclude: pagesAreKept,
  sort_query_string_for_cache: noCache,
  ssl: edge,
  true_client_ip_header: edge,
  waf: inPart("edge", "the previous version of the managed rules, until the zone has migrated"),
};

/** The messages to callers who store rules of a phase that are not in force, or parts of them. */
export function storedTextsOfRules(phase: Phase, rules: readonly Rule[]): string[] {
  const ofPhase = storedTexts(phasesInForce, [phase]);
  if (ofPhase.length > 0) return ofPhase;
  const parameters = (action: Action) =>
    rules.flatMap((rule) => (rule.action === action ? [rule.action_parameters ?? {}] : []));
  const executed = parameters("execute").map(({ id }) => String(id));
  return [
    ...storedTexts(
      actionsInForce,
      rules.map(({ action }) => action),
    ),
    ...storedTexts(configurationInForce, parameters("set_config").flatMap(Object.keys)),
    ...storedTexts(managedRulesetsInForce, executed),
  ];
}
