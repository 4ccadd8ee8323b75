import { isCalendarDay } from "../core/calendar.ts";
import { isDeniedHost } from "../core/net/denied-hosts.ts";
import {
  builtInNetworks,
  networkDefaults,
  type NetworkSettings,
  type RangeLimits,
  type UpstreamSettings,
} from "./networks.ts";

type Members = Readonly<Record<string, unknown>>;

/** What is read of a value that is no object: nothing more is wrong with it. */
const noMembers: Members = {};

/** The numbers that a network may set: name in the settings, name here, bounds. */
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
 * Reads the setting `gateway_networks`: a list of networks, or its JSON text. Answers every error at once, as one
 * error that quotes no value: a URL or a header may hold a secret.
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

/** Reads members of one form and remembers what was wrong. */
class Reader {
  readonly issues: string[] = [];

  members(value: unknown, where: string, known: readonly string[]): Members {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.issues.push(`${where}: must be an object`);
      return noMembers;
    }
    for (const name of Object.keys(value)) {
      if (!known.includes(name))
        this.issues.push(`${where}: has an unknown member; known are ${known.join(", ")}`);
    }
    return value as Members;
  }

  integer(value: unknown, where: string, fallback: number, min: number, max: number): number {
    if (value === undefined) return fallback;
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    this.issues.push(`${where}: must be an integer from ${min} to ${max}`);
    return fallback;
  }

  flag(value: unknown, where: string, fallback: boolean): boolean {
    if (value === undefined || typeof value === "boolean") return value ?? fallback;
    this.issues.push(`${where}: must be true or false`);
    return fallback;
  }

  text(value: unknown, where: string, form: RegExp, rule: string): string {
    if (typeof value === "string" && form.test(value)) return value;
    this.issues.push(`${where}: must be ${rule}`);
    return "";
  }

  optionalText(value: unknown, where: string, form: RegExp, rule: string): string | undefined {
    return value === undefined ? undefined : this.text(value, where, form, rule);
  }

  list(value: unknown, where: string): readonly unknown[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.issues.push(`${where}: must be an array`);
    return [];
  }
}

const networkName = /^[a-z0-9][a-z0-9-]{0,62}$/;

function readNetwork(reader: Reader, entry: unknown, where: string): NetworkSettings {
  const members = reader.members(entry, where, networkMembers);
  if (members === noMembers) return networkDefaults("", 1);
  const name = reader.text(
    members["name"],
    `${where}.name`,
    networkName,
    "lower-case letters, digits and hyphens",
  );
  const builtIn = builtInNetworks.find((network) => network.name === name);
  if (members["chain_id"] === undefined && builtIn === undefined)
    reader.issues.push(`${where}.chain_id: is missing`);
  const base = builtIn ?? networkDefaults(name, 1);
  const allowLinkLocal = reader.flag(
    members["allow_link_local"],
    `${where}.allow_link_local`,
    base.allowLinkLocal,
  );
  const upstreams = reader
    .list(members["upstreams"], `${where}.upstreams`)
    .map((upstream, index) =>
      readUpstream(reader, upstream, `${where}.upstreams[${index}]`, index, allowLinkLocal),
    );
  if (new Set(upstreams.map((upstream) => upstream.name)).size < upstreams.length) {
    reader.issues.push(`${where}.upstreams: two have the same name`);
  }
  const { deprecated_on: day } = members;
  const isDate = day === undefined || (typeof day === "string" && isCalendarDay(day));
  if (!isDate) reader.issues.push(`${where}.deprecated_on: must be a date of the form YYYY-MM-DD`);
  return {
    ...base,
    ...Object.fromEntries(
      numbers.map(([written, key, min, max]) => [
        key,
        reader.integer(members[written], `${where}.${written}`, base[key], min, max),
      ]),
    ),
    name,
    chainId: reader.integer(
      members["chain_id"],
      `${where}.chain_id`,
      base.chainId,
      1,
      Number.MAX_SAFE_INTEGER,
    ),
    upstreams,
    methods: readMethods(reader, members["methods"] ?? {}, `${where}.methods`),
    limits: readLimits(reader, members["limits"] ?? {}, `${where}.limits`, base.limits),
    deprecatedOn: (day as string | undefined) ?? base.deprecatedOn,
    successor:
      reader.optionalText(members["successor"], `${where}.successor`, networkName, "the name of a network") ??
      base.successor,
    allowLinkLocal,
    hedge: reader.flag(members["hedge"], `${where}.hedge`, base.hedge),
  };
}

function readUpstream(
  reader: Reader,
  entry: unknown,
  where: string,
  index: number,
  allowLinkLocal: boolean,
): UpstreamSettings {
  // The short form: its URL alone.
  const members =
    typeof entry === "string"
      ? { url: entry }
      : reader.members(entry, where, ["name", "url", "headers", "weight"]);
  const { name, url, headers, weight }: Members = members;
  const label = "letters, digits, dots, hyphens and underscores";
  return {
    name: reader.optionalText(name, `${where}.name`, /^[\w.-]{1,64}$/, label) ?? `upstream-${index + 1}`,
    url: readUrl(reader, url, `${where}.url`, allowLinkLocal),
    headers: readHeaders(reader, headers ?? {}, `${where}.headers`),
    weight: reader.integer(weight, `${where}.weight`, 1, 1, 1000),
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

function readHeaders(reader: Reader, value: unknown, where: string): Readonly<Record<string, string>> {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const isValid =
    isMap &&
    Object.entries(value).every(
      ([name, content]) =>
        /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) &&
        typeof content === "string" &&
        /^[\x20-\x7e\t]*$/.test(content),
    );
  if (!isValid) reader.issues.push(`${where}: must be a map of header names to texts`);
  return isValid ? (value as Record<string, string>) : {};
}

function readMethods(reader: Reader, value: unknown, where: string): NetworkSettings["methods"] {
  const members = reader.members(value, where, ["allow", "refuse"]);
  const names = (key: "allow" | "refuse"): string[] =>
    reader
      .list(members[key], `${where}.${key}`)
      .map((name) => reader.text(name, `${where}.${key}`, /^[a-zA-Z0-9_]{1,64}$/, "names of methods"));
  return { allow: names("allow"), refuse: names("refuse") };
}

function readLimits(reader: Reader, value: unknown, where: string, base: RangeLimits): RangeLimits {
  const members = reader.members(
    value,
    where,
    limitNumbers.map(([written]) => written),
  );
  const limits = limitNumbers.map(([written, key]) => [
    key,
    reader.integer(members[written], `${where}.${written}`, base[key], 1, 1_000_000_000),
  ]);
  return Object.fromEntries(limits) as Record<keyof RangeLimits, number>;
}
