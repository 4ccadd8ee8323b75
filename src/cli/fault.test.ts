import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";

import { startFaultApp } from "../../test/support/fault-api.ts";
import { ownerToken, startTestApp, until } from "../../test/support/harness.ts";
import { commandLine } from "../../test/support/command-line.ts";
import { inheritedEnvironment } from "../../test/support/spawned-server.ts";

const run = commandLine();

describe("zoneward fault and zoneward journal", () => {
  test("add, switch, list and remove faults, and show what came of them", async (t) => {
    const app = await startFaultApp(t);
    const at = ["--url", app.baseUrl, "--token", ownerToken];
    const added = await run([
      "fault",
      "add",
      '{"name":"first","effect":{"type":"error","status":501}}',
      ...at,
    ]);
    assert.deepEqual([added.code, added.stderr], [0, ""]);
    assert.match(added.stdout, /^ +1 {2}on {3}acted 0 {2}first \{\} \{"type":"error","status":501\}\n$/);
    assert.equal((await app.request("GET", "/user")).status, 501);
    assert.match((await run(["fault", "off", "1", ...at])).stdout, /^ +1 {2}off {2}acted 1/);
    assert.equal((await app.request("GET", "/user")).status, 200);
    assert.match((await run(["fault", "preset", "outage", ...at])).stdout, /outage/);
    assert.equal((await run(["fault", "list", ...at])).stdout.split("\n").length, 4);
    assert.equal((await run(["fault", "clear", ...at])).code, 0);
    assert.equal((await run(["fault", "list", ...at])).stdout, "");
    const { stdout } = await run(["journal", ...at]);
    assert.match(stdout, /^\S+ {2}501 {2}GET {4}\/client\/v4\/user {2}\(getUser, fault 1\)$/m);
    assert.equal((await run(["journal", "--clear", ...at])).code, 0);
    assert.equal((await run(["journal", ...at])).stdout, "");
  });

  test("tell every error of a wrong rule, an unknown action, and a server without test controls", async (t) => {
    const app = await startFaultApp(t);
    const at = ["--url", app.baseUrl];
    const env = { ZONEWARD_OWNER_TOKEN: ownerToken };
    const wrong = await run(["fault", "add", '{"match":{"share":2},"effect":{"type":"close"}}', ...at], {
      env,
    });
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /`match\/share`: must be .*\n.*`effect\/when`: is required/);
    assert.equal((await run(["fault", "explode", ...at], { env })).code, 2);
    assert.equal((await run(["fault", "remove", ...at], { env })).code, 2);
    await app.fault({ effect: { type: "latency", ms: 0 } });
    for (const id of [".", "..", "1/.."]) {
      assert.equal((await run(["fault", "remove", id, ...at], { env })).code, 2, id);
    }
    assert.match((await run(["fault", "list", ...at], { env })).stdout, /latency/);
    const unknown = await run(
      ["fault", "add", '{"match":{"operation":"craeteZone"},"effect":{"type":"html"}}', ...at],
      {
        env,
      },
    );
    assert.match(unknown.stderr, /`match\/operation`: must be the name of an operation/);
    const plain = await startTestApp(t, "sqlite");
    const refused = await run(["journal", "--url", plain.baseUrl], { env });
    assert.match(refused.stderr, /has no test controls; start it with --test-controls/);
  });

  test("--follow shows requests as they come, until the server ends", async (t) => {
    const app = await startFaultApp(t);
    const args = ["src/main.ts", "journal", "--follow", "--url", app.baseUrl, "--token", ownerToken];
    const child = spawn(process.execPath, args, { env: inheritedEnvironment() });
    t.after(() => child.kill());
    let shown = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (shown += part));
    const ended = once(child, "exit");
    let sent = 0;
    await until("a request is shown", async () => {
      sent += 1;
      await app.request("GET", "/user?from=test");
      return shown.includes("/client/v4/user?from=test  (getUser)");
    });
    await app.close();
    assert.deepEqual(await ended, [0, null]);
    assert.ok(shown.trimEnd().split("\n").length <= sent, "a request is shown twice");
  });
});
