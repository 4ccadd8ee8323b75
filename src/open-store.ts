import { existsSync } from "node:fs";
import { join } from "node:path";

import { newId, uuidV7Generator } from "./ids.ts";
import type { Context } from "./resources/context.ts";
import type { Config } from "./settings.ts";
import { openDatabase, type Database, type DatabaseLocation } from "./storage/database.ts";

type StoreSettings = Pick<Config, "ephemeral" | "database" | "data">;

/**
 * Opens the store of the settings and applies the migrations that it lacks. An error says what was tried, for the
 * operator. `lockWaitMs` is how long a write to a SQLite file waits for another process.
 */
export async function openStore(settings: StoreSettings, lockWaitMs?: number): Promise<Database> {
  const location = locationOf(settings);
  return orSay(`opening ${nameOf(location)}`, async () => {
    const store = await openDatabase(location, lockWaitMs);
    try {
      await store.migrate();
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  });
}

/** The same for a command beside a server, or without one: it makes no store. */
export async function openExistingStore(settings: StoreSettings): Promise<Database> {
  const location = locationOf(settings);
  if (location.engine === "memory") throw new Error("a store in memory is the server's alone");
  if (location.engine === "sqlite" && !existsSync(location.file)) {
    throw new Error(`there is no store at ${location.file}`);
  }
  return openStore(settings);
}

export function createContext(
  db: Database,
  now: () => Date = () => new Date(),
  freshId: () => string = () => newId(now()),
): Context {
  const newUuidV7 = uuidV7Generator();
  return { db, now, newId: freshId, newLogId: () => newUuidV7(now()) };
}

/** Where the settings say that the store is. */
function locationOf({ ephemeral, database, data }: StoreSettings): DatabaseLocation {
  if (ephemeral) return { engine: "memory" };
  if (database !== undefined) return { engine: "postgres", url: database };
  return { engine: "sqlite", file: join(data, "zoneward.sqlite") };
}

/** How the operator knows it; never with a password. */
function nameOf(location: DatabaseLocation): string {
  switch (location.engine) {
    case "memory":
      return "a database in memory";
    case "sqlite":
      return location.file;
    case "postgres":
      return `PostgreSQL at ${new URL(location.url).host || "a local socket"}`;
  }
}

/** Runs `work`; where the world outside is not as it should be, the error says what was tried, for the operator. */
export async function orSay<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${what}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return "another program listens there";
  if (code === "EEXIST" || code === "ENOTDIR") return "its directory is not a directory";
  return error.message;
}
