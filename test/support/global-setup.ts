import { mkdtempSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { DatabaseLocation } from "../../src/storage/database.ts";
import { privateCacheDirectory } from "../../src/files/compile-cache.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { makeBundledCopy } from "./make-bundled-copy.ts";
import { createDatabase, migratedTemplate, startPostgres, type TestPostgres } from "./postgres.ts";

let postgres: TestPostgres | undefined;
let directory: string | undefined;

/**
 * Runs once before all test files, for all of them: one PostgreSQL server, a migrated store of each engine to be
 * copied, a bundle of the sources as they are, a place for their directories, and one cache of compiled code.
 */
export async function globalSetup(): Promise<void> {
  const compiled = cacheOfCompiledCode();
  if (compiled !== undefined) process.env["NODE_COMPILE_CACHE"] ??= compiled;
  process.env["TEST_DIRECTORIES"] ??= directoryInMemory() ?? tmpdir();
  directory = mkdtempSync(join(tmpdir(), "zoneward-made-for-tests-"));
  const file = join(directory, "zoneward.sqlite");
  await migrate({ engine: "sqlite", file });
  process.env["TEST_SQLITE_TEMPLATE"] = file;
  const bundle = join(directory, "bundle");
  await makeBundledCopy(bundle);
  process.env["TEST_BUNDLE"] = bundle;

  postgres = await startPostgres();
  await migrate({ engine: "postgres", url: await createDatabase(postgres.url, migratedTemplate) });
  process.env["TEST_POSTGRES_URL"] = postgres.url;
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}

const cacheMsMax = 7 * 24 * 60 * 60 * 1_000;

/** Node.js keeps what it compiled of files that have changed since, so the cache begins anew each week. */
function cacheOfCompiledCode(): string | undefined {
  const own = privateCacheDirectory();
  if (own === undefined) return undefined;
  const path = join(own, "tests");
  const madeMs = statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? Number.NaN;
  if (Date.now() - madeMs > cacheMsMax) rmSync(path, { recursive: true, force: true });
  return path;
}

const roomMin = 4 * 1024 ** 3;

/**
 * On a disk each commit waits for it, some milliseconds. Undefined where there is no such directory, or little room in
 * it.
 */
function directoryInMemory(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const path = "/dev/shm";
  // Each line: the device, the place, the type, the options.
  const mounts = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "));
  const options = mounts.find(([, place, type]) => place === path && type === "tmpfs")?.[3]?.split(",");
  if (options === undefined || options.includes("noexec")) return undefined;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize < roomMin ? undefined : path;
}

async function migrate(location: DatabaseLocation): Promise<void> {
  const template = await openDatabase(location);
  await template.migrate();
  await template.close();
}
