import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { promisify } from "node:util";

import { asOlderNode, bundledCopy } from "../support/bundled-copy.ts";
import { newDirectory } from "../support/harness.ts";

const run = promisify(execFile);
const { directory } = bundledCopy();
const modules = resolve("node_modules");

/** A project that depends on the package and on others, with one of the examples of the documents. */
function projectWith(t: TestContext, example: string, ...packages: readonly string[]): string {
  const project = newDirectory(t);
  mkdirSync(join(project, "node_modules"));
  symlinkSync(directory, join(project, "node_modules/zoneward"), "junction");
  for (const name of packages) {
    mkdirSync(join(project, "node_modules", name, ".."), { recursive: true });
    symlinkSync(join(modules, name), join(project, "node_modules", name), "junction");
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", jest: { transform: {} } }));
  cpSync(join("docs/testing/examples", example), join(project, example));
  return project;
}

/** Time on a busy machine for steps that these frameworks expect within some seconds. */
const timeoutMs = 120_000;
/** Without what says that a test runs already. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("NODE_")));

describe("the package's zoneward/testing", () => {
  test("serves a file of node:test", async (t) => {
    const cwd = projectWith(t, "node.test.mjs");
    const { stdout } = await run(process.execPath, ["--test", "node.test.mjs"], { cwd, env });
    assert.match(stdout, /pass 1\n/);
  });

  test("serves a file of Vitest", async (t) => {
    const cwd = projectWith(t, "vitest.test.mjs", "vitest");
    const program = join(modules, "vitest/vitest.mjs");
    const flags = ["run", "--no-color", `--testTimeout=${timeoutMs}`, `--hookTimeout=${timeoutMs}`];
    const { stdout } = await run(process.execPath, [program, ...flags], { cwd, env });
    assert.match(stdout, /Tests {2}2 passed/);
  });

  test("serves a file of Jest", async (t) => {
    const cwd = projectWith(t, "jest.test.mjs");
    const flags = [
      "--experimental-vm-modules",
      join(modules, "jest/bin/jest.js"),
      "--testMatch=**/*.test.mjs",
      `--testTimeout=${timeoutMs}`,
    ];
    const { stderr } = await run(process.execPath, flags, { cwd, env });
    assert.match(stderr, /Tests: +1 passed/);
  });

  test("says in one line which Node.js it needs when an older one imports it", async (t) => {
    const cwd = projectWith(t, "node.test.mjs");
    const program = 'import("zoneward/testing").catch(({ message }) => console.log(message))';
    const { stdout } = await run(process.execPath, [asOlderNode, "--eval", program], { cwd, env });
    assert.match(stdout, /^zoneward\/testing needs Node\.js 24\.15 or newer, and this is v\S+\n$/);
  });

  test("tells TypeScript its types, and only those that are there", async (t) => {
    const cwd = projectWith(t, "node.test.mjs", "@types/node", "undici-types");
    writeFileSync(
      join(cwd, "use.mts"),
      `import { startZoneward, ZonewardError, type Zone } from "zoneward/testing";
await using zoneward = await startZoneward({ in: "child", now: new Date() });
const zone: Zone = await zoneward.zone();
const name: string = zone.name;
// @ts-expect-error -- there is no such preset
await zoneward.fault("unlucky").catch((error: unknown) => error instanceof ZonewardError && error.status);
console.log(name, await zoneward.journal.entries({ zone: zone.id }));
`,
    );
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "esnext", "--types", "node"];
    await run(process.execPath, [join(modules, "typescript/bin/tsc"), ...flags, "use.mts"], { cwd });
  });
});
