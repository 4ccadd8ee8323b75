import type { ActionParameters } from "../../core/rulesets/action-parameters.ts";
import type { Header } from "../../core/transforms/request-headers.ts";

/** How the edge reaches the origin (the zone setting `ssl`). */
export type SslMode = "off" | "flexible" | "full" | "strict" | "origin_pull";

/** The settings of a zone that change what the edge does. */
export interface EdgeSettings {
  readonly ssl: SslMode;
  readonly alwaysUseHttps: boolean;
  /** The edge supports nothing below `TLSv1.2`. */
  readonly minTlsVersion: "TLSv1.2" | "TLSv1.3";
  readonly hasHttp2: boolean;
  readonly hasWebSockets: boolean;
  /** Whether bodies are compressed with Brotli too. */
  readonly hasBrotli: boolean;
  /** Added to responses over HTTPS. */
  readonly securityHeaders: readonly Header[];
  readonly sendsCountry: boolean;
  readonly sendsVisitorAddress: boolean;
  readonly sendsTrueClientIp: boolean;
  /** What origins that know IPv4 only get for a visitor with IPv6. */
  readonly pseudoIpv4: "off" | "add_header" | "overwrite_header";
  /** For how long a passed challenge counts. */
  readonly challengeMs: number;
  readonly uploadBytesMax: number;
  /** Milliseconds that the origin may send nothing. */
  readonly originReadMs: number;
}

interface StrictTransport {
  readonly enabled: boolean;
  readonly max_age: number;
  readonly include_subdomains: boolean;
  readonly preload: boolean;
  readonly nosniff: boolean;
}

/** Reads the settings of a zone; `value` is what the API answers. A managed transform may hide visitors from origins. */
export function edgeSettingsOf(value: (name: string) => unknown, hidesVisitors: boolean): EdgeSettings {
  const isOn = (name: string): boolean => value(name) === "on";
  const header = value("security_header") as { readonly strict_transport_security: StrictTransport };
  return {
    ssl: value("ssl") as SslMode,
    alwaysUseHttps: isOn("always_use_https"),
    minTlsVersion: value("min_tls_version") === "1.3" ? "TLSv1.3" : "TLSv1.2",
    hasHttp2: isOn("http2"),
    hasWebSockets: isOn("websockets"),
    hasBrotli: isOn("brotli"),
    securityHeaders: securityHeadersOf(header.strict_transport_security),
    sendsCountry: isOn("ip_geolocation"),
    sendsVisitorAddress: isOn("visitor_ip") && !hidesVisitors,
    sendsTrueClientIp: isOn("true_client_ip_header"),
    pseudoIpv4: value("pseudo_ipv4") as EdgeSettings["pseudoIpv4"],
    challengeMs: Number(value("challenge_ttl")) * 1_000,
    uploadBytesMax: Number(value("max_upload")) * 1_000_000,
    originReadMs: Number(value("proxy_read_timeout")) * 1_000,
  };
}

/** The settings, with those that a rule replaced for one request. */
export function settingsFor(
  settings: EdgeSettings,
  { ssl, ip_geolocation, true_client_ip_header }: ActionParameters,
): EdgeSettings {
  if (ssl === undefined && ip_geolocation === undefined && true_client_ip_header === undefined)
    return settings;
  const isOn = (value: unknown, otherwise: boolean): boolean =>
    value === undefined ? otherwise : value === "on";
  return {
    ...settings,
    ssl: (ssl ?? settings.ssl) as SslMode,
    sendsCountry: isOn(ip_geolocation, settings.sendsCountry),
    sendsTrueClientIp: isOn(true_client_ip_header, settings.sendsTrueClientIp),
  };
}

function securityHeadersOf({
  enabled,
  max_age,
  include_subdomains,
  preload,
  nosniff,
}: StrictTransport): Header[] {
  if (!enabled) return [];
  const parts = [`max-age=${max_age}`, include_subdomains && "includeSubDomains", preload && "preload"];
  const transport: Header = ["strict-transport-security", parts.filter((part) => part !== false).join("; ")];
  return nosniff ? [transport, ["x-content-type-options", "nosniff"]] : [transport];
}
