import type { Database, DatabaseLocation, Turn } from "./database.ts";

const lockWaitMsMax = 10_000;

/**
 * Opens a store without reading or changing it. The driver of the other engine is not loaded. `lockWaitMs` is how long
 * a write to a SQLite file waits for another process, `connectionWaitMs` how long a query waits for a connection to
 * PostgreSQL.
 */
export async function openDatabase(
  location: DatabaseLocation,
  lockWaitMs: number = lockWaitMsMax,
  connectionWaitMs?: number,
): Promise<Database> {
  if (location.engine === "postgres") {
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(location.url, { connectionWaitMs });
  }
  const { openSqlite } = await import("./sqlite.ts");
  return openSqlite(location, lockWaitMs);
}

/** Connections that a second thread may take of those of PostgreSQL. */
const connectionsInTurnsMax = 2;

/**
 * Opens a store that another thread of the process has open (its `location`). SQLite takes one writer at a
 * time: `turn` waits until the other thread lends it the store.
 */
export async function openDatabaseInTurns(location: DatabaseLocation, turn: Turn): Promise<Database> {
  if (location.engine === "postgres") {
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(location.url, { connectionsMax: connectionsInTurnsMax });
  }
  const { openSqlite } = await import("./sqlite.ts");
  return openSqlite(location, lockWaitMsMax, turn);
}
