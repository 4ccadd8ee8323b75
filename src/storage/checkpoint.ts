import { setTimeout as delay } from "node:timers/promises";
import type { DatabaseSync } from "node:sqlite";

/** 16 MiB of log: pages that change often are copied into the file once, not at every commit or two. */
export const pagesBeforeCheckpoint = 4_000;

const attemptsMax = 100;
const waitMs = 5;

/**
 * Copies the rest of a long log into the file. A commit does so itself, but stops at pages that a reader
 * still needs; without this, the next commit would pay for them, in whichever thread it runs.
 */
export async function finishCheckpoint(database: DatabaseSync): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const { log, checkpointed } = logOf(database, attempt === 0 ? "noop" : "passive");
    if (log < pagesBeforeCheckpoint || checkpointed === log) return;
    if (attempt > 0) await delay(waitMs);
  }
}

/** Pages of the log, and how many of them are in the file; -1 for a store without a log. */
function logOf(database: DatabaseSync, mode: "noop" | "passive"): { log: number; checkpointed: number } {
  const { log, checkpointed } = database.prepare(`pragma wal_checkpoint(${mode})`).get() ?? {};
  return { log: Number(log), checkpointed: Number(checkpointed) };
}
