import { type RequestContext, valueOf } from "../expression/context.ts";
import { type HeaderChange, headerValue, headersOf } from "./request-headers.ts";
import { includesPlan, type Plan } from "../expression/phases.ts";

export interface TransformStage {
  readonly transforms: readonly {
    readonly id: string;
    readonly changes: (request: RequestContext) => readonly HeaderChange[];
  }[];
}

export interface ManagedTransform {
  readonly id: string;
  readonly of: "request" | "response";
  /** The smallest plan that includes it. */
  readonly plan: Plan;
  /** The id of a transform that cannot be on at the same time. */
  readonly conflictsWith?: string;
  /** Changes of the headers of a request; absent where there are none. */
  readonly changes?: (request: RequestContext) => readonly HeaderChange[];
  /** Changes of the headers of a response of the origin. */
  readonly responseChanges?: readonly HeaderChange[];
}

const trueClientIp = "add_true_client_ip_headers";
const withoutVisitorIp = "remove_visitor_ip_headers";

const botHeaders = {
  "cf-bot-score": "cf.bot_management.score",
  "cf-verified-bot": "cf.bot_management.verified_bot",
  "cf-ja3-hash": "cf.bot_management.ja3_hash",
  "cf-ja4": "cf.bot_management.ja4",
};

const certificateHeaders = Object.fromEntries(
  [
    "revoked",
    "verified",
    "presented",
    "issuer_dn",
    "subject_dn",
    "issuer_dn_rfc2253",
    "subject_dn_rfc2253",
    "issuer_dn_legacy",
    "subject_dn_legacy",
    "serial",
    "issuer_serial",
    "fingerprint_sha256",
    "fingerprint_sha1",
    "not_before",
    "not_after",
    "ski",
    "issuer_ski",
  ].map((part) => [`cf-cert-${part.replaceAll("_", "-")}`, `cf.tls_client_auth.cert_${part}`]),
);

const locationHeaders = {
  "cf-ipcity": "ip.src.city",
  "cf-ipcountry": "ip.src.country",
  "cf-ipcontinent": "ip.src.continent",
  "cf-iplongitude": "ip.src.lon",
  "cf-iplatitude": "ip.src.lat",
  "cf-region": "ip.src.region",
  "cf-region-code": "ip.src.region_code",
  "cf-metro-code": "ip.src.metro_code",
  "cf-postal-code": "ip.src.postal_code",
  "cf-timezone": "ip.src.timezone.name",
};

/** The documented headers: https://developers.cloudflare.com/rules/transform/managed-transforms/reference/ */
const securityHeaders = {
  "x-content-type-options": "nosniff",
  "x-xss-protection": "1; mode=block",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "same-origin",
  "expect-ct": "max-age=86400, enforce",
};

/** All transforms, in the order in which they are listed and applied. */
const managedTransforms: readonly ManagedTransform[] = [
  { id: "add_bot_protection_headers", of: "request", plan: "enterprise", changes: setting(botHeaders) },
  { id: "add_client_certificate_headers", of: "request", plan: "free", changes: setting(certificateHeaders) },
  { id: "add_visitor_location_headers", of: "request", plan: "free", changes: setting(locationHeaders) },
  {
    id: trueClientIp,
    of: "request",
    plan: "enterprise",
    conflictsWith: withoutVisitorIp,
    changes: setting({ "true-client-ip": "ip.src" }),
  },
  {
    id: withoutVisitorIp,
    of: "request",
    plan: "free",
    conflictsWith: trueClientIp,
    changes: removeVisitorIp,
  },
  { id: "add_waf_credential_check_status_header", of: "request", plan: "free" },
  {
    id: "remove_x-powered-by_header",
    of: "response",
    plan: "free",
    responseChanges: [{ operation: "remove", name: "x-powered-by", value: undefined }],
  },
  {
    id: "add_security_headers",
    of: "response",
    plan: "free",
    responseChanges: Object.entries(securityHeaders).map(([name, value]) => ({
      operation: "set",
      name,
      value,
    })),
  },
];

/** The managed transforms that a zone of the plan can turn on. */
export function availableTransforms(plan: Plan): readonly ManagedTransform[] {
  return managedTransforms.filter((transform) => includesPlan(plan, transform.plan));
}

/** Changes of the managed transforms that are on: in requests, undefined without any, and in responses. */
export function transformsOf(
  ids: readonly string[],
  plan: Plan,
): { readonly transforms: TransformStage | undefined; readonly responseChanges: readonly HeaderChange[] } {
  const on = availableTransforms(plan).filter(({ id }) => ids.includes(id));
  const transforms = on.flatMap(({ id, changes }) => (changes === undefined ? [] : [{ id, changes }]));
  return {
    transforms: transforms.length === 0 ? undefined : { transforms },
    responseChanges: on.flatMap(({ responseChanges = [] }) => responseChanges),
  };
}

/** Whether origins do not learn the address of the visitor. */
export function hidesVisitors(stage: TransformStage | undefined): boolean {
  return stage?.transforms.some(({ id }) => id === withoutVisitorIp) === true;
}

/** Sets headers to the values of fields; a missing field sets none. */
function setting(fieldsByHeader: Readonly<Record<string, string>>) {
  return (request: RequestContext): HeaderChange[] =>
    Object.entries(fieldsByHeader).flatMap(([name, field]) => {
      const value = headerValue(valueOf(request, field));
      return value === undefined ? [] : [{ operation: "set", name, value }];
    });
}

/**
 * Removes the header of the visitor's address. A request that came through proxies keeps the address of the
 * last of them, which sent it.
 */
function removeVisitorIp(request: RequestContext): HeaderChange[] {
  const isProxied = headersOf(request).some(([name]) => name === "x-forwarded-for");
  const proxy = isProxied ? headerValue(valueOf(request, "ip.src")) : undefined;
  return [
    { operation: "remove", name: "cf-connecting-ip", value: undefined },
    { operation: "remove", name: "true-client-ip", value: undefined },
    { operation: "set", name: "x-forwarded-for", value: proxy },
  ];
}
