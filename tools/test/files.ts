import { globSync } from "node:fs";

/** Processes at a time: one more than the cores of the smallest machine, as some tests wait. */
export const processesMax = 3;

/** The files that `npm test` runs: all tests but those in a browser. */
export function testFiles(): string[] {
  const all = globSync(["src/**/*.test.ts", "test/**/*.test.ts", "dashboard/**/*.test.ts"]);
  return all.filter((file) => !/node_modules|^test\/browser\//.test(file)).toSorted();
}

/** Tests whose effect on their process, or whose measurement of it, reaches beyond themselves. */
const aloneInTheirProcess = new Set([
  // The memory of the process.
  "src/edge/connections/abuse.test.ts",
  "src/engines/regex-engine.test.ts",
  // The directory for temporary files.
  "src/tls/https.test.ts",
]);

/** Whether a file below `test/` shares its process: others there kill servers and load the machine. */
const sharesAProcess = (file: string): boolean => /^test\/(?:clients|contract)\//.test(file);

const groupSizeMax = 16;

/**
 * The files that share a process, so that each module is loaded once for all of them; neighbours load much the same.
 * Those that run alone come first, as they take longest, and the last groups are short: all processes end at once.
 */
export function groupsOf(files: readonly string[]): string[][] {
  const isAlone = (file: string): boolean =>
    (file.startsWith("test/") && !sharesAProcess(file)) || aloneInTheirProcess.has(file);
  const groups = files.filter(isAlone).map((file) => [file]);
  const together = files.filter((file) => !isAlone(file));
  let at = 0;
  while (at < together.length) {
    const size = Math.min(groupSizeMax, Math.ceil((together.length - at) / processesMax));
    groups.push(together.slice(at, at + size));
    at += size;
  }
  return groups;
}
