import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

import type { Kysely } from "kysely";

import { Publication, type ChangeListener } from "./changes.ts";
import { refuseLostStore } from "./data-directory.ts";
import {
  guardTransaction,
  refuseInsideTransaction,
  type Database,
  type DatabaseLocation,
  type Turn,
} from "./database.ts";
import { kyselyOnSqlite, type NodeSqliteOptions } from "./dialects/node-sqlite.ts";
import { GroupCommit, untilUnlocked } from "./group-commit.ts";
import { migrateSqlite } from "./migrations.ts";
import type { Tables } from "./tables.ts";

const changePollMs = 150;
/** 16 MiB of log: pages that change often are copied into the file once, not at every commit or two. */
const pagesBeforeCheckpoint = 4_000;

const checkpointAttempts = { most: 100, waitMs: 5 };

type SqliteLocation = Extract<DatabaseLocation, { readonly engine: "memory" | "sqlite" }>;

/**
 * Opens a SQLite file (created if missing, readable only by its owner) or a store in memory. One connection
 * writes, through `GroupCommit`; another one reads, and never waits for the writer. In memory one connection
 * does both, so reads wait until nothing is being written. With `turn`, another thread has the store open
 * too: this one waits for its turn to write, in memory also to read. Throws for an empty or missing file of a
 * store that existed.
 */
export async function openSqlite(place: SqliteLocation, lockWaitMs: number, turn?: Turn): Promise<Database> {
  const inMemory = place.engine === "memory";
  const location = inMemory ? { engine: "memory" as const, name: place.name ?? randomUUID() } : place;
  const file = "name" in location ? `file:/${location.name}?vfs=memdb` : location.file;
  if (!inMemory) makeFile(file);
  const turnInMemory = inMemory ? turn : undefined;
  const open = () => untilUnlocked(lockWaitMs, () => connect(file));
  // Two processes may start on an empty directory at once: one creates the file, the other finds it.
  using opened = new DisposableStack();
  const writing = opened.use(await (turnInMemory === undefined ? open() : turnInMemory(open)));
  const reading = inMemory ? writing : opened.use(await open());
  if (!inMemory) reading.exec("pragma query_only = on");
  // 4 MiB of pages: a write touches many indexes, and those of a large zone in random order.
  writing.exec("pragma cache_size = -4096");

  const writer = new GroupCommit(writing, lockWaitMs);
  const write = kyselyOn({ database: writing });
  const read = kyselyOn({
    database: reading,
    beforeUse: () => {
      refuseInsideTransaction();
      return inMemory ? writer.idle() : undefined;
    },
    ...(turnInMemory && { turn: turnInMemory }),
  });

  const listeners: ChangeListener[] = [];
  const tell: ChangeListener = (changes) => {
    for (const listener of listeners) listener(changes);
  };
  const transaction: Database["transaction"] = async (work) => {
    let publication = new Publication();
    const commit = () =>
      writer.run(async () => {
        publication = new Publication();
        const result = await work(write, publication);
        await publication.raise(write);
        return result;
      });
    const commitWholly = async () => {
      try {
        return await commit();
      } finally {
        await finishCheckpoint(writing);
      }
    };
    const result = await guardTransaction(turn === undefined ? commit : () => turn(commitWholly));
    // Listeners are no part of the transaction.
    if (!publication.isEmpty) tell(publication.changes);
    return result;
  };
  // Writes of another thread need no polling, as that thread had its turn for them.
  const isShared = !inMemory && turn === undefined;
  const dataVersion = writing.prepare("pragma data_version");
  const versionNow = (): unknown => {
    try {
      return dataVersion.get()?.["data_version"];
    } catch {
      // The store may have changed.
      return undefined;
    }
  };

  let seen = isShared ? versionNow() : undefined;
  const lookForChanges = (): void => {
    const current = versionNow();
    if (current !== undefined && current === seen) return;
    seen = current;
    tell(undefined);
  };
  const poll = isShared ? setInterval(lookForChanges, changePollMs).unref() : undefined;

  const connections = opened.move();
  const lend: Database["lend"] = (work) =>
    guardTransaction(() => writer.lend(work)).finally(() => tell(undefined));
  return {
    read,
    transaction,
    snapshot: async (work) => {
      if (inMemory) throw new Error("a store in memory has no second connection");
      const connection = await untilUnlocked(lockWaitMs, () => connect(file));
      try {
        connection.exec("pragma query_only = on; begin");
        return await work(kyselyOn({ database: connection }));
      } finally {
        connection.close();
      }
    },
    // All processes share one write lock, so every transaction excludes every other.
    exclusiveTransaction: transaction,
    migrate: () => untilUnlocked(lockWaitMs, () => migrateSqlite(writing)),
    // A store in memory is always there, and another thread may have its turn at it.
    ping: async () => void (inMemory || reading.prepare("select count(*) from sqlite_schema").get()),
    onChange: (listener) => void listeners.push(listener),
    runAlone: (_task, work) => work(),
    location,
    lend,
    images: async () => {
      const { hasImages, sqliteImages } = await import("./sqlite-images.ts");
      return hasImages ? sqliteImages(writing, file, lend) : undefined;
    },
    prepareToClose: () => undefined,
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
    database.exec(`pragma wal_autocheckpoint = ${pagesBeforeCheckpoint}`);
    // As PostgreSQL compares. Filters that ignore case use folded columns.
    database.exec("pragma case_sensitive_like = on");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function kyselyOn(options: NodeSqliteOptions): Kysely<Tables> {
  return kyselyOnSqlite<Tables>(options);
}

/**
 * Copies the rest of a long log into the file. A commit does so itself, but stops at pages that a reader
 * still needs; without this, the next commit would pay for them, in whichever thread it runs.
 */
async function finishCheckpoint(database: DatabaseSync): Promise<void> {
  for (let attempt = 0; attempt < checkpointAttempts.most; attempt += 1) {
    const { log, checkpointed } = logOf(database, attempt === 0 ? "noop" : "passive");
    if (log < pagesBeforeCheckpoint || checkpointed === log) return;
    if (attempt > 0) await delay(checkpointAttempts.waitMs);
  }
}

/** Pages of the log, and how many of them are in the file; -1 for a store without a log. */
function logOf(database: DatabaseSync, mode: "noop" | "passive"): { log: number; checkpointed: number } {
  const { log, checkpointed } = database.prepare(`pragma wal_checkpoint(${mode})`).get() ?? {};
  return { log: Number(log), checkpointed: Number(checkpointed) };
}
