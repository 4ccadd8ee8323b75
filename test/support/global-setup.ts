import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { DatabaseLocation } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { createDatabase, migratedTemplate, startPostgres, type TestPostgres } from "./postgres.ts";

let postgres: TestPostgres | undefined;
let directory: string | undefined;

/**
 * Runs once before all test files, for all of them: one PostgreSQL server, a migrated store of each engine to be copied,
 * and one cache of compiled code.
 */
export async function globalSetup(): Promise<void> {
  process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "zoneward-compiled-tests");
  directory = mkdtempSync(join(tmpdir(), "zoneward-template-"));
  const file = join(directory, "zoneward.sqlite");
  await migrate({ engine: "sqlite", file });
  process.env["TEST_SQLITE_TEMPLATE"] = file;

  postgres = await startPostgres();
  await migrate({ engine: "postgres", url: await createDatabase(postgres.url, migratedTemplate) });
  process.env["TEST_POSTGRES_URL"] = postgres.url;
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}

async function migrate(location: DatabaseLocation): Promise<void> {
  const template = await openDatabase(location);
  await template.migrate();
  await template.close();
}
