import { isIP, isIPv4 } from "node:net";

/**
 * What a value must be. `parse` takes what a flag or the environment (text) or a file (any JSON value) says
 * and answers the typed value, or the rule that was broken as an `Error`.
 */
export interface Setting<Value> {
  readonly fallback: Value;
  /** How the value is written, for `--help`. */
  readonly form: string;
  readonly help: string;
  readonly secret: boolean;
  readonly isFlag: boolean;
  readonly parse: (raw: unknown) => Value | Error;
}

type Details = { readonly help: string; readonly form?: string; readonly secret?: boolean };

function text<Value extends string | undefined>(
  fallback: Value,
  details: Details & { readonly accepts?: (value: string) => boolean; readonly rule?: string },
): Setting<string | Value> {
  const { accepts = () => true, rule = "must be a text" } = details;
  return setting<string | Value>(fallback, { form: "TEXT", ...details }, (raw) => {
    const value = typeof raw === "number" ? String(raw) : raw;
    return typeof value === "string" && value !== "" && accepts(value) ? value : new Error(rule);
  });
}

function integer(
  fallback: number,
  details: Details & { readonly min: number; readonly max: number },
): Setting<number> {
  const { min, max } = details;
  return setting(fallback, { form: "N", ...details }, (raw) => {
    const value = typeof raw === "string" && /^-?\d{1,15}$/.test(raw) ? Number(raw) : raw;
    const isValid = Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
    return isValid ? (value as number) : new Error(`must be an integer from ${min} to ${max}`);
  });
}

function flag(details: Details): Setting<boolean> {
  const spellings = new Map<unknown, boolean>([
    [true, true],
    [false, false],
    ["true", true],
    ["false", false],
    ["1", true],
    ["0", false],
  ]);
  return {
    ...setting(
      false,
      { form: "", ...details },
      (raw) => spellings.get(raw) ?? new Error("must be true or false"),
    ),
    isFlag: true,
  };
}

function choice<const Choice extends string>(
  fallback: Choice,
  choices: readonly Choice[],
  details: Details,
): Setting<Choice> {
  return setting(fallback, { form: choices.join("|"), ...details }, (raw) => {
    return choices.find((known) => known === raw) ?? new Error(`must be one of: ${choices.join(", ")}`);
  });
}

function list(
  fallback: readonly string[],
  details: Details & { readonly accepts: (entry: string) => boolean; readonly rule: string },
): Setting<readonly string[]> {
  const { accepts, rule } = details;
  return setting(fallback, { form: "A,B,...", ...details }, (raw) => {
    const entries = typeof raw === "string" ? raw.split(",").map((entry) => entry.trim()) : raw;
    const isValid =
      Array.isArray(entries) && entries.every((entry) => typeof entry === "string" && accepts(entry));
    return isValid ? (entries as string[]) : new Error(rule);
  });
}

function setting<Value>(
  fallback: Value,
  { help, form = "", secret = false }: Details,
  parse: Setting<Value>["parse"],
): Setting<Value> {
  return { fallback, form, help, secret, isFlag: false, parse };
}

/** An address or a range in CIDR notation. */
function isCidr(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  if (isIP(address) === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

const isEmail = (value: string): boolean => /^[^\s@]{1,256}@[^\s@]{1,253}$/.test(value);

const isHostName = (entry: string): boolean =>
  /^(?=.{1,253}$)([a-z0-9_-]{1,63}\.)+[a-z0-9-]{1,63}$/i.test(entry);

const isResolver = (entry: string): boolean => {
  const [, address = "", port] = /^\[?([^\]]*?)\]?(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return isIP(entry) !== 0 || (isIP(address) !== 0 && port !== undefined && Number(port) <= 65_535);
};

/**
 * Every setting, in the order of `--help`. A name here is the flag `--owner-email`, the variable
 * `ZONEWARD_OWNER_EMAIL` and the key `owner_email` of a file (decision 3).
 */
export const settings = {
  host: text("127.0.0.1", { form: "ADDRESS", help: "Address to listen on." }),
  port: integer(8787, { min: 0, max: 65_535, help: "Port to listen on; 0 takes a free one." }),
  tls: choice("off", ["off", "self-signed"], {
    help: "Speak HTTPS with a certificate by a local CA, which is made once in the data directory.",
  }),
  tls_cert: text(undefined, {
    form: "FILE",
    help: "Speak HTTPS with this certificate, PEM, followed by those of its issuers.",
  }),
  tls_key: text(undefined, { form: "FILE", help: "Private key of `tls_cert`, PEM without a passphrase." }),
  insecure_http: flag({
    help: "Allow plain HTTP on an address other than loopback, because a proxy in front ends TLS.",
  }),
  trusted_proxies: list([], {
    form: "CIDR,...",
    accepts: isCidr,
    rule: "must be a list of addresses or ranges in CIDR notation",
    help: "Proxies whose X-Forwarded-For is believed.",
  }),
  data: text("./data", { form: "DIR", help: "Directory of the SQLite file and of the local CA." }),
  database: text(undefined, {
    form: "URL",
    accepts: (value) => /^postgres(?:ql)?:\/\/\S+$/.test(value) && URL.canParse(value),
    rule: "must be a URL of the form postgres://user:password@host:port/name",
    secret: true,
    help: "A PostgreSQL database instead of the SQLite file.",
  }),
  secret_key_file: text(undefined, {
    form: "FILE",
    help: "File of the key that encrypts private keys in the store: 32 random bytes in base64. Without it a key is made in the data directory at the first need; beside PostgreSQL there has to be one before a certificate can be issued or stored.",
  }),
  ephemeral: flag({ help: "Keep everything in memory and forget it at the end. For tests." }),
  owner_email: text("owner@zoneward.local", {
    form: "EMAIL",
    accepts: isEmail,
    rule: "must be an e-mail address",
    help: "E-mail of the owner, who is made with an empty store.",
  }),
  owner_key: text(undefined, {
    form: "KEY",
    accepts: (value) => /^[0-9a-f]{37,45}$/.test(value),
    rule: "must be 37 to 45 lower-case hexadecimal characters",
    secret: true,
    help: "The owner's Global API Key; made up at the first start when not given.",
  }),
  owner_token: text(undefined, {
    form: "TOKEN",
    accepts: (value) => /^[A-Za-z0-9_-]{40,80}$/.test(value),
    rule: "must be 40 to 80 characters of A-Z a-z 0-9 _ -",
    secret: true,
    help: "An API token with all of the owner's rights. For CI.",
  }),
  account_name: text("Zoneward", {
    form: "NAME",
    help: "Name of the account that is made with an empty store.",
  }),
  seed: text(undefined, {
    form: "FILE",
    help: "A YAML or JSON file of accounts, zones and records that an empty store begins with.",
  }),
  vendor: text("cloudflare", {
    form: "NAME",
    accepts: (value) => /^[a-z][a-z0-9-]{0,62}$/.test(value),
    rule: "must be lower-case letters, digits and hyphens",
    help: "Brand segment of resource keys and of the name servers' names.",
  }),
  default_plan: choice("enterprise", ["free", "pro", "business", "enterprise"], {
    help: "Plan of a new zone.",
  }),
  activation: choice("immediate", ["immediate", "check-ns"], {
    help: "When a zone becomes active: at its activation check, or once a resolver says that its name servers are ours.",
  }),
  name_servers: list([], {
    form: "NAME,...",
    accepts: isHostName,
    rule: "must be a list of host names",
    help: "Name servers of every zone; without it each account gets a pair of its own.",
  }),
  resolvers: list([], {
    form: "ADDRESS,...",
    accepts: isResolver,
    rule: "must be a list of addresses, each with an optional port",
    help: "Resolvers that `activation=check-ns` asks; without it those of the system.",
  }),
  edge_addresses: list(
    [
      "173.245.48.0/20",
      "103.21.244.0/22",
      "103.22.200.0/22",
      "103.31.4.0/22",
      "141.101.64.0/18",
      "108.162.192.0/18",
      "190.93.240.0/20",
      "188.114.96.0/20",
      "197.234.240.0/22",
      "198.41.128.0/17",
      "162.158.0.0/15",
      "104.16.0.0/13",
      "104.24.0.0/14",
      "172.64.0.0/13",
      "131.0.72.0/22",
      "2400:cb00::/32",
      "2606:4700::/32",
      "2803:f800::/32",
      "2405:b500::/32",
      "2405:8100::/32",
      "2a06:98c0::/29",
      "2c0f:f248::/32",
    ],
    {
      form: "CIDR,...",
      accepts: (entry) => isCidr(entry) && entry.includes("/"),
      rule: "must be a list of ranges in CIDR notation",
      help: "What GET /ips answers; by default the public ranges that clients expect there.",
    },
  ),
  certificate_issuer: choice("local", ["local", "acme"], {
    help: "Who issues the certificates of certificate packs: a CA of our own, or one that speaks ACME (RFC 8555), whose terms are agreed to by this choice.",
  }),
  acme_directory: text(undefined, {
    form: "URL",
    accepts: (value) => /^https?:\/\/\S+$/.test(value) && URL.canParse(value),
    rule: "must be a URL of the form https://ca.example/directory",
    help: "Directory of the CA for `certificate_issuer=acme`.",
  }),
  acme_email: text(undefined, {
    form: "EMAIL",
    accepts: isEmail,
    rule: "must be an e-mail address",
    help: "Where that CA reaches the operator.",
  }),
  acme_propagation_seconds: integer(10, {
    min: 0,
    max: 3_600,
    help: "How long a TXT record takes to reach the name servers of its zone: the CA is not told to look for it earlier.",
  }),
  certificate_pack_quota: integer(100, {
    min: 0,
    max: 10_000,
    help: "Most advanced certificate packs of a zone; with 0 ordering them is not granted.",
  }),
  user_token_quota: integer(50, { min: 1, max: 100_000, help: "Most API tokens of a user." }),
  account_token_quota: integer(500, { min: 1, max: 100_000, help: "Most API tokens of an account." }),
  log_level: choice("info", ["debug", "info", "warn", "error", "silent"], {
    help: "What is logged, as JSON lines on standard error.",
  }),
} satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;

/** The effective settings. */
export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

export const settingNames = Object.keys(settings) as readonly SettingName[];

export function flagOf(name: string): string {
  return `--${name.replaceAll("_", "-")}`;
}

export function variableOf(name: string): string {
  return `ZONEWARD_${name.toUpperCase()}`;
}
