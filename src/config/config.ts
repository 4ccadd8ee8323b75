import { readTokens } from "./command-line-tokens.ts";
import { dnsAddressesOf, proxiedAddressesOf } from "./dns-settings.ts";
import { edgeAddressesOf } from "./edge-settings.ts";
import { oidcIssues } from "./oidc-settings.ts";
import { readYaml } from "./read-yaml.ts";
import type { Setting } from "./setting-kinds.ts";
import {
  flagOf,
  isLoopbackHost,
  settingNames,
  settings,
  variableOf,
  type Config,
  type SettingName,
} from "./settings.ts";
import { isJsonObject } from "../core/json.ts";
import { secretKeyIssue } from "../secrets/secret-box.ts";
import { certificateFileIssues } from "../tls/certificate-files.ts";

/** The settings of a command line, the environment and a file together. */
interface ReadConfig {
  readonly config: Config;
  readonly printConfig: boolean;
}

export class ConfigError extends Error {
  readonly issues: readonly string[];

  constructor(issues: readonly string[]) {
    super(issues.join("\n"));
    this.name = "ConfigError";
    this.issues = issues;
  }
}

interface Given {
  readonly raw: unknown;
  readonly where: string;
}

type Source = ReadonlyMap<SettingName, Given>;

/** Reads the settings: a flag beats the environment, which beats the file. Throws `ConfigError` with all errors. */
export async function readConfig(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ReadConfig> {
  const issues: string[] = [];
  const { flags, printConfig, file } = readFlags(args, issues);
  const variables = readEnvironment(env, issues);
  const path = file ?? env[configFileVariable];
  const where = file === undefined ? configFileVariable : "--config";
  const entries = path === undefined ? new Map<SettingName, Given>() : await readFile(path, where, issues);

  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of settingNames) {
    const setting: Setting<unknown> = settings[name];
    const given = flags.get(name) ?? variables.get(name) ?? entries.get(name);
    const value = given === undefined ? setting.fallback : setting.parse(given.raw);
    if (value instanceof Error) issues.push(`${given?.where}: ${value.message}`);
    else values[name] = value;
  }
  const config = values as Config;
  issues.push(...contradictions(config, flags, variables, entries), ...tlsIssues(config));
  issues.push(...secretKeyIssues(config), ...testControlIssues(config), ...oidcIssues(config));
  if (issues.length > 0) throw new ConfigError(issues);
  return { config, printConfig };
}

/** The effective settings as JSON, secrets masked. */
export function renderConfig(config: Config): string {
  const shown = settingNames.map((name) => {
    const value = config[name];
    return [name, settings[name].secret && value !== settings[name].fallback ? "********" : (value ?? null)];
  });
  return JSON.stringify(Object.fromEntries(shown), null, 2);
}

const configFileVariable = "ZONEWARD_CONFIG";

const configFlag = "--config";
const printConfigFlag = "--print-config";
const nameOfFlag = new Map(settingNames.map((name) => [flagOf(name), name]));

const switchNames = settingNames.filter((name) => settings[name].isFlag);

/** Flags without a value, by name, with the setting and the value that they stand for. */
const switches = new Map<string, { readonly name: SettingName; readonly raw: boolean }>(
  switchNames.flatMap((name) => [
    [flagOf(name), { name, raw: true }],
    [flagOf(name).replace(/^--/, "--no-"), { name, raw: false }],
  ]),
);

export const settingOptions = Object.fromEntries(
  [configFlag, printConfigFlag, ...nameOfFlag.keys(), ...switches.keys()].map((flag) => {
    const isSwitch = flag === printConfigFlag || switches.has(flag);
    return [flag.slice("--".length), { type: isSwitch ? ("boolean" as const) : ("string" as const) }];
  }),
);

function readFlags(
  args: readonly string[],
  issues: string[],
): { flags: Source; printConfig: boolean; file: string | undefined } {
  const flags = new Map<SettingName, Given>();
  let file: string | undefined;
  let printConfig = false;
  for (const { flag, value } of readTokens(args, settingOptions)) {
    if (flag === undefined) {
      issues.push(`\`${value}\`: not expected here`);
      continue;
    }
    const name = nameOfFlag.get(flag);
    const switched = value === undefined ? switches.get(flag) : undefined;
    if (flag === printConfigFlag) printConfig = true;
    else if (switched !== undefined) flags.set(switched.name, { raw: switched.raw, where: flag });
    else if (name === undefined && flag !== configFlag) issues.push(`${flag}: unknown flag`);
    else if (value === undefined) issues.push(`${flag}: needs a value`);
    else if (name === undefined) file = value;
    else flags.set(name, { raw: value, where: flag });
  }
  return { flags, printConfig, file };
}

function readEnvironment(env: NodeJS.ProcessEnv, issues: string[]): Source {
  const nameOfVariable = new Map<string, SettingName>(settingNames.map((name) => [variableOf(name), name]));
  const found = new Map<SettingName, Given>();
  for (const [variable, raw] of Object.entries(env)) {
    if (!variable.startsWith("ZONEWARD_") || variable === configFileVariable) continue;
    const name = nameOfVariable.get(variable);
    if (name === undefined) issues.push(`${variable}: unknown setting`);
    else found.set(name, { raw, where: variable });
  }
  return found;
}

async function readFile(path: string, where: string, issues: string[]): Promise<Source> {
  const found = new Map<SettingName, Given>();
  const content = await readYaml(path);
  if (content instanceof Error) {
    issues.push(`${where}: ${content.message}`);
    return found;
  }
  if (!isJsonObject(content)) {
    if (content !== null) issues.push(`${path}: must be a map of settings`);
    return found;
  }
  for (const [key, raw] of Object.entries(content)) {
    const name = settingNames.find((known) => known === key);
    if (name === undefined) issues.push(`${path}: ${key}: unknown setting`);
    else found.set(name, { raw, where: `${path}: ${key}` });
  }
  return found;
}

/** Finds settings that are valid alone but not together. */
function contradictions(config: Config, ...sources: readonly Source[]): string[] {
  const found: string[] = [];
  if (config.host !== undefined && !isLoopbackHost(config.host) && !isProtected(config)) {
    found.push(
      `--host: ${config.host} is not a loopback address and the API would be served without TLS; use --tls or --tls-cert, or put a proxy that terminates TLS in front and set --insecure-http`,
    );
  }
  if (
    config.dns_listen !== undefined &&
    config.edge_addresses !== undefined &&
    dnsAddressesOf(config).length > 0 &&
    proxiedAddressesOf(config).length === 0
  ) {
    found.push(
      "--edge-addresses: holds no single address, which the name server needs to answer proxied names",
    );
  }
  if (config.ephemeral && config.database !== undefined) {
    found.push("--ephemeral: keeps everything in memory, so --database cannot be given as well");
  }
  if (config.ephemeral && sources.some((source) => source.has("data"))) {
    found.push("--ephemeral: keeps everything in memory, so --data cannot be given as well");
  }
  if (config.dns_workers > 1 && (config.ephemeral || config.test_controls)) {
    found.push(
      "--dns-workers: must be 1 with --ephemeral or --test-controls, which all queries have to pass",
    );
  }
  if (config.edge_workers > 1 && (config.ephemeral || config.test_controls)) {
    found.push(
      "--edge-workers: must be 1 with --ephemeral, whose store only the main thread has, and with --test-controls, which all requests have to pass",
    );
  }
  if (config.certificate_issuer === "acme" && config.acme_directory === undefined) {
    found.push("--certificate-issuer: acme needs --acme-directory as well");
  }
  if (config.gateway_response_bytes_max > config.unread_bytes_max) {
    found.push(
      "--unread-bytes-max: must not be less than --gateway-response-bytes-max, as no such answer could be read",
    );
  }
  return found;
}

/** Whether this server, or a proxy in front of it, serves TLS. */
function isProtected({ tls, tls_cert, tls_key, insecure_http }: Config): boolean {
  return tls !== "off" || tls_cert !== undefined || tls_key !== undefined || insecure_http;
}

function secretKeyIssues({ secret_key: keys, secret_key_file: file }: Config): string[] {
  if (keys !== undefined && file !== undefined) {
    return ["--secret-key-file: cannot be given together with --secret-key"];
  }
  const issue = file === undefined ? undefined : secretKeyIssue(file);
  return issue === undefined ? [] : [`--secret-key-file: ${issue}`];
}

/** Finds errors in the certificate that the operator brings. */
function tlsIssues({ tls, tls_cert: certificate, tls_key: privateKey }: Config): string[] {
  if (certificate === undefined && privateKey === undefined) return [];
  if (tls === "self-signed")
    return ["--tls: self-signed makes a certificate, so --tls-cert and --tls-key cannot be given as well"];
  if (certificate === undefined) return ["--tls-key: needs --tls-cert as well"];
  if (privateKey === undefined) return ["--tls-cert: needs --tls-key as well"];
  return certificateFileIssues({ certificate, privateKey }, new Date());
}

/** Settings which show that the server is meant for others than tests. */
const productionSettings = ["public_url", "trusted_proxies", "tls_cert", "certificate_issuer"] as const;

/** Settings that have no effect without the test controls. */
const needTestControls = [
  "test_controls_off_loopback",
  "test_controls_token",
  "test_profile",
  "test_profile_seed",
  "clock_start",
  "ids_seed",
] as const;

/** The reasons why the test controls cannot be served, one line each. */
function testControlIssues(config: Config): string[] {
  if (!config.test_controls) {
    return needTestControls
      .filter((name) => config[name] !== settings[name].fallback)
      .map((name) => `${flagOf(name)}: needs --test-controls as well`);
  }
  const isFor = {
    public_url: config.public_url !== undefined,
    trusted_proxies: config.trusted_proxies.length > 0,
    tls_cert: config.tls_cert !== undefined,
    certificate_issuer: config.certificate_issuer === "acme",
  };
  const production = productionSettings
    .filter((name) => isFor[name])
    .map((name) => `--test-controls: cannot be given together with ${flagOf(name)}, which is for production`);
  const { http, https, judge } = edgeAddressesOf(config);
  const outside = [config, ...dnsAddressesOf(config), ...http, ...https, ...judge]
    .map(({ host }) => host)
    .find((host) => !isLoopbackHost(host));
  if (outside === undefined || config.test_controls_off_loopback) return production;
  return [
    ...production,
    `--test-controls: ${outside} is not a loopback address; set --test-controls-off-loopback if whoever can reach it may change and delete everything`,
  ];
}
