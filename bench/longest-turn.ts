import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import type { ServerProcess } from "./process.ts";

const pauseMs = 5;
const monitor = pathToFileURL(join(import.meta.dirname, "servers/turns.ts")).href;

/** Settings of a process whose turns are measured; `file` is where it writes them. */
export const measuringTurns = (file: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=${monitor}`,
  BENCH_TURNS_FILE: file,
});

/** Milliseconds of the longest turn of its event loop since the last call, as `servers/turns.ts` writes it. */
export async function longestTurn({ pid }: Pick<ServerProcess, "pid">, file: string): Promise<number> {
  writeFileSync(file, "");
  process.kill(pid, "SIGUSR2");
  for (;;) {
    const text = readFileSync(file, "utf8");
    if (text !== "") return Number(text);
    await delay(pauseMs);
  }
}
