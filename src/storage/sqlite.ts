import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Kysely } from "kysely";

import { sqliteColumns } from "./columns.ts";
import { refuseLostStore } from "./data-directory.ts";
import type { Database } from "./database.ts";
import { kyselyOnSqlite } from "./dialects/node-sqlite.ts";
import { GroupCommit } from "./group-commit.ts";
import { untilUnlocked } from "./lock-wait.ts";
import { isMigrated } from "./migrations/applied.ts";
import type { Tables } from "./tables.ts";
import { guardTransaction, refuseInsideTransaction } from "./transaction-guard.ts";

const changePollMs = 250;

/**
 * Opens a SQLite file (created if missing, readable only by its owner) or `:memory:`. One connection
 * writes, through `GroupCommit`; another one reads, and never waits for the writer. In memory one connection
 * does both, so reads wait until nothing is being written.
 * Throws for a file that is empty or gone, and held a store before.
 */
export async function openSqlite(file: string, lockWaitMs: number): Promise<Database> {
  const inMemory = file === ":memory:";
  if (!inMemory) makeFile(file);
  // Two processes may start on an empty directory at once: one creates the file, the other finds it.
  using opened = new DisposableStack();
  const writing = opened.use(await untilUnlocked(lockWaitMs, () => connect(file)));
  const reading = inMemory ? writing : opened.use(await untilUnlocked(lockWaitMs, () => connect(file)));
  if (!inMemory) reading.exec("pragma query_only = on");
  // 4 MiB of pages: a write touches many indexes, and those of a large zone in random order.
  writing.exec("pragma cache_size = -4096");

  const writer = new GroupCommit(writing, lockWaitMs);
  const write = kyselyOn(writing, () => undefined);
  const read = kyselyOn(reading, () => {
    refuseInsideTransaction();
    return inMemory ? writer.idle() : undefined;
  });

  const transaction: Database["transaction"] = (work) =>
    guardTransaction(() => writer.run(() => work(write)));
  const listeners: (() => void)[] = [];
  let changesElsewhere = 0;
  const dataVersion = writing.prepare("pragma data_version");
  const versionNow = (): unknown => {
    try {
      return dataVersion.get()?.["data_version"];
    } catch {
      // It may have changed.
      return undefined;
    }
  };

  let seen = versionNow();
  const poll = setInterval(() => {
    const current = versionNow();
    if (current !== undefined && current === seen) return;
    seen = current;
    changesElsewhere += 1;
    for (const listener of listeners) listener();
  }, changePollMs).unref();

  const connections = opened.move();
  return {
    read,
    transaction,
    snapshot: async (work) => {
      if (inMemory) throw new Error("a store in memory has no second connection");
      const connection = await untilUnlocked(lockWaitMs, () => connect(file));
      try {
        connection.exec("pragma query_only = on; begin");
        return await work(kyselyOn(connection, () => undefined));
      } finally {
        connection.close();
      }
    },
    // All processes share one write lock, so every transaction excludes every other.
    exclusiveTransaction: transaction,
    migrate: async () => {
      if (await isMigrated(read)) return;
      const { migrateToLatest } = await import("./migrations/index.ts");
      await untilUnlocked(lockWaitMs, () => migrateToLatest(write, sqliteColumns));
    },
    ping: async () => void reading.prepare("select count(*) from sqlite_schema").get(),
    version: () => writer.commits + changesElsewhere,
    onAccessChangeElsewhere: (listener) => void listeners.push(listener),
    runAlone: (_task, work) => work(),
    close: async () => {
      clearInterval(poll);
      await writer.idle();
      connections.dispose();
    },
  };
}

/** SQLite gives its companion files the same permissions. */
function makeFile(file: string): void {
  refuseLostStore(file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
}

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("pragma journal_mode = wal");
    database.exec("pragma synchronous = full");
    database.exec("pragma foreign_keys = on");
    // Keeps the statement journal of savepoints in memory instead of a file.
    database.exec("pragma temp_store = memory");
    // 16 MiB of log: pages that change often are copied into the file once, not at every other commit.
    database.exec("pragma wal_autocheckpoint = 4000");
    // As PostgreSQL compares. Filters that ignore case use folded columns.
    database.exec("pragma case_sensitive_like = on");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function kyselyOn(database: DatabaseSync, beforeUse: () => Promise<void> | undefined): Kysely<Tables> {
  return kyselyOnSqlite<Tables>({ database, beforeUse });
}
