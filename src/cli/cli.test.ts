import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { newDirectory } from "../../test/support/harness.ts";
import { runCommand } from "../../test/support/spawned-server.ts";
import { flagOf, settingNames, variableOf } from "../config/settings.ts";

describe("zoneward", { concurrency: 2 }, () => {
  test("--help tells the commands", async () => {
    const { code, stdout, stderr } = await runCommand(["--help"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /Usage: zoneward COMMAND/);
    for (const command of ["serve", "expression"]) assert.match(stdout, new RegExp(`^ {2}${command} `, "m"));
    for (const flag of ["--help", "--version"]) assert.match(stdout, new RegExp(`^ {2}${flag} `, "m"));
  });

  test("without a command shows the same help and fails", async () => {
    const { code, stdout } = await runCommand([]);
    assert.equal(code, 2);
    assert.match(stdout, /Usage: zoneward COMMAND/);
  });

  test("serve --help tells every setting with its flag, its variable and what it is for", async () => {
    const { code, stdout, stderr } = await runCommand(["serve", "--help"]);
    assert.deepEqual([code, stderr], [0, ""]);
    for (const name of [...settingNames, "config"]) {
      const entry = new RegExp(`^ {2}${flagOf(name)}(?: \\S.*)? +${variableOf(name)}\\n {6}\\S.{9,}`, "m");
      assert.match(stdout, entry, name);
    }
    assert.match(stdout, /^ {2}--print-config\n/m);
    assert.doesNotMatch(stdout, /undefined|\[object/);
  });

  test("--version tells the version of the package", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    assert.deepEqual(await runCommand(["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("an unknown command is refused with a way to the help", async () => {
    const { code, stdout, stderr } = await runCommand(["sevre"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.equal(stderr, "zoneward: unknown command `sevre`; see zoneward --help\n");
  });

  test("bad settings of all three places stop the start with one list, and nothing is made", async (t) => {
    const cwd = newDirectory(t);
    writeFileSync(join(cwd, "settings.yaml"), "prot: 80\n");
    const { code, stdout, stderr } = await runCommand(["serve", "--port=none", "--config=settings.yaml"], {
      cwd,
      env: { ZONEWARD_DEFAULT_PLAN: "gold", ZONEWARD_HOST: "192.0.2.1" },
    });
    assert.deepEqual([code, stdout], [2, ""]);
    const [title, ...issues] = stderr.trimEnd().split("\n");
    assert.equal(title, "zoneward: the settings have errors:");
    assert.deepEqual(issues.slice(0, 3), [
      "  settings.yaml: prot: unknown setting",
      "  --port: must be an integer from 0 to 65535",
      "  ZONEWARD_DEFAULT_PLAN: must be one of: free, pro, business, enterprise",
    ]);
    assert.match(issues[3] ?? "", /^ {2}--host: 192\.0\.2\.1 is not a loopback address/);
    assert.equal(issues.length, 4);
    assert.deepEqual(readdirSync(cwd), ["settings.yaml"]);
  });

  test("--print-config prints the effective settings as JSON without secrets, and starts nothing", async (t) => {
    const cwd = newDirectory(t);
    const { code, stdout, stderr } = await runCommand(["serve", "--print-config", "--port=1"], {
      cwd,
      env: {
        ZONEWARD_DATABASE: "postgres://user:a-secret@db.example/name",
        ZONEWARD_OWNER_KEY: "5ec5e700000000000000000000000000000000",
        ZONEWARD_OWNER_TOKEN: "a-secret-token-of-forty-characters-and-more",
      },
    });
    assert.deepEqual([code, stderr], [0, ""]);
    const shown = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal(shown["port"], 1);
    assert.equal(shown["database"], "********");
    assert.doesNotMatch(stdout, /secret-|a-secret|5ec5e7/);
    assert.deepEqual(readdirSync(cwd), []);
  });
});
