/** Numbers of an SOA record in seconds (RFC 1035 section 3.3.13). */
export const soaTimes = { refresh: 10_000, retry: 2_400, expire: 604_800, minimum: 3_600 } as const;

export const soaTtl = 3_600;
export const nameServerTtl = 86_400;

/** The data of a zone's SOA and NS records. Names have no final dot. */
export interface ZoneApex {
  readonly name: string;
  /**
   * The first is the MNAME of the SOA record unless `primary` is set. None where the zone's records name them, as in
   * one that was transferred to us.
   */
  readonly nameServers: readonly string[];
  /** RNAME of the SOA record: the mailbox as a name. */
  readonly hostmaster: string;
  readonly serial: number;
  /** MNAME of the SOA record, where it is not the first name server. */
  readonly primary?: string;
  /** Times that are left out have the defaults of the public service. */
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

/** The MNAME of the SOA record. */
export function primaryOf({ primary, nameServers }: Pick<ZoneApex, "primary" | "nameServers">): string {
  return primary ?? nameServers[0] ?? ".";
}

/** The default RNAME of every zone: the mailbox as a name. */
export function hostmasterOf(vendor: string): string {
  return `dns.${vendor}.com`;
}
