import type { ActiveZone } from "../../core/dns/names/name-authority.ts";
import type { JudgingZone, RunningRules } from "../../core/judging/judge-request.ts";
import type { ZoneNames } from "./zone-names.ts";
import type { Header } from "../../core/transforms/request-headers.ts";

/** An active zone as an edge knows it. Immutable: a change of the zone makes a new one. */
export interface EdgeZone extends ActiveZone {
  /** Whether its requests go to the origin without any rule being evaluated. */
  readonly isPaused: boolean;
  readonly settings: EdgeSettings;
  readonly names: ZoneNames;
  readonly certificates: ZoneCertificates;
  readonly judging: JudgingZone;
  /** Whether any rule reads the body of a request. */
  readonly readsBodies: boolean;
  /** Whether any rule reads it again once the origin has answered. */
  readonly readsBodiesAgain: boolean;
}

/** A zone whose rules are ready to run. */
export interface ReadyZone extends EdgeZone {
  readonly rules: RunningRules;
}

/** A zone that stays ready until `release`, which each holder must call once. */
export interface HeldZone {
  readonly zone: ReadyZone;
  readonly release: () => void;
}

/** The zones that are served. */
export interface EdgeZones {
  /**
   * The zone that answers for a name: the one that most closely encloses it, unless a zone of another account
   * above has it. Undefined too while one of these is unread.
   */
  readonly enclosing: (hostname: string) => EdgeZone | undefined;
  /** The zone that answers for a name, also an unread one. */
  readonly named: (hostname: string) => Pick<EdgeZone, "id" | "accountId"> | undefined;
  /** Zones that are known by their names alone, until somebody asks for them. */
  readonly unreadSize: number;
  readonly isUnread: (hostname: string) => boolean;
  /** Reads that zone, if it is. Resolves to whether it could be read; never rejects. */
  readonly readUnread: (hostname: string) => Promise<boolean> | undefined;
  /**
   * Keeps the rules of a zone ready for a request. Returns a promise if they have to be made ready first; where
   * that is not possible, their evaluation fails.
   */
  readonly hold: (zone: EdgeZone) => HeldZone | Promise<HeldZone>;
}

/** A certificate of a zone, or those of a pack, one for each type of key. */
export interface EdgeCertificate {
  /** Another one where the certificate or its key is another one. */
  readonly id: string;
  /** ASCII, lower case; `*.` covers names with one more label. */
  readonly hosts: readonly string[];
  /** The highest rank wins where several are for the same host. */
  readonly rank: number;
  /** Decrypts the keys; returns PEM texts, each chain with its key. */
  readonly open: () => { readonly chains: readonly string[]; readonly privateKeys: readonly string[] };
}

/** The certificates of a zone, by server name (SNI). */
export class ZoneCertificates {
  readonly #byHost = new Map<string, EdgeCertificate>();

  constructor(certificates: readonly EdgeCertificate[]) {
    for (const certificate of certificates.toSorted((one, other) => one.rank - other.rank)) {
      for (const host of certificate.hosts) this.#byHost.set(host, certificate);
    }
  }

  /** The certificate for exactly this name, else for a wildcard. */
  find(name: string): EdgeCertificate | undefined {
    return this.#byHost.get(name) ?? this.#byHost.get(`*${name.slice(name.indexOf("."))}`);
  }
}

/** The zone setting `ssl`: it says how the edge reaches the origin. */
type SslMode = "off" | "flexible" | "full" | "strict" | "origin_pull";

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
  /** Tells origins that know IPv4 only a made-up address for a visitor with IPv6. */
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

/**
 * Reads the settings of a zone; `value` is what the API answers. A managed transform may hide visitors from
 * origins.
 */
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
