/** An Ethereum node behind a network. */
export interface UpstreamSettings {
  /** How metrics and logs call it: a URL may hold a secret. */
  readonly name: string;
  /** `http:` or `https:`. */
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its share of the calls among those that are well. */
  readonly weight: number;
}

/** How much one call may ask for. */
export interface RangeLimits {
  readonly logBlocksMax: number;
  readonly feeHistoryBlocksMax: number;
  readonly traceBlocksMax: number;
  readonly traceCountMax: number;
}

/** A network as the operator describes it. */
export interface NetworkSettings {
  /** Last segment of the path. */
  readonly name: string;
  readonly chainId: number;
  readonly upstreams: readonly UpstreamSettings[];
  /** Methods that are allowed or refused beside those of `methods.ts`. */
  readonly methods: { readonly allow: readonly string[]; readonly refuse: readonly string[] };
  readonly limits: RangeLimits;
  /** The day, `YYYY-MM-DD` in UTC, from which on it answers 410. */
  readonly deprecatedOn: string | undefined;
  /** The network to use instead. */
  readonly successor: string | undefined;
  /** Whether upstreams may lie on link-local addresses, where clouds serve secrets to their machines. */
  readonly allowLinkLocal: boolean;
  /** Milliseconds for one call, all attempts included. */
  readonly deadlineMs: number;
  /** Milliseconds for one attempt at one upstream. */
  readonly attemptMs: number;
  /** Blocks that an upstream may be behind before others are preferred. */
  readonly lagBlocksMax: number;
  /** Seconds since the newest block after which an upstream counts as stale; 0 does not look. */
  readonly headAgeSecondsMax: number;
  /** Blocks below the newest one that count as final where an upstream does not say itself. */
  readonly finalityBlocks: number;
  /** Milliseconds between two looks at the newest block, while the network is in use. */
  readonly pollMs: number;
  /** Whether a call that is late is asked of the next upstream as well, which a node that counts calls has to be paid for. */
  readonly hedge: boolean;
  /** Upstreams that have to agree before a read is answered; 1 asks one. */
  readonly agreement: number;
}

/** The public limits of the service: 800 blocks of logs, 10 of fees, 800 of traces with 200 of them. */
export const defaultLimits: RangeLimits = {
  logBlocksMax: 800,
  feeHistoryBlocksMax: 10,
  traceBlocksMax: 800,
  traceCountMax: 200,
};

/** A network with its name and chain id, and defaults for everything else. */
export function networkDefaults(name: string, chainId: number): NetworkSettings {
  return {
    name,
    chainId,
    upstreams: [],
    methods: { allow: [], refuse: [] },
    limits: defaultLimits,
    deprecatedOn: undefined,
    successor: undefined,
    allowLinkLocal: false,
    deadlineMs: 9_000,
    attemptMs: 4_000,
    lagBlocksMax: 3,
    headAgeSecondsMax: 0,
    finalityBlocks: 64,
    pollMs: 2_000,
    hedge: true,
    agreement: 1,
  };
}

/** The name that works with nothing configured: a development chain stands in for it. */
export const developmentNetwork = "sepolia";

/** Networks that exist without being configured. */
export const builtInNetworks: readonly NetworkSettings[] = [
  { ...networkDefaults("mainnet", 1), headAgeSecondsMax: 120 },
  { ...networkDefaults(developmentNetwork, 11_155_111), headAgeSecondsMax: 120 },
  { ...networkDefaults("rinkeby", 4), deprecatedOn: "2023-01-30", successor: developmentNetwork },
];

/** The built-in networks with those that are configured, which replace the ones of their name. */
export function withBuiltInNetworks(configured: readonly NetworkSettings[]): readonly NetworkSettings[] {
  const byName = new Map([...builtInNetworks, ...configured].map((network) => [network.name, network]));
  return [...byName.values()];
}
