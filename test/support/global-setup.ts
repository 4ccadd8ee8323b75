import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "../../src/storage/open-database.ts";
import { createDatabase, migratedTemplate, startPostgres, type TestPostgres } from "./postgres.ts";

let postgres: TestPostgres | undefined;

/** Runs once before all test files: one PostgreSQL server for all of them, and one cache of compiled code. */
export async function globalSetup(): Promise<void> {
  process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "zoneward-compiled-tests");
  postgres = await startPostgres();
  const template = await openDatabase({
    engine: "postgres",
    url: await createDatabase(postgres.url, migratedTemplate),
  });
  await template.migrate();
  await template.close();
  process.env["TEST_POSTGRES_URL"] = postgres.url;
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop();
}
