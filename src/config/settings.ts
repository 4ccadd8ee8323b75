import { isIP } from "node:net";
import { dnsSettings } from "./dns-settings.ts";
import publicAddresses from "../../catalogues/edge-addresses.json" with { type: "json" };
import { edgeSettings } from "./edge-settings.ts";
import { oidcSettings } from "./oidc-settings.ts";
import {
  choice,
  integer,
  list,
  setting,
  parseJson,
  type Setting,
  flag,
  text,
  integerOrAutomatic,
  rateLimit,
  publicRateQuotas,
  type RateQuotas,
} from "./setting-kinds.ts";
import type { Plan } from "../core/expression/phases.ts";
import { isJsonObject } from "../core/json.ts";
import { isDeniedHost } from "../core/net/denied-hosts.ts";
import { parseCidr, parseIpRange } from "../core/net/ip-range.ts";
import { clockTimeOf } from "../core/test-controls/control-values.ts";
import { catalogue, developmentMode } from "../core/zone-settings/catalogue.ts";
import { hasValue, initialValue, isEditable } from "../core/zone-settings/setting.ts";
import { parseNetworks, type NetworkSettings } from "../gateway/chain/networks.ts";
import { isSecretKeys } from "../secrets/secret-keys.ts";
import { isTokenSecret } from "../secrets/secrets.ts";

const gatewaySettings = {
  gateway_networks: setting<readonly NetworkSettings[]>(
    [],
    {
      notation: "JSON",
      secret: true,
      help: "Networks of the JSON-RPC gateway and their upstreams; docs/gateway.md describes the format.",
    },
    parseNetworks,
  ),
  gateway_auth: choice("auto", ["auto", "none", "token"], {
    help:
      "Who may call the gateway: anybody (`none`), or only callers with *Web3 Hostnames Read* on some zone (`token`). " +
      "`auto` is `none` on a loopback host, otherwise `token`.",
  }),
  gateway_method_refusal: choice("200", ["200", "403"], {
    help: "HTTP status for a single call of a refused method; for a batch it is always 200.",
  }),
  gateway_body_bytes_max: integer(1024 * 1024, {
    min: 1024,
    max: 64 * 1024 * 1024,
    help: "Most bytes in a request to the gateway.",
  }),
  gateway_response_bytes_max: integer(32 * 1024 * 1024, {
    min: 1024,
    max: 512 * 1024 * 1024,
    help: "Most bytes in an answer of the gateway or of an upstream.",
  }),
  gateway_batch_calls_max: integer(1000, {
    min: 1,
    max: 100_000,
    help: "Most calls in one batch to the gateway.",
  }),
  gateway_cache_bytes_max: integer(64 * 1024 * 1024, {
    min: 0,
    max: 16 * 1024 * 1024 * 1024,
    help: "Bytes of memory for the cached answers of each gateway network; 0 caches nothing.",
  }),
  gateway_rate_limit: integer(0, {
    min: 0,
    max: 1_000_000_000,
    help:
      "Most gateway calls per minute from one address (for IPv6, one /64), or from one token where tokens are required; " +
      "0 sets no limit.",
  }),
  gateway_cors_origins: list([], {
    notation: "ORIGIN,...",
    accepts: (entry) => entry === "*" || (URL.canParse(entry) && new URL(entry).origin === entry),
    rule: "must be a list of origins such as https://app.example, or *",
    help: "Origins of web pages that may call the gateway from a browser.",
  }),
};

/** Values of settings of a zone by name, as the API takes them. */
type ZoneSettingValues = Readonly<Record<string, unknown>>;

const example = '{"ssl":"flexible","always_use_https":"on"}';

/** Settings of a new zone that replace the initial values of its plan. */
const newZoneSettings: Setting<ZoneSettingValues | undefined> = setting<ZoneSettingValues | undefined>(
  undefined,
  {
    notation: "JSON",
    help:
      `Settings of a new zone that differ from those of its plan, such as ${example}. ` +
      "On a plan that does not allow one of them, the zone has what that plan says.",
  },
  (raw) => {
    const values = parseJson(raw);
    if (!isJsonObject(values)) return new Error(`must be a map of settings of a zone, such as ${example}`);
    const issue = Object.entries(values).flatMap(([id, value]) => issueIn(id, value) ?? [])[0];
    return issue === undefined ? values : new Error(issue);
  },
);

/** Settings that cannot be set here: `waf` has a setting of its own, and development mode ends by itself. */
const excluded: ReadonlySet<string> = new Set(["waf", developmentMode]);

function issueIn(id: string, value: unknown): string | undefined {
  const known = excluded.has(id) ? undefined : catalogue.get(id);
  if (known === undefined || !isEditable(known, "enterprise")) {
    return `must hold settings that new zones can have: ${id} is none`;
  }
  const isValid = known.values.parse(value, initialValue(known, "enterprise")) !== undefined;
  return isValid ? undefined : `must hold valid values: that of ${id} is not`;
}

export function newZoneSettingsOn(values: ZoneSettingValues = {}, plan: Plan) {
  return Object.entries(values).flatMap(([id, value]) => {
    const known = catalogue.get(id);
    return known !== undefined && isEditable(known, plan) && hasValue(known, plan, value)
      ? [{ id, value }]
      : [];
  });
}

const testSettings = {
  test_controls: flag({
    help:
      "Serve the test controls below `/test/v1/`, by which tests reset and change the server. Never for production: " +
      "it cannot be combined with `public_url`, `trusted_proxies`, `tls_cert` or `certificate_issuer=acme`.",
  }),
  test_controls_off_loopback: flag({
    help: "Allow `test_controls` on an address other than loopback, such as in a container. Whoever has the owner's credentials or `test_controls_token` can then do anything there.",
  }),
  test_controls_token: text(undefined, {
    notation: "TOKEN",
    accepts: isTokenSecret,
    rule: "must be 40 to 80 characters out of A-Z a-z 0-9 _ -; one that begins with zw_ needs a valid checksum",
    secret: true,
    help: "A token for the test controls, and for nothing else. Without it, they take the owner's credentials only.",
  }),
  test_profile: choice("strict", ["strict", "lenient", "awkward"], {
    help:
      "How the server behaves for tests from the start: as documented; lenient with credentials and zones that nobody " +
      "made; or awkward, so that clients do not rely on more than is documented. The test controls can change it.",
  }),
  test_profile_seed: integer(0, {
    min: 0,
    max: 2 ** 31,
    help: "Makes what `test_profile=awkward` does repeatable.",
  }),
  clock_start: text(undefined, {
    notation: "TIME",
    accepts: (value) => clockTimeOf(value) !== undefined,
    rule: "must be a time of RFC 3339 between the years 1970 and 9899, such as 2026-01-02T03:04:05Z",
    help: "Time at which the server's clock stands still from the start, until the test controls move it.",
  }),
  ids_seed: text(undefined, {
    notation: "TEXT",
    help:
      "Makes ids depend on this text and on their order alone, so that two servers that are asked the same make the " +
      "same ids. Work that would run in worker threads then holds up other requests.",
  }),
};

/** A list of ranges in CIDR notation. */
function cidrList(fallback: readonly string[], { help }: { readonly help: string }) {
  return list(fallback, {
    notation: "CIDR,...",
    accepts: (entry) => parseCidr(entry) !== undefined,
    rule: "must be a list of ranges in CIDR notation",
    help,
  });
}

const isOrigin = (value: string): boolean => /^https?:\/\/[^/?#@]+\/?$/i.test(value) && URL.canParse(value);

const isEmail = (value: string): boolean => /^[^\s@]{1,256}@[^\s@]{1,253}$/.test(value);

/** Whether an entry is a host name; a single label is allowed. */
const isAnyHostName = (entry: string): boolean =>
  /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/i.test(entry);

const isHostName = (entry: string): boolean =>
  /^(?=.{1,253}$)([a-z0-9_-]{1,63}\.)+[a-z0-9-]{1,63}$/i.test(entry);

const nameServerSetsRule =
  "must be a list of at most five sets, each of two to five host names with spaces between them, and no name in two sets";
const nameServerSets = list([], {
  notation: "'NAME NAME...',...",
  accepts: (entry) => {
    const names = entry.split(/\s+/);
    return names.length >= 2 && names.length <= 5 && names.every(isHostName);
  },
  rule: nameServerSetsRule,
  help: "Sets of name servers that zones choose by `nameservers` in their DNS settings (`custom.account` or `custom.tenant`, `ns_set` from 1). The names need addresses of this name server.",
});

/** Refuses a name in two sets, as an answer with it would not tell which of the sets is meant. */
const distinctNameServerSets: typeof nameServerSets = {
  ...nameServerSets,
  parse: (raw) => {
    const sets = nameServerSets.parse(raw);
    if (sets instanceof Error) return sets;
    const names = sets.flatMap((set) => set.toLowerCase().split(/\s+/));
    const isValid = sets.length <= 5 && new Set(names).size === names.length;
    return isValid ? sets : new Error(nameServerSetsRule);
  },
};

const isResolver = (entry: string): boolean => {
  const [, address = "", port] = /^\[?([^\]]*?)\]?(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return isIP(entry) !== 0 || (isIP(address) !== 0 && port !== undefined && Number(port) <= 65_535);
};

/**
 * Every setting, in the order of `--help`. A name here is the flag `--owner-email`, the variable
 * `ZONEWARD_OWNER_EMAIL` and the key `owner_email` of a file (docs/decisions/0003-first-run.md#settings).
 */
export const settings = {
  host: text("127.0.0.1", { notation: "ADDRESS", help: "Address to listen on." }),
  port: integer(8787, { min: 0, max: 65_535, help: "Port to listen on; 0 takes a free one." }),
  tls: choice("off", ["off", "self-signed"], {
    help: "Serve HTTPS with a certificate from a local CA, which is created once in the data directory.",
  }),
  tls_cert: text(undefined, {
    notation: "FILE",
    help: "Serve HTTPS with this certificate (PEM), followed by those of its issuers.",
  }),
  tls_key: text(undefined, { notation: "FILE", help: "Private key of `tls_cert` (PEM, no passphrase)." }),
  insecure_http: flag({
    help: "Allow plain HTTP on an address other than loopback, if a proxy in front terminates TLS.",
  }),
  dashboard: choice("on", ["on", "off"], {
    help: "Whether to serve the dashboard at `/` and let users sign in with a browser.",
  }),
  public_url: text(undefined, {
    notation: "URL",
    accepts: isOrigin,
    rule: "must be a URL with only a scheme and a host, such as https://zones.example.com",
    help: "URL at which browsers reach the dashboard, if that is not where the server listens (behind a proxy, for example).",
  }),
  allowed_hosts: list([], {
    notation: "NAME,...",
    accepts: (entry) => isIP(entry) !== 0 || isAnyHostName(entry),
    rule: "must be a list of host names or addresses, without ports",
    help:
      "Further names under which browsers may use the gateway and `/metrics` on a loopback address; `localhost`, loopback " +
      "addresses and the name in `public_url` are always allowed. Other clients may use any name.",
  }),
  trusted_proxies: list([], {
    notation: "CIDR,...",
    accepts: (entry) => parseIpRange(entry) !== undefined,
    rule: "must be a list of addresses or ranges in CIDR notation",
    help: "Proxies whose X-Forwarded-For header is trusted.",
  }),
  metrics_networks: list(["127.0.0.0/8", "::1/128"], {
    notation: "CIDR,...",
    accepts: (entry) => entry === "none" || parseIpRange(entry) !== undefined,
    rule: "must be a list of addresses or ranges in CIDR notation, or none",
    help:
      "Clients that read `/metrics` without credentials, of the API and of `zoneward edge`; `none` for nobody. What a proxy " +
      "passes on counts as coming from these only if the proxy is in `trusted_proxies` and sends X-Forwarded-For. Others need " +
      "`metrics_token`, or at the API the credentials of the installation's owner.",
  }),
  metrics_token: text(undefined, {
    notation: "TOKEN",
    accepts: isTokenSecret,
    rule: "must be 40 to 80 characters out of A-Z a-z 0-9 _ -; one that begins with zw_ needs a valid checksum",
    secret: true,
    help: "A token that reads `/metrics` from anywhere, as `Authorization: Bearer`, and nothing else.",
  }),
  data: text("./data", {
    notation: "DIR",
    help: "Directory for the SQLite file, the local CA and the gateway's development chain.",
  }),
  database: text(undefined, {
    notation: "URL",
    accepts: (value) => /^postgres(?:ql)?:\/\/\S+$/.test(value) && URL.canParse(value),
    rule: "must be a URL of the form postgres://user:password@host:port/name",
    secret: true,
    help: "PostgreSQL database to use instead of the SQLite file.",
  }),
  secret_key: text(undefined, {
    notation: "KEY,...",
    accepts: isSecretKeys,
    rule: "must be 32 random bytes in base64, as `openssl rand -base64 32` makes them; separate several with commas",
    secret: true,
    help: "Key that encrypts secrets in the store: 32 random bytes in base64. Further keys after it only decrypt. Set it in the environment rather than by a flag, which other users of the machine can see.",
  }),
  secret_key_file: text(undefined, {
    notation: "FILE",
    help: "File with that key, or several, one per line. If neither is set, a key is created in the data directory when it is first needed; with PostgreSQL you must set one before a certificate can be issued or stored.",
  }),
  ephemeral: flag({ help: "Keep everything in memory and forget it on exit. For tests." }),
  owner_email: text("owner@zoneward.local", {
    notation: "EMAIL",
    accepts: isEmail,
    rule: "must be an e-mail address",
    help: "E-mail address of the owner, who is created in an empty store.",
  }),
  owner_key: text(undefined, {
    notation: "KEY",
    accepts: (value) => /^[0-9a-f]{37,45}$/.test(value),
    rule: "must be 37 to 45 lower-case hexadecimal characters",
    secret: true,
    help: "The owner's Global API Key; generated at the first start if not set.",
  }),
  owner_token: text(undefined, {
    notation: "TOKEN",
    accepts: isTokenSecret,
    rule: "must be 40 to 80 characters out of A-Z a-z 0-9 _ -; one that begins with zw_ needs a valid checksum",
    secret: true,
    help: "An API token with all of the owner's rights. For CI.",
  }),
  account_name: text("Zoneward", {
    notation: "NAME",
    help: "Name of the account that is created in an empty store.",
  }),
  seed: text(undefined, {
    notation: "FILE",
    help: "YAML or JSON file with the accounts, zones and records that an empty store starts with.",
  }),
  vendor: text("cloudflare", {
    notation: "NAME",
    accepts: (value) => /^[a-z][a-z0-9-]{0,62}$/.test(value),
    rule: "must be lower-case letters, digits and hyphens",
    help: "Brand segment in resource keys and name server names.",
  }),
  default_plan: choice("enterprise", ["free", "pro", "business", "enterprise"], {
    help: "Plan of a new zone.",
  }),
  new_zone_waf: choice("previous", ["previous", "new"], {
    help: "Version of the WAF managed rules in a new zone: the previous one, which can be migrated, or the new one.",
  }),
  new_zone_settings: newZoneSettings,
  activation: choice("immediate", ["immediate", "check-ns"], {
    help: "When a zone becomes active: at its activation check, or once a resolver shows that its name servers are those of Zoneward.",
  }),
  name_servers: list([], {
    notation: "NAME,...",
    accepts: isHostName,
    rule: "must be a list of host names",
    help: "Name servers of every zone; if not set, each account gets its own pair.",
  }),
  name_server_sets: distinctNameServerSets,
  resolvers: list([], {
    notation: "ADDRESS,...",
    accepts: isResolver,
    rule: "must be a list of addresses, each with an optional port",
    help: "Resolvers that `activation=check-ns` asks, and the name server for the targets of flattened CNAMEs; if not set, those of the system. An authoritative server of the parent zones, such as this name server itself, may stand among them.",
  }),
  ...dnsSettings,
  ...edgeSettings,
  crs: text(undefined, {
    notation: "DIR",
    help:
      "Directory of a release of the OWASP Core Rule Set (`rules/*.conf` and `crs-setup.conf`), such as " +
      "/usr/share/modsecurity-crs: its rules are those of the OWASP ruleset, in place of the built-in ones. It is read " +
      "again when its files change.",
  }),
  jdcloud_addresses: cidrList(publicAddresses.mainlandChina, {
    help: "Ranges that GET /ips?networks=jdcloud answers besides: those of the edge in mainland China. By default the public ones.",
  }),
  certificate_issuer: choice("local", ["local", "acme"], {
    help: "Who issues the certificates of certificate packs: Zoneward's local CA, or a CA that speaks ACME (RFC 8555). Choosing `acme` agrees to that CA's terms.",
  }),
  async_delay: integer(0, {
    min: 0,
    max: 86_400,
    help: "Seconds that what a public service does in the background takes: a new zone becomes active no earlier, the certificates of a pack are asked for no earlier, and a scan for records and a purge are answered later by as much, by ten seconds at most. For tests of clients that wait.",
  }),
  issuance_delay_seconds: integer(0, {
    min: 0,
    max: 86_400,
    help: "Seconds from the order of a certificate pack until its certificates are asked for, while the pack is `initializing`. `async_delay` holds where it is longer. For tests of clients that wait for a pack as they do for one of a public CA.",
  }),
  acme_directory: text(undefined, {
    notation: "URL",
    accepts: (value) =>
      /^https?:\/\/\S+$/.test(value) && URL.canParse(value) && !isDeniedHost(new URL(value).hostname),
    rule: "must be a URL of the form https://ca.example/directory, and not on a link-local or metadata address",
    help: "Directory URL of the CA for `certificate_issuer=acme`.",
  }),
  acme_email: text(undefined, {
    notation: "EMAIL",
    accepts: isEmail,
    rule: "must be an e-mail address",
    help: "E-mail address at which that CA reaches the operator.",
  }),
  acme_propagation_seconds: integer(10, {
    min: 0,
    max: 3_600,
    help: "Seconds until a TXT record has reached its zone's name servers; only then is the CA asked to check it.",
  }),
  certificate_pack_quota: integer(100, {
    min: 0,
    max: 10_000,
    help: "Most advanced certificate packs that a zone may have; 0 means that none can be ordered.",
  }),
  create_accounts: choice("nobody", ["nobody", "owner"], {
    help: "Who may create accounts by `POST /accounts` and delete them: nobody, or the owner.",
  }),
  invite_links: choice("nobody", ["nobody", "owner", "members"], {
    help:
      "Who may make a link by which somebody who is invited becomes a user: nobody, the owner, or all members who may invite. " +
      "Nobody checks that the e-mail address is theirs: `members` is for servers whose accounts all trust each other.",
  }),
  initial_token: choice("dashboard", ["dashboard", "api"], {
    help: "Where a user makes the first API token: in the dashboard, or also by `POST /user/tokens` with e-mail and key, for tests of clients that sign in by key.",
  }),
  user_token_quota: integer(50, { min: 1, max: 100_000, help: "Most API tokens that a user may have." }),
  account_token_quota: integer(500, {
    min: 1,
    max: 100_000,
    help: "Most API tokens that an account may have.",
  }),
  rate_limit: rateLimit("auto", {
    help:
      'Most requests per user in 5 minutes and per address in a second; `on` is {"user":1200,"address":200}. ' +
      "`auto` is off on a loopback host, otherwise on.",
  }),
  auth_failure_limit: integerOrAutomatic("auto", {
    min: 1,
    max: 1_000_000,
    help:
      "Most bad secrets per address in a minute; further ones are refused, each looked up only once. " +
      "`auto` is off on a loopback host, otherwise 30.",
  }),
  session_idle_minutes: integer(60, {
    min: 1,
    max: 43_200,
    help: "Minutes after which an unused dashboard session ends.",
  }),
  session_hours: integer(12, {
    min: 1,
    max: 8_760,
    help: "Hours after which a dashboard session ends even if it is in use.",
  }),
  two_factor: choice("optional", ["optional", "required"], {
    help: "Whether users may sign in to the dashboard with a password alone, or have to set up a second factor first.",
  }),
  ...oidcSettings,
  connections_max: integer(10_000, {
    min: 1,
    max: 1_000_000,
    help:
      "Most open connections. A further one closes the connection that has gone without a request for longest, or is " +
      "refused if all have a request. A request without valid credentials counts once its body is complete. Visitors of " +
      "the edge may have as many again.",
  }),
  connections_per_address_percent: integer(10, {
    min: 1,
    max: 100,
    help:
      "Most open connections from one address, or one /64 network of IPv6, in percent of `connections_max`. A further " +
      "one is treated in the same way. Loopback addresses and `trusted_proxies` are exempt.",
  }),
  unread_bytes_max: integer(256 * 1024 * 1024, {
    min: 1024 * 1024,
    max: 64 * 1024 * 1024 * 1024,
    help:
      "Most bytes of answers that wait for clients to read them. Above it, the connections for which most waits are " +
      "closed. A client that reads nothing for 30 seconds loses its connection in any case.",
  }),
  audit_log_days: integer(540, {
    min: 0,
    max: 36_500,
    help: "Days after which audit log entries are deleted; 0 keeps them for ever.",
  }),
  security_event_days: integer(30, {
    min: 0,
    max: 36_500,
    help: "Days after which security events are deleted; 0 keeps them until `security_events_max` is reached.",
  }),
  security_events_max: integer(100_000, {
    min: 0,
    max: 100_000_000,
    help:
      "Most security events to keep, for all accounts together. Above it, the oldest are deleted of the accounts that have " +
      "most: one that has less than an equal part loses none.",
  }),
  ...gatewaySettings,
  ...testSettings,
  log_level: choice("info", ["debug", "info", "warn", "error", "silent"], {
    help: "Lowest level that is logged, as JSON lines on standard error.",
  }),
} satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;

export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

export function isLoopbackHost(host: string): boolean {
  return loopbackHost.test(host);
}

/** The URL at which browsers reach the server, as far as the settings say. */
export function publicUrlOf(config: Pick<Config, "public_url" | "host" | "port" | "tls" | "tls_cert">): URL {
  if (config.public_url !== undefined) return new URL(config.public_url);
  const scheme = config.tls === "off" && config.tls_cert === undefined ? "http" : "https";
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return new URL(`${scheme}://${host}:${config.port}`);
}

export const settingNames = Object.keys(settings) as readonly SettingName[];

/** The flag of a setting: `--owner-email` of `owner_email`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll("_", "-")}`;
}

/** The variable of a setting: `ZONEWARD_OWNER_EMAIL` of `owner_email`. */
export function variableOf(name: string): string {
  return `ZONEWARD_${name.toUpperCase()}`;
}

const authFailuresMax = 30;

/** The numbers that `rate_limit` stands for; undefined for no limit. */
export function rateQuotasOf({
  rate_limit,
  host,
}: Pick<Config, "rate_limit" | "host">): RateQuotas | undefined {
  if (rate_limit !== "auto") return rate_limit === "off" ? undefined : rate_limit;
  return isLoopbackHost(host) ? undefined : publicRateQuotas;
}

/** The number that `connections_per_address_percent` stands for, which is never 0. */
export function connectionsPerAddressMaxOf({
  connections_max,
  connections_per_address_percent,
}: Pick<Config, "connections_max" | "connections_per_address_percent">): number {
  return Math.max(1, Math.floor((connections_max * connections_per_address_percent) / 100));
}

/** The number that `auth_failure_limit` stands for; undefined for no limit. */
export function authFailureLimitOf({
  auth_failure_limit,
  host,
}: Pick<Config, "auth_failure_limit" | "host">): number | undefined {
  if (auth_failure_limit !== "auto") return auth_failure_limit === "off" ? undefined : auth_failure_limit;
  return isLoopbackHost(host) ? undefined : authFailuresMax;
}

/**
 * The most wrong passwords per address and minute; undefined for no limit. Unlike tokens, passwords can be
 * guessed, so only `off` removes the limit.
 */
export function wrongPasswordLimitOf({
  auth_failure_limit,
}: Pick<Config, "auth_failure_limit">): number | undefined {
  if (auth_failure_limit === "off") return undefined;
  return auth_failure_limit === "auto" ? authFailuresMax : auth_failure_limit;
}

/** Milliseconds between the order of a certificate pack and the request for its certificates. */
export function issuanceDelayMsOf({
  async_delay,
  issuance_delay_seconds,
}: Pick<Config, "async_delay" | "issuance_delay_seconds">): number {
  return Math.max(async_delay, issuance_delay_seconds) * 1_000;
}
