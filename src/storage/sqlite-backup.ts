import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";

import { refuseLostStore } from "./data-directory.ts";
import { kyselyOnSqlite } from "./dialects/node-sqlite.ts";
import { isBusy } from "./errors.ts";
import { isTableOfStores, refuseDevelopmentStore } from "./migrations.ts";
import type { Tables } from "./tables.ts";

/** All pages in one step, because a write between two steps would restart the backup. */
const pagesAtOnce = 2 ** 31 - 1;

/**
 * Copies a snapshot of a SQLite store, which may be in use, into a new file. The file appears complete or not at all,
 * readable only by its owner.
 */
export async function backUpSqlite(store: string, file: string): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} already exists`);
  refuseLostStore(store);
  const draft = await draftOf(store, file);
  try {
    // Unlike a rename this never replaces a file.
    linkSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(file);
}

/**
 * Puts a backup in the place of a store that is not in use. An existing store is kept under another name, which is
 * answered.
 * Throws if `file` is not a sound store, if a server or command uses the existing store, and if there is one and
 * `isReplaced` is not set.
 */
export async function restoreSqlite(
  file: string,
  store: string,
  isReplaced: boolean,
): Promise<{ readonly keptAs: string | undefined }> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  if (existsSync(store) && !isReplaced) {
    throw new Error(
      `there is already a store at ${store}: --replace puts the backup in its place, and keeps the old store`,
    );
  }
  mkdirSync(dirname(store), { recursive: true, mode: 0o700 });
  const draft = await draftOf(file, store);
  try {
    const keptAs = keepBeside(store);
    renameSync(draft, store);
    syncDirectory(store);
    return { keptAs };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes a sound, durable copy of `from` in one file in the directory of `to`. */
async function draftOf(from: string, to: string): Promise<string> {
  const directory = dirname(to);
  if (!existsSync(directory)) throw new Error(`there is no directory ${directory}`);
  const draft = `${to}-${randomBytes(4).toString("hex")}`;
  closeSync(openSync(draft, "wx", 0o600));
  try {
    const source = new DatabaseSync(from, { readOnly: true });
    try {
      await backup(source, draft, { rate: pagesAtOnce });
    } finally {
      source.close();
    }
    const copy = new DatabaseSync(draft);
    try {
      // Without a log it is a single file, which can be moved. The server turns the log on again.
      copy.exec("pragma journal_mode = delete");
      await refuseUnsound(copy, from);
    } finally {
      copy.close();
    }
    const descriptor = openSync(draft, "r+");
    fsyncSync(descriptor);
    closeSync(descriptor);
    return draft;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

async function refuseUnsound(copy: DatabaseSync, from: string): Promise<void> {
  const tables = copy.prepare("select name from sqlite_schema").all();
  if (!tables.some(({ name }) => isTableOfStores(String(name)))) {
    throw new Error(`${from} is not a Zoneward store`);
  }
  const [first] = copy.prepare("pragma integrity_check(1)").all();
  if (first?.["integrity_check"] !== "ok") {
    throw new Error(`${from} is damaged: ${String(first?.["integrity_check"])}`);
  }
  await refuseDevelopmentStore(kyselyOnSqlite<Tables>({ database: copy }));
}

/** Moves away what there is of a store; the answer is its new name. */
function keepBeside(store: string): string | undefined {
  // SQLite deletes the log beside an empty file that it opens, and such a file is in nobody's use.
  if (statSync(store, { throwIfNoEntry: false })?.size) refuseInUse(store);
  const [log, index] = [`${store}-wal`, `${store}-shm`];
  if (![store, log].some((path) => existsSync(path))) return undefined;
  const kept = `${store}-replaced-${randomBytes(4).toString("hex")}`;
  // A remaining log would be applied to the backup.
  for (const [path, end] of [
    [log, "-wal"],
    [index, "-shm"],
  ] as const)
    if (existsSync(path)) renameSync(path, kept + end);
  if (existsSync(store)) linkSync(store, kept);
  return kept;
}

/** Leaving WAL mode succeeds only if no other process has the file open. A damaged file may be replaced. */
function refuseInUse(store: string): void {
  try {
    const database = new DatabaseSync(store, { timeout: 0 });
    try {
      database.exec("pragma journal_mode = delete");
    } finally {
      database.close();
    }
  } catch (error) {
    if (isBusy(error)) throw new Error(`${store} is in use: stop the server first`, { cause: error });
  }
}

function syncDirectory(file: string): void {
  const descriptor = openSync(dirname(file), "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
