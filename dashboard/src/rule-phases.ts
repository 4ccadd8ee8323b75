import { phases, type Phase } from "../../src/core/expression/phases.ts";
import { phaseDefinitions } from "../../src/core/rulesets/phases.ts";
import type { Rule } from "../../src/core/rulesets/rule.ts";
import type { RulesetHead } from "../../src/core/rulesets/ruleset.ts";

/** A rule without its identity; sent, it takes the place of all that the rule said before. */
export type RuleBody = Omit<Rule, "id" | "ref" | "version" | "last_updated"> &
  Partial<Pick<Rule, "id" | "ref">>;

/** The place to which a rule moves, from 1 on. Sent alone, it leaves the rest of the rule. */
export interface RulePosition {
  readonly position: { readonly index: number };
}

export const managedPhase = "http_request_firewall_managed";

export const isManagedRuleset = ({ kind, phase }: RulesetHead): boolean =>
  kind === "managed" && phase === managedPhase;

export type RulesetOwner = { readonly zone_id: string } | { readonly account_id: string };

interface PhaseText {
  readonly title: string;
  /** The effect of its rules on a request. */
  readonly purpose: string;
  readonly group: PhaseGroup;
}

export const phaseGroups = ["Security", "Redirects and rewrites", "Settings", "Cache", "Network"] as const;

type PhaseGroup = (typeof phaseGroups)[number];

export const phaseTexts: Readonly<Record<Phase, PhaseText>> = {
  http_request_firewall_custom: {
    title: "Custom rules",
    purpose: "Block, challenge, skip or log requests that an expression matches.",
    group: "Security",
  },
  http_ratelimit: {
    title: "Rate limiting rules",
    purpose: "Act on clients that send too many requests in a period.",
    group: "Security",
  },
  http_request_firewall_managed: {
    title: "Managed rules",
    purpose: "Execute managed rulesets, and make exceptions to them.",
    group: "Security",
  },
  http_request_sbfm: {
    title: "Super bot fight mode rules",
    purpose: "Execute or skip what tells bots from people.",
    group: "Security",
  },
  ddos_l7: {
    title: "HTTP DDoS overrides",
    purpose: "Change what the managed rules against floods of requests do.",
    group: "Security",
  },
  http_response_firewall_managed: {
    title: "Response rules",
    purpose: "Look at responses before they leave.",
    group: "Security",
  },
  http_request_dynamic_redirect: {
    title: "Single redirects",
    purpose: "Answer with a redirect to another URL.",
    group: "Redirects and rewrites",
  },
  http_request_redirect: {
    title: "Bulk redirects",
    purpose: "Answer with the redirect that a list has for the URL.",
    group: "Redirects and rewrites",
  },
  http_request_transform: {
    title: "URL rewrites",
    purpose: "Change path and query before the origin sees them.",
    group: "Redirects and rewrites",
  },
  http_request_late_transform: {
    title: "Request header transforms",
    purpose: "Set, add or remove headers on the way to the origin.",
    group: "Redirects and rewrites",
  },
  http_response_headers_transform: {
    title: "Response header transforms",
    purpose: "Set, add or remove headers on the way back.",
    group: "Redirects and rewrites",
  },
  http_request_sanitize: {
    title: "Normalization",
    purpose: "Execute managed rules that put URLs into one form.",
    group: "Redirects and rewrites",
  },
  http_config_settings: {
    title: "Configuration rules",
    purpose: "Give some requests other settings than the zone has.",
    group: "Settings",
  },
  http_request_select_configuration: {
    title: "Early configuration rules",
    purpose: "As configuration rules, chosen before anything else runs.",
    group: "Settings",
  },
  http_request_origin: {
    title: "Origin rules",
    purpose: "Send requests to another host, port, Host header or SNI.",
    group: "Settings",
  },
  http_custom_errors: {
    title: "Custom errors",
    purpose: "Answer errors with a page of your own.",
    group: "Settings",
  },
  http_response_compression: {
    title: "Compression rules",
    purpose: "Choose how responses are compressed.",
    group: "Settings",
  },
  http_log_custom_fields: {
    title: "Custom log fields",
    purpose: "Log headers and cookies beside the usual fields.",
    group: "Settings",
  },
  http_request_cache_settings: {
    title: "Cache rules",
    purpose: "Say what is cached, under which key and for how long.",
    group: "Cache",
  },
  http_response_cache_settings: {
    title: "Cache response rules",
    purpose: "Change cache headers and tags of responses.",
    group: "Cache",
  },
  ddos_l4: {
    title: "Network DDoS overrides",
    purpose: "Change the managed rules against floods of packets.",
    group: "Network",
  },
  magic_transit: { title: "Packet rules", purpose: "Allow or block packets.", group: "Network" },
  magic_transit_ids_managed: {
    title: "Managed intrusion detection",
    purpose: "Execute managed rules on packets.",
    group: "Network",
  },
  magic_transit_managed: {
    title: "Managed packet rules",
    purpose: "Execute managed rulesets on packets.",
    group: "Network",
  },
  magic_transit_ratelimit: { title: "Packet rate limits", purpose: "Limit packets.", group: "Network" },
};

export const phasesOf = (level: "zone" | "account"): readonly Phase[] =>
  (Object.keys(phaseTexts) as Phase[]).filter(
    (phase) => level === "account" || phaseDefinitions[phase].isOfAccounts !== true,
  );

export const isPhase = (name: string): name is Phase => phases.some((phase) => phase === name);
