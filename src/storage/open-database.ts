import type { Database, DatabaseLocation, StoreWaits, Turn } from "./database.ts";

const lockWaitMsMax = 10_000;
/**
 * The time that a server waits for a word from PostgreSQL, in milliseconds: longer than any of its statements takes.
 */
export const serverSilenceMsMax = 30_000;

/** Opens a store without reading or changing it. The driver of the other engine is not loaded. */
export async function openDatabase(
  location: DatabaseLocation,
  { lockWaitMs = lockWaitMsMax, ...waits }: StoreWaits = {},
): Promise<Database> {
  if (location.engine === "postgres") {
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(location.url, waits);
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
    return openPostgres(location.url, {
      connectionsMax: connectionsInTurnsMax,
      silenceMsMax: serverSilenceMsMax,
    });
  }
  const { openSqlite } = await import("./sqlite.ts");
  return openSqlite(location, lockWaitMsMax, turn);
}
