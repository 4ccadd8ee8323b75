import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files of a server on SQLite, in the directory of the setting `data`. */
export const storeFileName = "zoneward.sqlite";
export const secretKeyFileName = "secret.key";

/**
 * Throws where a store was lost: its file is empty or gone, but its log is there, or its file is empty and the secret
 * key is there. SQLite would delete the log and begin a new store. A key without a file is one that an operator placed.
 */
export function refuseLostStore(file: string): void {
  const log = `${file}-wal`;
  const key = join(dirname(file), secretKeyFileName);
  // Before the size: a process that makes a store at this moment makes its log and its key last.
  const traces = [log, key].filter((path) => existsSync(path));
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  const [trace] = bytes === undefined ? traces.filter((path) => path === log) : traces;
  if (trace === undefined || (bytes ?? 0) > 0) return;
  const lost = [...(bytes === 0 ? [file] : []), ...(trace === log ? [log] : [])];
  throw new Error(
    `it is ${bytes === 0 ? "empty" : "missing"}, but ${trace} shows that there was a store: restore a backup, ` +
      `or delete ${lost.join(" and ")} to begin with a new store`,
  );
}
