import { mkdirSync, existsSync, realpathSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

import { isOutOfReach, isPrivateDirectory } from "./ownership.ts";

/**
 * Keeps the compiled code of all modules that this process or thread loads from now on for the next one,
 * which saves three quarters of the first start. The directory belongs to this user alone, as anybody who can
 * write there could run code here; without such a directory, nothing is kept. Nothing is kept while coverage
 * is measured, which would become less precise. `NODE_COMPILE_CACHE` names another directory.
 */
export function cacheCompiledCode(): void {
  if (process.env["NODE_V8_COVERAGE"] !== undefined) return;
  const directory = process.env["NODE_COMPILE_CACHE"] || privateCacheDirectory();
  if (directory !== undefined) module.enableCompileCache(directory);
}

/** The directory in which Node.js keeps compiled code; undefined if others can write there. */
export function compiledCodeDirectory(): string | undefined {
  const directory = module.getCompileCacheDir();
  if (directory === undefined) return undefined;
  return holds(() => isOutOfReach(realpathSync(directory))) ? directory : undefined;
}

/** A directory for files that can be made again, in which nobody else can write; undefined where there is none. */
export function privateCacheDirectory(): string | undefined {
  const caches = process.env["XDG_CACHE_HOME"];
  const base = caches !== undefined && isAbsolute(caches) ? caches : join(homedir(), ".cache");
  const directory = join(base, "zoneward");
  const isPrivate = holds(() => {
    // Nothing is made in the home of another user, to which `HOME` may point under `sudo`.
    if (!isOutOfReach(realpathSync(existingAbove(directory)))) return false;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return isPrivateDirectory(directory);
  });
  return isPrivate ? directory : undefined;
}

function existingAbove(path: string): string {
  const above = dirname(path);
  return existsSync(above) ? above : existingAbove(above);
}

/** Runs a check; false also where the directory is missing, or cannot be made. */
function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
