import { hostmasterOf, nameServerTtl, soaTimes, soaTtl, type ZoneApex } from "./apex.ts";

/**
 * The settings of a zone that decide how its DNS is answered, apart from its records. Times are in seconds.
 */
export interface DnsSettings {
  /** Every CNAME is answered with the addresses of its target. */
  readonly flatten_all_cnames: boolean;
  readonly foundation_dns: boolean;
  /** Always empty: zones of internal DNS are not supported. */
  readonly internal_dns: Readonly<Record<string, never>>;
  /** NS records at the apex are served together with the zone's own name servers. */
  readonly multi_provider: boolean;
  readonly nameservers: { readonly type: string; readonly ns_set: number };
  readonly ns_ttl: number;
  readonly secondary_overrides: boolean;
  readonly soa: {
    /** Null for the zone's first name server. */
    readonly mname: string | null;
    readonly rname: string;
    readonly refresh: number;
    readonly retry: number;
    readonly expire: number;
    readonly ttl: number;
    readonly min_ttl: number;
  };
  /** With `dns_only`, no name is proxied. */
  readonly zone_mode: "standard" | "cdn_only" | "dns_only";
}

/** The allowed range of each time, in seconds. */
export const dnsSettingSeconds = {
  ns_ttl: [30, 86_400],
  refresh: [600, 86_400],
  retry: [600, 86_400],
  expire: [86_400, 2_419_200],
  ttl: [300, 86_400],
  min_ttl: [60, 86_400],
} as const;

/** The settings that were changed; all others have their defaults. */
export interface DnsSettingsChange extends Partial<
  Omit<DnsSettings, "nameservers" | "soa" | "internal_dns">
> {
  readonly nameservers?: Partial<DnsSettings["nameservers"]>;
  readonly soa?: Partial<DnsSettings["soa"]>;
}

const names = [
  "flatten_all_cnames",
  "foundation_dns",
  "multi_provider",
  "ns_ttl",
  "secondary_overrides",
  "zone_mode",
] as const;
const nameServerNames = ["type", "ns_set"] as const;

/**
 * The types of name servers that are chosen by the number of their set: those of an account, and those of all
 * accounts.
 */
export const customNameServerTypes = ["custom.account", "custom.tenant"] as const;

/** The number of the set of name servers that these settings choose; null for the standard ones. */
export function nameServerSetOf({ nameservers = {} }: DnsSettingsChange): number | null {
  const { type, ns_set = 1 } = nameservers;
  return customNameServerTypes.some((custom) => custom === type) ? ns_set : null;
}
const soaNames = ["mname", "rname", "refresh", "retry", "expire", "ttl", "min_ttl"] as const;

/** Applies `other` on top of `one`. Members of `other` that are not settings are left out. */
export function mergeDnsSettings(one: DnsSettingsChange, other: DnsSettingsChange): DnsSettingsChange {
  return {
    ...one,
    ...only(names, other),
    ...((one.nameservers ?? other.nameservers) !== undefined && {
      nameservers: {
        ...one.nameservers,
        // A set is one of its type.
        ...(other.nameservers?.type !== undefined && { ns_set: 1 }),
        ...only(nameServerNames, other.nameservers ?? {}),
      },
    }),
    ...((one.soa ?? other.soa) !== undefined && { soa: { ...one.soa, ...only(soaNames, other.soa ?? {}) } }),
  };
}

function only<From extends object, Name extends keyof From>(
  wanted: readonly Name[],
  from: From,
): Partial<Pick<From, Name>> {
  const given = wanted.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]);
  return Object.fromEntries(given) as Partial<Pick<From, Name>>;
}

/** All settings of a zone: the defaults with `changed` applied. */
export function dnsSettingsOf(vendor: string, changed: DnsSettingsChange): DnsSettings {
  const { refresh, retry, expire, minimum } = soaTimes;
  return {
    flatten_all_cnames: false,
    foundation_dns: false,
    internal_dns: {},
    multi_provider: false,
    ns_ttl: nameServerTtl,
    secondary_overrides: false,
    zone_mode: "standard",
    ...changed,
    nameservers: { type: `${vendor}.standard`, ns_set: 1, ...changed.nameservers },
    soa: {
      mname: null,
      rname: hostmasterOf(vendor),
      refresh,
      retry,
      expire,
      ttl: soaTtl,
      min_ttl: minimum,
      ...changed.soa,
    },
  };
}

/** The SOA and NS data of a zone with these settings. */
export function apexOf(
  zone: Pick<ZoneApex, "name" | "nameServers" | "serial">,
  { soa, ns_ttl }: DnsSettings,
): ZoneApex {
  const { mname, rname, refresh, retry, expire, ttl, min_ttl: minimum } = soa;
  return {
    ...zone,
    ...(mname !== null && { primary: mname }),
    hostmaster: rname,
    times: { refresh, retry, expire, minimum, soaTtl: ttl, nameServerTtl: ns_ttl },
  };
}
