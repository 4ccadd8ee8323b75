import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";

import { globalSetup, globalTeardown } from "../../test/support/global-setup.ts";
import { groupsOf, testFiles } from "./files.ts";

// `npm test`: runs the files of tests that are named, or all of them, several in one process. A file is a test whose
// subtests are those of the file, so it fails under its name.

const processesMax = 3;
const testMsMax = 600_000;

const named = process.argv.slice(2);
const files = named.length > 0 ? named : testFiles();
const directory = mkdtempSync(join(tmpdir(), "zoneward-test-groups-"));
const ended = new Set<string>();
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => interruption.abort());

await globalSetup();
try {
  await runGroups(groupsOf(files));
  // A process that ended before its time took the tests of other files with it.
  if (!interruption.signal.aborted)
    await runGroups(files.filter((file) => !ended.has(file)).map((file) => [file]));
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
    execArgv: [`--test-timeout=${testMsMax}`],
  });
  tests.on("test:complete", ({ name, nesting }) => {
    if (nesting === 0) ended.add(name);
  });
  tests.on("test:fail", () => {
    process.exitCode = 1;
  });
  for await (const text of tests.compose(spec)) process.stdout.write(String(text));
}

/** Writes a program that runs the tests of these files, one file after another. */
function groupProgram(group: readonly string[]): string {
  const tests = group.map((file) => {
    const url = pathToFileURL(resolve(file)).href;
    return `test(${JSON.stringify(file)}, () => import(${JSON.stringify(url)}));\n`;
  });
  const program = join(directory, `${group.join("+").replaceAll("/", "-").slice(0, 200)}.mjs`);
  writeFileSync(program, `import { test } from "node:test";\n${tests.join("")}`);
  return program;
}
