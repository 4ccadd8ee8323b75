import type { Timestamp } from "./schema/table.ts";
import type { Database } from "./database.ts";
import { selectMigrations } from "./migrations.ts";
import { checksumOf, countRows, deleteRows, insertRows, rowsOf, selectRows, type Row } from "./table-rows.ts";
import { copiedTables, type Db, type TableName } from "./tables.ts";
import {
  deleteUnfinishedCopy,
  insertUnfinishedCopy,
  isUnfinishedCopy,
  refuseUnfinishedCopy,
} from "./unfinished-copies.ts";

interface CopyProgress {
  readonly table: TableName;
  readonly rowsDone: number;
  readonly rowsTotal: number;
}

/** A copied table, with the same rows on both sides. */
interface CopiedRows {
  readonly table: TableName;
  readonly rows: number;
  /** SHA-256 of all its rows, hexadecimal. */
  readonly checksum: string;
}

interface CopyOptions {
  readonly startedOn: Timestamp;
  readonly tell: (progress: CopyProgress) => void;
}

/**
 * Copies a snapshot of `from`, which may be in use, into `to`, which must be empty or an interrupted copy. In
 * an interrupted copy, identical rows are skipped and different ones replaced. Both stores are migrated. The
 * target is marked, so that no server starts on it, until all rows are verified. Throws if the target holds
 * anything else, and if the two differ in the end.
 */
export async function copyStore(
  from: Database,
  to: Database,
  { startedOn, tell }: CopyOptions,
): Promise<readonly CopiedRows[]> {
  await refuseUnfinishedCopy(from);
  await refuseOtherMigrations(from, to);
  const isResumed = await to.exclusiveTransaction((tx) => begin(tx, startedOn));
  const copied = await from.snapshot((source) => copyTables(source, to, isResumed, tell));
  for (const { table, rows, checksum } of copied) {
    const found = await measure(to.read, table);
    if (found.rows !== rows || found.checksum !== checksum) {
      throw new Error(`${table} changed in the target during the copy: run it again`);
    }
  }
  await to.transaction(deleteUnfinishedCopy);
  return copied;
}

async function refuseOtherMigrations(from: Database, to: Database): Promise<void> {
  const [source, target] = [await selectMigrations(from.read), await selectMigrations(to.read)];
  if (source.join() !== target.join()) {
    throw new Error("one of the two stores was used by a later version of Zoneward: copy with that version");
  }
}

/** Marks the target as incomplete; true if it was marked already. */
async function begin(tx: Db, startedOn: Timestamp): Promise<boolean> {
  if (await isUnfinishedCopy(tx)) return true;
  for (const table of copiedTables) {
    if ((await countRows(tx, table)) > 0) throw new Error("the target is not empty");
  }
  await insertUnfinishedCopy(tx, startedOn);
  return false;
}

async function copyTables(
  source: Db,
  to: Database,
  isResumed: boolean,
  tell: CopyOptions["tell"],
): Promise<readonly CopiedRows[]> {
  let [rowsDone, rowsTotal] = [0, 0];
  for (const table of copiedTables) rowsTotal += await countRows(source, table);
  const copied: CopiedRows[] = [];
  for (const table of copiedTables) {
    let [rows, checksum, after]: [number, string, Row | undefined] = [0, "", undefined];
    for await (const batch of rowsOf(source, table)) {
      await copyBatch(to, table, { after, batch, isResumed });
      after = batch.at(-1);
      rows += batch.length;
      checksum = checksumOf(batch, checksum);
      tell({ table, rowsDone: (rowsDone += batch.length), rowsTotal });
    }
    if (isResumed) await to.transaction((tx) => deleteRows(tx, table, { after }));
    copied.push({ table, rows, checksum });
  }
  return copied;
}

interface Batch {
  /** The last row of the previous batch. */
  readonly after: Row | undefined;
  readonly batch: readonly Row[];
  readonly isResumed: boolean;
}

async function copyBatch(to: Database, table: TableName, { after, batch, isResumed }: Batch): Promise<void> {
  const range = { after, upTo: batch.at(-1) };
  if (isResumed) {
    const found = await selectRows(to.read, table, range);
    if (found.length === batch.length && checksumOf(found, "") === checksumOf(batch, "")) return;
  }
  await to.transaction(async (tx) => {
    if (isResumed) await deleteRows(tx, table, range);
    await insertRows(tx, table, batch);
  });
}

async function measure(db: Db, table: TableName): Promise<CopiedRows> {
  let [rows, checksum] = [0, ""];
  for await (const batch of rowsOf(db, table)) {
    rows += batch.length;
    checksum = checksumOf(batch, checksum);
  }
  return { table, rows, checksum };
}
