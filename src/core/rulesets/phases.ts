import type { Phase } from "../expression/phases.ts";

export const actions = [
  "allow",
  "block",
  "challenge",
  "compress_response",
  "ddos_dynamic",
  "execute",
  "force_connection_close",
  "js_challenge",
  "log",
  "log_custom_field",
  "managed_challenge",
  "redirect",
  "rewrite",
  "route",
  "score",
  "serve_error",
  "set_cache_control",
  "set_cache_settings",
  "set_cache_tags",
  "set_config",
  "skip",
] as const;

export type Action = (typeof actions)[number];

interface PhaseDefinition {
  readonly actions: readonly Action[];
  /** `source` in answers. */
  readonly source?: string;
  readonly isOfAccounts?: true;
}

/** Actions that challenge the visitor. */
export const challenges = [
  "challenge",
  "js_challenge",
  "managed_challenge",
] as const satisfies readonly Action[];

export type ChallengeAction = (typeof challenges)[number];

export function isChallenge(action: Action): action is ChallengeAction {
  return (challenges as readonly Action[]).includes(action);
}

const packetPhase: PhaseDefinition = { actions: ["allow", "block", "execute"], isOfAccounts: true };

export const phaseDefinitions: Readonly<Record<Phase, PhaseDefinition>> = {
  ddos_l4: { actions: ["execute"], isOfAccounts: true },
  ddos_l7: { actions: ["execute"] },
  http_config_settings: { actions: ["set_config", "execute"] },
  http_custom_errors: { actions: ["serve_error", "execute"] },
  http_log_custom_fields: { actions: ["log_custom_field", "execute"] },
  http_ratelimit: { actions: ["block", ...challenges, "log", "execute"], source: "rate_limit" },
  http_request_cache_settings: { actions: ["set_cache_settings", "execute"] },
  http_request_dynamic_redirect: { actions: ["redirect", "execute"] },
  http_request_firewall_custom: {
    actions: ["block", ...challenges, "skip", "log", "execute", "score", "rewrite"],
    source: "firewall_custom",
  },
  http_request_firewall_managed: {
    actions: ["execute", "skip", "block", "log"],
    source: "firewall_managed",
  },
  http_request_late_transform: { actions: ["rewrite", "execute"] },
  http_request_origin: { actions: ["route", "execute"] },
  http_request_redirect: { actions: ["redirect", "execute"], isOfAccounts: true },
  http_request_sanitize: { actions: ["execute"] },
  http_request_sbfm: { actions: ["execute", "skip"] },
  http_request_select_configuration: { actions: ["set_config", "execute"] },
  http_request_transform: { actions: ["rewrite", "execute"] },
  http_response_cache_settings: {
    actions: ["set_cache_settings", "set_cache_control", "set_cache_tags", "execute"],
  },
  http_response_compression: { actions: ["compress_response", "execute"] },
  http_response_firewall_managed: { actions: ["execute", "skip", "block", "log"], source: "dlp" },
  http_response_headers_transform: { actions: ["rewrite", "execute"] },
  magic_transit: packetPhase,
  magic_transit_ids_managed: packetPhase,
  magic_transit_managed: packetPhase,
  magic_transit_ratelimit: packetPhase,
};

/** The actions that overrides may set. */
export const overridingActions: readonly Action[] = [
  "allow",
  "block",
  ...challenges,
  "ddos_dynamic",
  "force_connection_close",
  "log",
  "rewrite",
];

/**
 * A step of the evaluation: a phase of rulesets, a product with rules of its own, one that a setting turns on,
 * the page rules, the managed transforms, or the previous version of the managed rules (`waf`).
 */
export type Stage = Phase | RuleProduct | SettingProduct | "page_rules" | "managed_transforms" | "waf";

/**
 * The stages of a request, in the public documentation's order of phases. Every evaluation follows this
 * table.
 */
export const requestStages: readonly Stage[] = [
  "http_request_sanitize",
  "http_request_dynamic_redirect",
  // Rules of later phases override the settings of a page rule.
  "page_rules",
  "http_request_transform",
  "http_config_settings",
  "http_request_origin",
  "ddos_l7",
  "ip",
  "ipRange",
  "asn",
  "country",
  "http_request_firewall_custom",
  "zoneLockdown",
  "uaBlock",
  "bic",
  "securityLevel",
  "hot",
  "http_ratelimit",
  "http_request_firewall_managed",
  "waf",
  "http_request_sbfm",
  "http_request_redirect",
  "managed_transforms",
  "http_request_late_transform",
  "http_request_cache_settings",
  // A trace has no response: what its rules read of one is missing.
  "http_response_cache_settings",
];

/** Stages that the answer to a request passes, in the same order. A trace has no response. */
export const responseStages: readonly Stage[] = [
  "http_custom_errors",
  "http_response_headers_transform",
  "http_response_compression",
  "http_response_firewall_managed",
];

/** The phase that executes the managed rulesets. */
export const managedPhase = "http_request_firewall_managed" satisfies Phase;

/** The phase that executes those for answers. */
export const responseFirewallPhase = "http_response_firewall_managed" satisfies Phase;

/** Whether a request passes a stage before another one. */
export function isAhead(stage: Stage, other: Stage): boolean {
  return requestStages.indexOf(stage) < requestStages.indexOf(other);
}

/** Phases that a rule of `http_request_firewall_custom` may skip, and products. */
export const skippablePhases = [
  "http_ratelimit",
  "http_request_sbfm",
  "http_request_firewall_managed",
] as const satisfies readonly Phase[];

export const skippableProducts = [
  "bic",
  "hot",
  "rateLimit",
  "securityLevel",
  "uaBlock",
  "waf",
  "zoneLockdown",
] as const;

/**
 * Products with rules of their own, outside of rulesets. IP Access Rules are one product for each kind of
 * place.
 */
export type RuleProduct = "ip" | "ipRange" | "asn" | "country" | "zoneLockdown" | "uaBlock";

/**
 * Products without rules, which settings turn on: the Browser Integrity Check, the security level and hotlink
 * protection.
 */
export type SettingProduct = "bic" | "securityLevel" | "hot";

/** The rulesets that replace the previous packages. */
export const managedRulesetId = "efb7b8c949ac4650a09736fc376e9aee";

export const owaspRulesetId = "4814384a9e5d4991b9815dcfc25d2f1f";
