/** Every phase of the Rulesets API. */
export const phases = [
  "ddos_l4",
  "ddos_l7",
  "http_config_settings",
  "http_custom_errors",
  "http_log_custom_fields",
  "http_ratelimit",
  "http_request_cache_settings",
  "http_request_dynamic_redirect",
  "http_request_firewall_custom",
  "http_request_firewall_managed",
  "http_request_late_transform",
  "http_request_origin",
  "http_request_redirect",
  "http_request_sanitize",
  "http_request_sbfm",
  "http_request_select_configuration",
  "http_request_transform",
  "http_response_cache_settings",
  "http_response_compression",
  "http_response_firewall_managed",
  "http_response_headers_transform",
  "magic_transit",
  "magic_transit_ids_managed",
  "magic_transit_managed",
  "magic_transit_ratelimit",
] as const;

export type Phase = (typeof phases)[number];

/** From the smallest to the largest; each includes those before it. */
export const planOrder = ["free", "pro", "business", "enterprise"] as const;

export type Plan = (typeof planOrder)[number];

/** The phases and the plan that a field or function needs; by default none. */
export interface Availability {
  readonly phases?: readonly Phase[];
  readonly plan?: Plan;
}

export const responsePhases: readonly Phase[] = [
  "http_custom_errors",
  "http_response_headers_transform",
  "http_response_compression",
  "http_response_firewall_managed",
  "http_response_cache_settings",
  "http_log_custom_fields",
];

export const bodyPhases: readonly Phase[] = [
  "http_request_firewall_custom",
  "http_request_firewall_managed",
  "http_ratelimit",
  "http_custom_errors",
];

export const transformPhases: readonly Phase[] = [
  "http_request_transform",
  "http_request_late_transform",
  "http_response_headers_transform",
];

export const packetPhases: readonly Phase[] = phases.filter(
  (phase) => phase === "ddos_l4" || phase.startsWith("magic_"),
);

export function includesPlan(plan: Plan, smallest: Plan): boolean {
  return planOrder.indexOf(plan) >= planOrder.indexOf(smallest);
}
