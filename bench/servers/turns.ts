/**
 * Measures the event loop of the process that loads it (`node --import`): each SIGUSR2 writes the longest turns since the
 * last one to the file that `BENCH_TURNS_FILE` names, in milliseconds of time and of the thread's CPU.
 */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const intervalMs = 1;

const file = process.env["BENCH_TURNS_FILE"];
if (isMainThread && file !== undefined) {
  let longest = { timeMs: 0, cpuMs: 0 };
  let last = look();
  setInterval(() => {
    const now = look();
    longest = {
      timeMs: Math.max(longest.timeMs, now.timeMs - last.timeMs - intervalMs),
      cpuMs: Math.max(longest.cpuMs, now.cpuMs - last.cpuMs),
    };
    last = now;
  }, intervalMs).unref();
  process.on("SIGUSR2", () => {
    writeFileSync(file, JSON.stringify(longest));
    longest = { timeMs: 0, cpuMs: 0 };
  });
}

function look(): { readonly timeMs: number; readonly cpuMs: number } {
  const { user, system } = process.threadCpuUsage();
  return { timeMs: performance.now(), cpuMs: (user + system) / 1000 };
}
