import type { Db } from "./tables.ts";

/** One store of either engine. */
export interface Database {
  /** For reads outside a transaction; refused inside one, where `tx` is the right hand. */
  readonly read: Db;

  /**
   * Runs `work` and answers after its changes are durable. Nothing of it stays when it throws. It may run
   * again when another transaction was in its way, so it must have no effect outside `tx`, and it waits for
   * nothing but `tx`.
   */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;

  /** Runs `work` on one state of the store, whatever is written meanwhile. Not for a store in memory. */
  snapshot<T>(work: (state: Db) => Promise<T>): Promise<T>;

  /** As `transaction`, and only one of its kind runs at a time among all processes that share the store. */
  exclusiveTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;

  /** Applies the migrations that are missing. */
  migrate(): Promise<void>;

  /** Throws when the store cannot answer. */
  ping(): Promise<void>;

  /**
   * A number that is another one after every change: at once for those of this process, within a second for those of
   * others. Undefined where processes share the store as equals, each of which has to see at once what another wrote.
   */
  version(): number | undefined;

  /**
   * Calls `listener` within a second of any change of users, memberships or tokens that another process made, perhaps
   * more often.
   */
  onAccessChangeElsewhere(listener: () => void): void;

  /**
   * Runs `work` unless another instance on the same PostgreSQL database runs the same task. Two may overlap when a
   * connection is lost, so each step of it has to be harmless to repeat. A SQLite file has one server.
   */
  runAlone(task: string, work: () => Promise<void>): Promise<void>;

  close(): Promise<void>;
}

/** Where a store is. */
export type DatabaseLocation =
  | { readonly engine: "memory" }
  | { readonly engine: "sqlite"; readonly file: string }
  | { readonly engine: "postgres"; readonly url: string };

const lockWaitMsMax = 10_000;

/**
 * Opens a store without reading or changing it. The driver of the other engine is never loaded.
 * `lockWaitMs` is how long a write to a SQLite file waits for another process, `connectionWaitMs` how long anything
 * waits for one of the connections to PostgreSQL.
 */
export async function openDatabase(
  location: DatabaseLocation,
  lockWaitMs: number = lockWaitMsMax,
  connectionWaitMs?: number,
): Promise<Database> {
  switch (location.engine) {
    case "memory": {
      const { openSqlite } = await import("./sqlite.ts");
      return openSqlite(":memory:", lockWaitMs);
    }
    case "sqlite": {
      const { openSqlite } = await import("./sqlite.ts");
      return openSqlite(location.file, lockWaitMs);
    }
    case "postgres": {
      const { openPostgres } = await import("./postgres.ts");
      return openPostgres(location.url, connectionWaitMs);
    }
  }
}
