import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { describe, test } from "node:test";
import { promisify } from "node:util";

import { bundledCopy } from "../support/bundled-copy.ts";
import { newDirectory } from "../support/harness.ts";

const run = promisify(execFile);
const { program } = bundledCopy();
const RUN_ZONEWARD = `${process.execPath} ${program}`;

const isThere = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

describe("the fixtures of the documents", () => {
  test(
    "serve pytest",
    { skip: !isThere("python3", "-m", "pytest", "--version") && "no pytest" },
    async (t) => {
      const cwd = newDirectory(t);
      cpSync("docs/testing/examples/python", cwd, { recursive: true });
      const env = { ...process.env, RUN_ZONEWARD };
      const { stdout } = await run("python3", ["-m", "pytest", "-q"], { cwd, env });
      assert.match(stdout, /2 passed/);
    },
  );

  test("serve Go", { skip: !isThere("go", "version") && "no Go" }, async (t) => {
    const cwd = newDirectory(t);
    cpSync("docs/testing/examples/go", cwd, { recursive: true });
    const env = { ...process.env, RUN_ZONEWARD };
    const { stdout } = await run("go", ["test", "./..."], { cwd, env });
    assert.match(stdout, /^ok/m);
  });
});
