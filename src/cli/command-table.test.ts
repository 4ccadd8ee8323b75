import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { newDirectory } from "../../test/support/harness.ts";
import { commandLine } from "../../test/support/command-line.ts";
import { flagOf, settingNames } from "../config/settings.ts";
import { commandHelp } from "./cli.ts";
import { commandNames, commandTable, type CommandSyntax } from "./command-table.ts";
import { manPage } from "./man-page.ts";

const run = commandLine();

function flagsOf(form: CommandSyntax): readonly string[] {
  return [...new Set(Object.values(form.actions).flat())];
}

describe("the table of commands", () => {
  test("names the flags that the help of each command tells, and its actions", () => {
    for (const name of commandNames) {
      const form: CommandSyntax = commandTable[name];
      const help = commandHelp(name);
      const told = new Set(help.match(/--[a-z][a-z-]*/g));
      for (const flag of ["--help", "--config", ...settingNames.map(flagOf)]) told.delete(flag);
      const settings = new Set(settingNames.map(flagOf));
      const own = flagsOf(form).filter((flag) => !settings.has(flag));
      for (const flag of own) assert.ok(told.has(flag), `${name} ${flag}`);
      if (!["serve", "fault", "journal", "reset", "snapshot", "clock"].includes(name)) {
        for (const flag of told) assert.ok(own.includes(flag), `${name} ${flag} is not in the table`);
      }
      for (const action of Object.keys(form.actions)) assert.ok(help.includes(action), `${name} ${action}`);
    }
  });

  test("gives each shell a script with every command, action and flag", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await run(["completion", shell]);
      assert.equal(code, 0);
      for (const name of commandNames) {
        const form: CommandSyntax = commandTable[name];
        for (const word of [name, ...Object.keys(form.actions)])
          assert.ok(stdout.includes(word), `${shell} ${word}`);
        for (const flag of [...flagsOf(form), ...settingNames.map(flagOf)]) {
          const shown = shell === "fish" ? `-l ${flag.slice(2)}` : flag;
          assert.ok(stdout.includes(shown), `${shell} ${shown}`);
        }
      }
    }
    assert.equal((await run(["completion", "tcsh"])).code, 2);
  });

  test("repeats the settings for no command in the scripts of shells", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { stdout } = await run(["completion", shell]);
      assert.equal(stdout.match(/(?:--|-l )tls-cert\b/g)?.length, 1, shell);
    }
  });

  test("bash completes commands, actions, flags and the values of settings by it", async (t) => {
    const script = join(newDirectory(t), "zoneward.bash");
    writeFileSync(script, (await run(["completion", "bash"])).stdout);
    const complete = (...words: readonly string[]): readonly string[] => {
      const quoted = words.map((word) => `'${word}'`).join(" ");
      const program = `source ${script}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _zoneward; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", program], { encoding: "utf8" }).trim().split("\n");
    };
    assert.deepEqual(complete("zoneward", "do"), ["doctor"]);
    assert.deepEqual(complete("zoneward", "token", "c"), ["create"]);
    assert.deepEqual(complete("zoneward", "token", "create", "--templ"), ["--template"]);
    assert.deepEqual(complete("zoneward", "serve", "--tls-c"), ["--tls-cert"]);
    assert.deepEqual(complete("zoneward", "serve", "--tls", ""), ["off", "self-signed"]);
    assert.deepEqual(complete("zoneward", "journal", "--limit", "5", "--fol"), ["--follow"]);
    assert.deepEqual(complete("zoneward", "fault", "preset", "fl"), ["flaky"]);
    assert.deepEqual(complete("zoneward", "expression", "check", "--tls-c"), [""]);
  });

  test("gives the manual page every command with its help, as roff that hides no line", () => {
    const page = manPage("1.2.3");
    assert.match(page, /^\.TH ZONEWARD 1 /);
    for (const name of commandNames) assert.ok(page.includes(`.SS zoneward ${name}\n`), name);
    const requests = /^\.(?:TH|SH|SS|TP|B|I|RI|nf|fi)(?: |$)/;
    for (const line of page.split("\n")) if (/^[.']/.test(line)) assert.match(line, requests);
  });
});
