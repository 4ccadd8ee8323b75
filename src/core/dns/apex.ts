/** The records that a zone has at its apex without anybody storing them, as the public service publishes them. */

/** Numbers of an SOA record in seconds (RFC 1035 section 3.3.13). */
export const soaTimes = { refresh: 10_000, retry: 2_400, expire: 604_800, minimum: 3_600 } as const;

export const soaTtl = 3_600;
export const nameServerTtl = 86_400;

/** What the SOA and NS records of a zone say. Names are without final dot. */
export interface ZoneApex {
  readonly name: string;
  /** At least one; the first is the primary of the SOA record. */
  readonly nameServers: readonly string[];
  /** The mailbox of the SOA record as a name. */
  readonly hostmaster: string;
  readonly serial: number;
  /** The primary of the SOA record, where it is not the first name server. */
  readonly primary?: string;
  /** Those that the public service has by default where they are left out. */
  readonly times?: ApexTimes;
}

/** Seconds. */
interface ApexTimes {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
  readonly soaTtl: number;
  readonly nameServerTtl: number;
}

const timesDefault: ApexTimes = { ...soaTimes, soaTtl, nameServerTtl };

/** The times of the SOA and NS records of a zone. */
export function timesOf({ times }: Pick<ZoneApex, "times">): ApexTimes {
  return times ?? timesDefault;
}

/** The primary of the SOA record. */
export function primaryOf({ primary, nameServers }: Pick<ZoneApex, "primary" | "nameServers">): string {
  return primary ?? nameServers[0] ?? ".";
}

/** The mailbox of every zone as a name. */
export function hostmasterOf(vendor: string): string {
  return `dns.${vendor}.com`;
}
