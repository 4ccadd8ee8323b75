/**
 * Measures the event loop of the process that loads it (`node --import`): each SIGUSR2 writes the longest turn since
 * the last one to the file that `BENCH_TURNS_FILE` names, in milliseconds. The time in which another program had the
 * core does not count; the time in which the thread waited for the disk does.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const intervalMs = 1;

const file = process.env["BENCH_TURNS_FILE"];
if (isMainThread && file !== undefined) {
  let longestMs = 0;
  let lastMs = activeMs();
  setInterval(() => {
    const nowMs = activeMs();
    longestMs = Math.max(longestMs, nowMs - lastMs - intervalMs);
    lastMs = nowMs;
  }, intervalMs).unref();
  process.on("SIGUSR2", () => {
    writeFileSync(file, String(longestMs));
    longestMs = 0;
  });
}

/** The clock, without the time that the thread was ready and waited for a core. */
function activeMs(): number {
  const [, waitedNs] = readFileSync("/proc/thread-self/schedstat", "latin1").split(" ");
  return performance.now() - Number(waitedNs) / 1e6;
}
