import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files of a server on SQLite, in the directory of the setting `data`. */
export const storeFileName = "zoneward.sqlite";
export const secretKeyFileName = "secret.key";

/**
 * Throws where a store was lost: its file is missing or empty beside its log, or empty beside the secret key.
 * SQLite would delete the log and begin a new store. A key alone, without a file, was placed by an operator.
 */
export function refuseLostStore(file: string): void {
  const log = `${file}-wal`;
  const key = join(dirname(file), secretKeyFileName);
  // Looked up before the size: a process that creates a store at this moment creates its log and its key
  // last.
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
