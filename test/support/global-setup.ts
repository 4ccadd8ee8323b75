import { startPostgres, type TestPostgres } from "./postgres.ts";

let postgres: TestPostgres | undefined;

/** Runs once before all test files: one PostgreSQL server for all of them. */
export async function globalSetup(): Promise<void> {
  postgres = await startPostgres();
  process.env["TEST_POSTGRES_URL"] = postgres.url;
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop();
}
