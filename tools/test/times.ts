import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

import { globalSetup, globalTeardown } from "../../test/support/global-setup.ts";
import { testFiles } from "./files.ts";

// `npm run test:times`: runs the files of tests that are named, or those of `npm test`, one after another, and prints
// the twenty that took most CPU. Other work on the machine counts for less than in elapsed time. Needs Linux.

const shown = 20;
/** POSIX: what `/proc` counts CPU in, 100 a second. */
const tickMs = 10;

interface Run {
  readonly file: string;
  readonly cpuSeconds: number;
  readonly elapsedSeconds: number;
  readonly passed: boolean;
}

const named = process.argv.slice(2);
const files = named.length > 0 ? named : testFiles();
await globalSetup();
const runs: Run[] = [];
for (const file of files) {
  const run = await measure(file);
  runs.push(run);
  if (!run.passed) process.stderr.write(`fails: ${file}\n`);
}
await globalTeardown();

const cpuSeconds = runs.reduce((sum, run) => sum + run.cpuSeconds, 0);
process.stdout.write(
  `${runs.length} files, ${cpuSeconds.toFixed(0)} s of CPU\n\n| CPU | elapsed | file |\n|--:|--:|---|\n`,
);
for (const run of runs.toSorted((one, other) => other.cpuSeconds - one.cpuSeconds).slice(0, shown)) {
  process.stdout.write(
    `| ${run.cpuSeconds.toFixed(1)} s | ${run.elapsedSeconds.toFixed(1)} s | ${run.file} |\n`,
  );
}
process.exitCode = runs.every(({ passed }) => passed) ? 0 : 1;

async function measure(file: string): Promise<Run> {
  const [cpu, started] = [cpuMs(), performance.now()];
  const test = spawn(process.execPath, ["--test-reporter=dot", file], { stdio: "ignore" });
  const [code] = await once(test, "exit");
  return {
    file,
    cpuSeconds: (cpuMs() - cpu) / 1_000,
    elapsedSeconds: (performance.now() - started) / 1_000,
    passed: code === 0,
  };
}

/** The CPU time of all processes below this one, living or ended: the tests, what they start, and PostgreSQL. */
function cpuMs(): number {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statOf(Number(pid)) ?? []);
  const below = new Set([process.pid]);
  // A set that grows while it is walked through: the children of children come too.
  for (const parent of below) for (const { pid, ppid } of processes) if (ppid === parent) below.add(pid);
  const ticks = processes
    .filter(({ pid }) => below.has(pid))
    .map(({ pid, own, ended }) => (pid === process.pid ? ended : own + ended));
  return ticks.reduce((sum, part) => sum + part, 0) * tickMs;
}

interface Stat {
  readonly pid: number;
  readonly ppid: number;
  readonly own: number;
  /** The time of its children that have ended. */
  readonly ended: number;
}

/** Undefined for a process that has just ended. */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may hold anything.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [ppid = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index],
    );
    return { pid, ppid, own: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
