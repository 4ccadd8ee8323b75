/** An Ethereum node behind a network. */
export interface UpstreamSettings {
  /** Its name in metrics and logs, as a URL may hold a secret. */
  readonly name: string;
  /** `http:` or `https:`. */
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its share of the calls among healthy upstreams. */
  readonly weight: number;
}

/** Maximum ranges of one call. */
export interface RangeLimits {
  readonly logBlocksMax: number;
  readonly feeHistoryBlocksMax: number;
  readonly traceBlocksMax: number;
  readonly traceCountMax: number;
}

/** The settings of a network. */
export interface NetworkSettings {
  /** The last segment of its path. */
  readonly name: string;
  readonly chainId: number;
  readonly upstreams: readonly UpstreamSettings[];
  /** Changes to the methods of `rpc/methods.ts`. */
  readonly methods: { readonly allow: readonly string[]; readonly refuse: readonly string[] };
  readonly limits: RangeLimits;
  /** The day (`YYYY-MM-DD`, UTC) from which it answers 410. */
  readonly deprecatedOn: string | undefined;
  /** The network to use instead. */
  readonly successor: string | undefined;
  /** Whether upstreams may have link-local addresses, at which clouds serve secrets to their machines. */
  readonly allowLinkLocal: boolean;
  /** Milliseconds for one call with all its attempts. */
  readonly deadlineMs: number;
  /** Milliseconds for one attempt at one upstream. */
  readonly attemptMs: number;
  /** Blocks that an upstream may be behind before others are preferred. */
  readonly lagBlocksMax: number;
  /** Age of the newest block in seconds above which an upstream is stale; 0 for no check. */
  readonly headAgeSecondsMax: number;
  /** Blocks below the newest one that are not final, for upstreams that do not report the final block. */
  readonly finalityBlocks: number;
  /** Milliseconds between polls of the newest block while the network is in use. */
  readonly pollMs: number;
  /** Whether a late call is sent to the next upstream as well, which costs requests. */
  readonly hedge: boolean;
  /** Upstreams that have to agree on the answer to a read; 1 for no agreement. */
  readonly agreement: number;
}

/** The limits of the public service. */
export const defaultLimits: RangeLimits = {
  logBlocksMax: 800,
  feeHistoryBlocksMax: 10,
  traceBlocksMax: 800,
  traceCountMax: 200,
};

/** The settings of a network that sets only its name and chain id. */
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

/** The network that a development chain serves unless upstreams are configured. */
export const developmentNetwork = "sepolia";

/** Networks that exist without being configured. */
export const builtInNetworks: readonly NetworkSettings[] = [
  { ...networkDefaults("mainnet", 1), headAgeSecondsMax: 120 },
  { ...networkDefaults(developmentNetwork, 11_155_111), headAgeSecondsMax: 120 },
  { ...networkDefaults("rinkeby", 4), deprecatedOn: "2023-01-30", successor: developmentNetwork },
];

/** The built-in networks and the configured ones, which replace those of the same name. */
export function withBuiltInNetworks(configured: readonly NetworkSettings[]): readonly NetworkSettings[] {
  const byName = new Map([...builtInNetworks, ...configured].map((network) => [network.name, network]));
  return [...byName.values()];
}
