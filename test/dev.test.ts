import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

import { freePort } from "./support/fixed-port.ts";
import { until } from "./support/harness.ts";

test("npm run dev serves the sources of server and dashboard, and ends with both", async (t) => {
  const port = await freePort();
  // Detached: all that it starts is a process group of its own.
  const dev = spawn("npm", ["--silent", "--offline", "run", "dev", "--", "--ephemeral", `--port=${port}`], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const group = -(dev.pid ?? 0);
  t.after(() => {
    if (isRunning(group)) process.kill(group, "SIGKILL");
  });
  let output = "";
  dev.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const dashboardUrl = (): string | undefined => /Dashboard +(\S+)/.exec(output)?.[1];
  await until("the banner", () => /^ {2}curl .*\n/m.test(output));
  assert.notEqual(new URL(dashboardUrl() ?? "").port, String(port));

  const api = await fetch(new URL("/client/v4/ips", dashboardUrl()));
  assert.equal(api.status, 200);
  const page = await fetch(new URL("/src/main.tsx", dashboardUrl()));
  assert.match(await page.text(), /@vite|import/);

  const ended = once(dev, "exit");
  dev.kill("SIGTERM");
  await ended;
  await until("all of it has ended", () => !isRunning(group));
});

function isRunning(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}
