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
}

/** The mailbox of every zone as a name. */
export function hostmasterOf(vendor: string): string {
  return `dns.${vendor}.com`;
}
