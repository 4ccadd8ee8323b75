/** DNS look-ups of a domain; undefined if the resolver did not answer. */
export interface DelegationLookup {
  readonly nameServers: (name: string) => Promise<readonly string[] | undefined>;
  /** The data of the DS records that the parent zone has, in octets. */
  readonly signers: (name: string) => Promise<readonly string[] | undefined>;
  readonly texts: (name: string) => Promise<readonly string[] | undefined>;
}
