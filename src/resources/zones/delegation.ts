/** What a resolver says of a domain; undefined where it gave no answer at all. */
export interface DelegationLookup {
  readonly nameServers: (name: string) => Promise<readonly string[] | undefined>;
  readonly texts: (name: string) => Promise<readonly string[] | undefined>;
}
