import { isCalendarDay, integerBetween, textOf, trueOrFalse, type Rule } from "../../core/validate/rules.ts";
import { isJsonObject } from "../../core/json.ts";
import { isDeniedHost } from "../../core/net/denied-hosts.ts";

/** An Ethereum node behind a network. */
export interface UpstreamSettings {
  /** Its name in metrics and logs, as a URL may hold a secret. */
  readonly name: string;
  /** `http:` or `https:`. */
  readonly url: string;
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

type Members = Readonly<Record<string, unknown>>;

/** Replaces values that are not objects, so that no further errors are reported for them. */
const noMembers: Members = {};

/** The numbers of a network: name in the settings, name here, bounds. */
const numbers = [
  ["deadline_ms", "deadlineMs", 100, 120_000],
  ["attempt_ms", "attemptMs", 50, 120_000],
  ["lag_blocks_max", "lagBlocksMax", 0, 1_000_000],
  ["head_age_seconds_max", "headAgeSecondsMax", 0, 1_000_000],
  ["finality_blocks", "finalityBlocks", 0, 1_000_000],
  ["poll_ms", "pollMs", 50, 600_000],
  ["agreement", "agreement", 1, 10],
] as const;

const limitNumbers = [
  ["log_blocks_max", "logBlocksMax"],
  ["fee_history_blocks_max", "feeHistoryBlocksMax"],
  ["trace_blocks_max", "traceBlocksMax"],
  ["trace_count_max", "traceCountMax"],
] as const;

const networkMembers = [
  "name",
  "chain_id",
  "upstreams",
  "methods",
  "limits",
  "deprecated_on",
  "successor",
  "allow_link_local",
  "hedge",
  ...numbers.map(([name]) => name),
];

/**
 * Parses the setting `gateway_networks`: a list of networks, or its JSON text. Returns all errors as one, which quotes
 * no value: a URL or a header may hold a secret.
 */
export function parseNetworks(raw: unknown): readonly NetworkSettings[] | Error {
  let value = raw;
  if (typeof raw === "string") {
    try {
      value = JSON.parse(raw);
    } catch {
      return new Error("must be a JSON array of networks");
    }
  }
  if (!Array.isArray(value)) return new Error("must be an array of networks");
  const reader = new Reader();
  const networks = value.map((entry, index) => readNetwork(reader, entry, `[${index}]`));
  const names = networks.map(({ name }) => name).filter((name) => name !== "");
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index))) {
    reader.issues.push(`the network ${name} is there twice`);
  }
  const known = new Set([...builtInNetworks.map(({ name }) => name), ...names]);
  networks.forEach(({ successor }, index) => {
    if (successor !== undefined && !known.has(successor))
      reader.issues.push(`[${index}].successor: no such network`);
  });
  return reader.issues.length === 0 ? networks : new Error(reader.issues.join("; "));
}

/** Checks values and collects the errors. */
class Reader {
  readonly issues: string[] = [];

  required<Value>(value: unknown, where: string, { accepts, rule }: Rule<Value>, fallback: Value): Value {
    if (accepts(value)) return value;
    this.issues.push(`${where}: ${rule}`);
    return fallback;
  }

  /** The same, without an issue if the value is missing. */
  optional<Value>(value: unknown, where: string, rule: Rule<Value>, fallback: Value): Value {
    return value === undefined ? fallback : this.required(value, where, rule, fallback);
  }

  list(value: unknown, where: string): readonly unknown[] {
    return this.optional(value, where, list, []);
  }

  members(value: unknown, where: string, known: readonly string[]): Members {
    const members = this.required(value, where, object, noMembers);
    for (const name of Object.keys(members)) {
      if (!known.includes(name))
        this.issues.push(`${where}: has an unknown member; known are ${known.join(", ")}`);
    }
    return members;
  }
}

const list: Rule<readonly unknown[]> = {
  rule: "must be an array",
  accepts: (value) => Array.isArray(value),
};
const object: Rule<Members> = { rule: "must be an object", accepts: isJsonObject };
const day: Rule<string> = {
  rule: "must be a date of the form YYYY-MM-DD",
  accepts: (value): value is string => typeof value === "string" && isCalendarDay(value),
};
const networkName = /^[a-z0-9][a-z0-9-]{0,62}$/;
const name = textOf(networkName, "must be lower-case letters, digits and hyphens");
const successorName = textOf(networkName, "must be the name of a network");
const upstreamName = textOf(/^[\w.-]{1,64}$/, "must be letters, digits, dots, hyphens and underscores");
const methodName = textOf(/^[a-zA-Z0-9_]{1,64}$/, "must be names of methods");
const headers: Rule<Readonly<Record<string, string>>> = {
  rule: "must be a map of header names to texts",
  accepts: (value): value is Readonly<Record<string, string>> =>
    isJsonObject(value) &&
    Object.entries(value).every(
      ([header, content]) =>
        /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(header) &&
        typeof content === "string" &&
        /^[\x20-\x7e\t]*$/.test(content),
    ),
};

function readNetwork(reader: Reader, entry: unknown, where: string): NetworkSettings {
  const members = reader.members(entry, where, networkMembers);
  if (members === noMembers) return networkDefaults("", 1);
  const optional = <Value>(member: string, rule: Rule<Value>, fallback: Value): Value =>
    reader.optional(members[member], `${where}.${member}`, rule, fallback);
  const networkId = reader.required(members["name"], `${where}.name`, name, "");
  const builtIn = builtInNetworks.find((network) => network.name === networkId);
  if (members["chain_id"] === undefined && builtIn === undefined)
    reader.issues.push(`${where}.chain_id: is missing`);
  const base = builtIn ?? networkDefaults(networkId, 1);
  const allowLinkLocal = optional("allow_link_local", trueOrFalse, base.allowLinkLocal);
  const upstreams = reader
    .list(members["upstreams"], `${where}.upstreams`)
    .map((upstream, index) =>
      readUpstream(reader, upstream, `${where}.upstreams[${index}]`, index, allowLinkLocal),
    );
  if (new Set(upstreams.map((upstream) => upstream.name)).size < upstreams.length) {
    reader.issues.push(`${where}.upstreams: two have the same name`);
  }
  return {
    ...base,
    ...Object.fromEntries(
      numbers.map(([member, key, min, max]) => [key, optional(member, integerBetween(min, max), base[key])]),
    ),
    name: networkId,
    chainId: optional("chain_id", integerBetween(1, Number.MAX_SAFE_INTEGER), base.chainId),
    upstreams,
    methods: readMethods(reader, members["methods"] ?? {}, `${where}.methods`),
    limits: readLimits(reader, members["limits"] ?? {}, `${where}.limits`, base.limits),
    deprecatedOn: optional<string | undefined>("deprecated_on", day, base.deprecatedOn),
    successor: optional<string | undefined>("successor", successorName, base.successor),
    allowLinkLocal,
    hedge: optional("hedge", trueOrFalse, base.hedge),
  };
}

function readUpstream(
  reader: Reader,
  entry: unknown,
  where: string,
  index: number,
  allowLinkLocal: boolean,
): UpstreamSettings {
  // A text is the URL alone.
  const members =
    typeof entry === "string"
      ? { url: entry }
      : reader.members(entry, where, ["name", "url", "headers", "weight"]);
  const { url, weight }: Members = members;
  return {
    name: reader.optional(members.name, `${where}.name`, upstreamName, `upstream-${index + 1}`),
    url: readUrl(reader, url, `${where}.url`, allowLinkLocal),
    headers: reader.optional(members.headers ?? undefined, `${where}.headers`, headers, {}),
    weight: reader.optional(weight, `${where}.weight`, integerBetween(1, 1000), 1),
  };
}

function readUrl(reader: Reader, value: unknown, where: string, allowLinkLocal: boolean): string {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    reader.issues.push(`${where}: must be a URL of http or https`);
    return "";
  }
  if (!hasReadableCredentials(url)) {
    reader.issues.push(`${where}: a percent sign in its user name or password must be written as %25`);
  }
  if (!allowLinkLocal && isDeniedHost(url.hostname)) {
    reader.issues.push(`${where}: is a link-local or metadata address; allow_link_local permits it`);
  }
  return url.href;
}

function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

function readMethods(reader: Reader, value: unknown, where: string): NetworkSettings["methods"] {
  const members = reader.members(value, where, ["allow", "refuse"]);
  const names = (key: "allow" | "refuse"): string[] =>
    reader
      .list(members[key], `${where}.${key}`)
      .map((method) => reader.required(method, `${where}.${key}`, methodName, ""));
  return { allow: names("allow"), refuse: names("refuse") };
}

function readLimits(reader: Reader, value: unknown, where: string, base: RangeLimits): RangeLimits {
  const members = reader.members(
    value,
    where,
    limitNumbers.map(([member]) => member),
  );
  const limits = limitNumbers.map(([member, key]) => [
    key,
    reader.optional(members[member], `${where}.${member}`, integerBetween(1, 1_000_000_000), base[key]),
  ]);
  return Object.fromEntries(limits) as Record<keyof RangeLimits, number>;
}
