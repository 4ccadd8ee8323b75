import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";

import { newDirectory } from "./harness.ts";
import { knotCatalog, knotConfiguration } from "./knot-configuration.ts";
import { nameServerProcess, type NameServerProcess } from "./name-server-process.ts";

/** The settings of an engine for its primary. */
export interface EngineSetup {
  /** Port of the primary at 127.0.0.1. */
  readonly primaryPort: string;
  /** Name of the catalog zone. */
  readonly catalog: string;
  readonly keyName: string;
  readonly secret: string;
}

/** A name server of others that follows a catalog zone. */
export interface NameServerEngine {
  readonly command: string;
  /** Files that have to be installed besides. */
  readonly files?: readonly string[];
  /** Whether it asks for the zones of a catalog without a key. */
  readonly asksUnsigned?: true;
  /** Writes what it needs into a directory, and answers its arguments. */
  readonly configure: (directory: string, port: number, setup: EngineSetup) => readonly string[];
}

const knot: NameServerEngine = {
  command: "knotd",
  configure: (directory, port, { primaryPort, catalog, keyName, secret }) => {
    writeFileSync(
      join(directory, "knot.conf"),
      knotConfiguration({
        directory,
        port,
        zonewardPort: primaryPort,
        key: { name: keyName, secret },
        permits: "notify",
        zones: knotCatalog(catalog),
      }),
    );
    return ["-c", join(directory, "knot.conf")];
  },
};

const bind: NameServerEngine = {
  command: "named",
  configure: (directory, port, { primaryPort, catalog, keyName, secret }) => {
    const primaries = `{ 127.0.0.1 port ${primaryPort} key "${keyName}."; }`;
    writeFileSync(
      join(directory, "named.conf"),
      `
key "${keyName}." { algorithm hmac-sha256; secret "${secret}"; };
options {
  directory "${directory}"; pid-file "named.pid"; session-keyfile "session.key";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; allow-transfer { none; }; notify no;
  catalog-zones { zone "${catalog}" default-primaries ${primaries}
    in-memory no zone-directory "zones" min-update-interval 1; };
};
controls {};
zone "${catalog}" { type secondary; file "catalog.db"; primaries ${primaries};
  allow-notify { key "${keyName}."; }; };
`,
    );
    return ["-g", "-n", "1", "-c", join(directory, "named.conf")];
  },
};

const powerDnsSchema = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

const powerDns: NameServerEngine = {
  command: "pdns_server",
  files: [powerDnsSchema],
  asksUnsigned: true,
  configure: (directory, port, { primaryPort, catalog }) => {
    const database = new DatabaseSync(join(directory, "pdns.sqlite3"));
    database.exec(readFileSync(powerDnsSchema, "utf8"));
    database.close();
    writeFileSync(
      join(directory, "pdns.conf"),
      `launch=gsqlite3
gsqlite3-database=${directory}/pdns.sqlite3
gsqlite3-dnssec=yes
local-address=127.0.0.1
local-port=${port}
socket-dir=${directory}
secondary=yes
retrieval-threads=1
xfr-cycle-interval=1
zone-cache-refresh-interval=0
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
guardian=no
daemon=no
`,
    );
    for (const command of [
      ["create-secondary-zone", catalog, `127.0.0.1:${primaryPort}`],
      ["set-kind", catalog, "consumer"],
    ]) {
      const { status, stderr } = spawnSync("pdnsutil", [`--config-dir=${directory}`, ...command]);
      if (status !== 0) throw new Error(`pdnsutil: ${stderr.toString()}`);
    }
    return [`--config-dir=${directory}`];
  },
};

/** NSD has no catalogs: its zone is configured. */
export const nsd: NameServerEngine = {
  command: "nsd",
  configure: (directory, port, { primaryPort, keyName, secret }) => {
    writeFileSync(
      join(directory, "nsd.conf"),
      `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  chroot: ""
  zonesdir: "${directory}"
  pidfile: "${directory}/nsd.pid"
  database: ""
  xfrdfile: "${directory}/xfrd.state"
  xfrdir: "${directory}"
  zonelistfile: "${directory}/zone.list"
  server-count: 1
remote-control:
  control-enable: no
key:
  name: ${keyName}.
  algorithm: hmac-sha256
  secret: "${secret}"
zone:
  name: example.com
  zonefile: example.com.zone
  request-xfr: 127.0.0.1@${primaryPort} ${keyName}.
  allow-notify: 127.0.0.1 ${keyName}.
`,
    );
    return ["-d", "-c", join(directory, "nsd.conf")];
  },
};

/** Engines that follow a catalog. */
export const nameServerEngines = { knot, bind, powerDns } as const;

/** The reason why the tests of an engine are skipped; false where it is installed. */
export function withoutEngine({ command, files = [] }: NameServerEngine): string | false {
  const isThere = spawnSync(command, ["-V"]).error === undefined && files.every((file) => existsSync(file));
  return isThere ? false : `${command} is not installed`;
}

/** An engine that runs. */
export interface RunningEngine extends NameServerProcess {
  readonly port: number;
}

export function prepareEngine(
  t: TestContext,
  { command, configure }: NameServerEngine,
  port: number,
  setup: EngineSetup,
): RunningEngine {
  const directory = newDirectory(t);
  mkdirSync(join(directory, "zones"));
  const args = configure(directory, port, setup);
  return { port, ...nameServerProcess(t, directory, command, args) };
}
