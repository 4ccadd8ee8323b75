import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";

import { bundledCopy } from "../support/bundled-copy.ts";
import { newDirectory } from "../support/harness.ts";

const { directory } = bundledCopy();

describe("a server that npm started", () => {
  for (const command of [
    ["start", "--"],
    ["run", "zoneward", "--", "serve"],
  ]) {
    test(`ends when npm is killed (npm ${command.join(" ")})`, async (t) => {
      const flags = ["--port=0", `--data=${newDirectory(t)}`, "--log-level=silent"];
      // Detached: npm, its shell and the server are a process group of their own, which is found by the id of npm.
      const npm = spawn("npm", ["--silent", "--offline", ...command, ...flags], {
        cwd: directory,
        detached: true,
        stdio: ["ignore", "pipe", "inherit"],
      });
      const group = -(npm.pid ?? 0);
      t.after(() => {
        if (isRunning(group)) process.kill(group, "SIGKILL");
      });
      const ended = once(npm, "exit");
      assert.match(await bannerOf(npm.stdout), /^ {2}curl /m);
      npm.kill("SIGTERM");
      const [code] = await ended;
      assert.equal(isRunning(group), false);
      assert.equal(code, 0);
    });
  }
});

/** The output until it serves, or until it has ended. */
async function bannerOf(stdout: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const part of stdout) {
    text += part.toString();
    if (/^ {2}curl .*\n/m.test(text)) return text;
  }
  return text;
}

function isRunning(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}
