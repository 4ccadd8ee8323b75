import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { lookup } from "node:dns/promises";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";

import { ConfigError, readConfig } from "../config/config.ts";
import type { Config } from "../config/settings.ts";
import { createDnsResolver } from "../network/dns-resolver.ts";
import { zoneSettingsOf } from "../planes/dns/open-name-server.ts";
import { findEnclosedZones } from "../resources/zones/zones.ts";
import { locationOf, nameOf } from "../process/open-store.ts";
import { version } from "../process/version.ts";
import { isMigrated, refuseDevelopmentStore } from "../storage/migrations.ts";
import { openDatabase } from "../storage/open-database.ts";
import { runToEnd } from "./command-line.ts";

/** A check, and the remedy where it failed. */
interface Finding {
  readonly what: string;
  /** `error`: a server does not start; `warning`: it starts, and something will not work. */
  readonly state: "ok" | "warning" | "error";
  readonly says: string;
  readonly advice?: string;
}

type Check = (config: Config) => Promise<Finding> | Finding;

const checks: readonly Check[] = [
  checkPort,
  checkDataDirectory,
  checkDatabase,
  checkZones,
  checkClock,
  checkNameResolution,
  checkCertificate,
];

/** `zoneward doctor`: finds the reasons why a server with these settings would not run here. */
export async function doctor(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runToEnd(async () => {
    const findings: Finding[] = [
      { what: "Zoneward", state: "ok", says: `${version()}, on Node.js ${process.versions.node}` },
    ];
    const config = await readSettings(args, env);
    if ("config" in config) {
      findings.push({ what: "Settings", state: "ok", says: "valid" });
      for (const check of checks) findings.push(await check(config.config));
    } else findings.push(...config.findings);
    process.stdout.write(findings.map(render).join(""));
    const errors = findings.filter(({ state }) => state === "error").length;
    if (errors > 0)
      throw new Error(errors === 1 ? "one thing must be mended" : `${errors} things must be mended`);
  });
}

async function readSettings(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly config: Config } | { readonly findings: readonly Finding[] }> {
  try {
    return { config: (await readConfig(args, env)).config };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = "zoneward serve --help lists the settings.";
    return {
      findings: error.issues.map((issue) => ({ what: "Settings", state: "error", says: issue, advice })),
    };
  }
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  const what = "Port";
  const attempt = createServer();
  try {
    const { address } = await lookup(host, { order: "ipv4first" });
    await once(attempt.listen({ host: address, port }), "listening");
    return { what, state: "ok", says: port === 0 ? `${host}, any free port` : `${host}, ${port} is free` };
  } catch (error) {
    const advice: Readonly<Record<string, string>> = {
      EADDRINUSE: "Stop the program that listens there, or set --port to another one.",
      EACCES: "Ports below 1024 need a right of their own: set --port to a higher one.",
      EADDRNOTAVAIL: "This machine has no such address: set --host to one of its own.",
      ENOTFOUND: "The name has no address: set --host to an address.",
    };
    const code = codeOf(error);
    return failed(what, `${host}, ${port}: ${code}`, advice[code] ?? "Set --host and --port.");
  } finally {
    attempt.close();
  }
}

const freeBytesMin = 100 * 1024 * 1024;

function checkDataDirectory({ data, ephemeral }: Config): Finding {
  const what = "Data directory";
  if (ephemeral) return { what, state: "ok", says: "not used: everything is in memory" };
  const directory = resolve(data);
  const nearest = nearestDirectory(directory);
  try {
    if (!statSync(nearest).isDirectory()) {
      return failed(what, `${nearest} is not a directory`, "Set --data to a directory.");
    }
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(nearest);
    if (bavail * bsize < freeBytesMin) {
      const says = `${directory}: less than 100 MiB are free`;
      return { what, state: "warning", says, advice: "Make room, or set --data to another disk." };
    }
    return { what, state: "ok", says: existsSync(directory) ? directory : `${directory}, to be created` };
  } catch (error) {
    return failed(
      what,
      `${nearest} cannot be written: ${codeOf(error)}`,
      "Give the directory to the user that runs the server, or set --data to another one.",
    );
  }
}

function nearestDirectory(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory
    ? directory
    : nearestDirectory(dirname(directory));
}

async function checkDatabase(config: Config): Promise<Finding> {
  const what = "Database";
  const location = locationOf(config);
  if (location.engine === "sqlite" && !existsSync(location.file)) {
    return { what, state: "ok", says: `${location.file}, to be created` };
  }
  try {
    const db = await openDatabase(location);
    try {
      await db.ping();
      await refuseDevelopmentStore(db.read);
    } finally {
      await db.close();
    }
    return { what, state: "ok", says: `${nameOf(location)} answers` };
  } catch (error) {
    const advice =
      location.engine === "postgres"
        ? "Check --database: host, port, user, password, and that the server runs."
        : "zoneward database check tells more; zoneward database restore puts a backup in its place.";
    return failed(what, `${nameOf(location)}: ${reasonOf(error)}`, advice);
  }
}

const zonesNamedMax = 20;

/** Finds zones that are not served, as they lie below a zone of another account, which has to consent. */
async function checkZones(config: Config): Promise<Finding> {
  const what = "Zones";
  const location = locationOf(config);
  if (location.engine === "memory" || (location.engine === "sqlite" && !existsSync(location.file)))
    return { what, state: "ok", says: "none" };
  try {
    await using opened = new AsyncDisposableStack();
    const db = await openDatabase(location);
    opened.defer(() => db.close());
    if (!(await isMigrated(db.read)))
      return { what, state: "ok", says: "a server brings the store up to date first" };
    const enclosed = await findEnclosedZones(db.read, zoneSettingsOf(config));
    if (enclosed.length === 0)
      return { what, state: "ok", says: "none waits for the account of a zone above" };
    const named = enclosed
      .slice(0, zonesNamedMax)
      .map(({ id, name, upper }) => `${name} (${id}) below ${upper}`);
    const more = enclosed.length > zonesNamedMax ? ` and ${enclosed.length - zonesNamedMax} more` : "";
    return {
      what,
      state: "warning",
      says: `not served: ${named.join(", ")}${more}`,
      advice: "The zone above has to delegate to them, or its account to consent: docs/operating/zones.md",
    };
  } catch (error) {
    return { what, state: "warning", says: reasonOf(error), advice: "zoneward database check tells more." };
  }
}

const leastPlausible = Date.UTC(2025, 0, 1);
const driftMsMax = 60_000;

function checkClock(config: Config): Finding {
  const what = "Clock";
  const now = Date.now();
  const location = locationOf(config);
  const written =
    location.engine === "sqlite" && existsSync(location.file) ? statSync(location.file).mtimeMs : 0;
  const says = new Date(now).toISOString();
  if (now >= leastPlausible && written - now <= driftMsMax) return { what, state: "ok", says };
  const why =
    now < leastPlausible ? says : `${says}, and the store was written at ${new Date(written).toISOString()}`;
  return failed(what, why, "Set the clock: tokens, certificates and sessions depend on it.");
}

async function checkNameResolution({ resolvers, activation, certificate_issuer }: Config): Promise<Finding> {
  const what = "Name resolution";
  const resolver = createDnsResolver(resolvers);
  const name = "example.com";
  try {
    const found = await resolver.lookUpAddresses(name, 4);
    if (found !== undefined) return { what, state: "ok", says: `${name} is answered` };
  } finally {
    resolver.close();
  }
  const needed = [
    ...(activation === "check-ns" ? ["activation=check-ns"] : []),
    ...(certificate_issuer === "acme" ? ["certificate_issuer=acme"] : []),
  ];
  const by = resolvers.length > 0 ? resolvers.join(", ") : "the system's resolvers";
  return {
    what,
    state: needed.length > 0 ? "error" : "warning",
    says: `no answer from ${by}${needed.length > 0 ? `; needed for ${needed.join(" and ")}` : ""}`,
    advice: "Set --resolvers, or let this machine reach them; scans and flattened CNAMEs need them too.",
  };
}

const dayMs = 86_400_000;
const renewalDays = 14;

function checkCertificate({ tls, tls_cert: file }: Config): Finding {
  const what = "Certificate";
  if (file === undefined) {
    return { what, state: "ok", says: tls === "off" ? "none: plain HTTP" : "from the local CA" };
  }
  // The settings would have been refused if the certificate could not be read.
  const { validToDate } = new X509Certificate(readFileSync(file));
  const days = Math.floor((validToDate.getTime() - Date.now()) / dayMs);
  const says = `${file}, valid for ${days} more days`;
  if (days >= renewalDays) return { what, state: "ok", says };
  return { what, state: "warning", says, advice: "Renew it, and start the server again." };
}

function failed(what: string, says: string, advice: string): Finding {
  return { what, state: "error", says, advice };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : reasonOf(error);
}

function reasonOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}

function render({ what, state, says, advice }: Finding): string {
  return `${state.padEnd(8)} ${what.padEnd(16)} ${says}\n${advice === undefined ? "" : `${" ".repeat(26)}${advice}\n`}`;
}
