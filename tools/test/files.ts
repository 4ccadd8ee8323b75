import { globSync } from "node:fs";

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

const groupSizeMax = 8;

/**
 * The files that share a process, so that each module is loaded once for all of them; neighbours load much the same.
 * Files of `test/` come first, as they take longest, and each alone: they kill servers and load the machine.
 */
export function groupsOf(files: readonly string[]): string[][] {
  const isAlone = (file: string): boolean => file.startsWith("test/") || aloneInTheirProcess.has(file);
  const groups = files.filter(isAlone).map((file) => [file]);
  const together = files.filter((file) => !isAlone(file));
  for (let at = 0; at < together.length; at += groupSizeMax) {
    groups.push(together.slice(at, at + groupSizeMax));
  }
  return groups;
}
