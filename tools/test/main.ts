import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

import { globalSetup, globalTeardown } from "../../test/support/global-setup.ts";
import { groupsOf, processesMax, testFiles } from "./files.ts";
import { Progress } from "./progress.ts";

// `npm test`: runs the files of tests that are named, or all of them, several in one process. A file is a suite of
// its tests, so it fails under its name.

const testMsMax = 600_000;
const endMsMax = 30_000;
const preamble = `const { after, describe } = require("node:test");
function endSoon() {
  const end = () => {
    process.stderr.write("the tests have ended, and something of them keeps their process running\\n");
    process.exit(1);
  };
  setTimeout(end, ${endMsMax}).unref();
}
`;
const withoutHook = new URL("without-promise-hook.ts", import.meta.url).href;

const named = process.argv.slice(2);
const files = named.length > 0 ? named : testFiles();
const directory = mkdtempSync(join(tmpdir(), "zoneward-test-groups-"));
const progress = new Progress(files);
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => interruption.abort());

await globalSetup();
try {
  await runGroups(groupsOf(files));
  // A process that ended before its time took the tests of other files with it.
  if (!interruption.signal.aborted)
    await runGroups(files.filter((file) => !progress.hasEnded(file)).map((file) => [file]));
  progress.printSlowest();
} finally {
  await globalTeardown();
  rmSync(directory, { recursive: true });
}

async function runGroups(groups: readonly (readonly string[])[]): Promise<void> {
  if (groups.length === 0) return;
  const tests = run({
    files: groups.map(groupProgram),
    concurrency: processesMax,
    signal: interruption.signal,
    execArgv: [`--test-timeout=${testMsMax}`, "--import", withoutHook],
  });
  tests.on("test:complete", ({ name, nesting, details }) => {
    if (nesting === 0) progress.fileEnded(name, details.duration_ms, details.passed);
  });
  tests.on("test:fail", () => {
    process.exitCode = 1;
  });
  // Of thousands of tests those that fail are of interest.
  const told = named.length > 0 ? tests : tests.filter(({ type }) => !/^test:(?:start|pass)$/.test(type));
  for await (const text of told.compose(spec)) progress.print(String(text));
}

/**
 * Writes a program that runs the tests of these files, one file after another. It fails where what they leave behind
 * keeps it running.
 */
function groupProgram(group: readonly string[]): string {
  const tests = group.map((file, index) => {
    const ending = index === group.length - 1 ? "after(endSoon);" : "";
    return `describe(${JSON.stringify(file)}, () => { require(${JSON.stringify(resolve(file))}); ${ending} });\n`;
  });
  const program = join(directory, `${group.join("+").replaceAll("/", "-").slice(0, 200)}.cjs`);
  writeFileSync(program, `${preamble}${tests.join("")}`);
  return program;
}
