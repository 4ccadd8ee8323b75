import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";

import { commandLine } from "../../test/support/command-line.ts";
import { newDirectory, ownerToken, startTestApp } from "../../test/support/harness.ts";
import { withTestControls } from "../../test/support/test-controls-api.ts";

const run = commandLine();

describe("zoneward reset, zoneward snapshot and zoneward clock", () => {
  test("reset a server, save its state, put it back, and hand it to another server", async (t) => {
    const secret_key = Buffer.alloc(32, 7).toString("base64");
    const settings = { ...withTestControls, ephemeral: true, secret_key };
    const [app, other] = [
      await startTestApp(t, "sqlite", settings),
      await startTestApp(t, "sqlite", settings),
    ];
    const on = async (server: { readonly baseUrl: string }, ...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await run([...args, "--url", server.baseUrl, "--token", ownerToken]);
      assert.deepEqual([code, stderr], [0, ""], args.join(" "));
      return stdout;
    };
    const zones = async (server: typeof app): Promise<number> =>
      (await server.request("GET", "/zones")).body.result.length;
    const file = join(newDirectory(t), "zones.snapshot");
    await app.createZone("example.com");
    assert.match(await on(app, "snapshot", "save", "one"), /^2026-01-02T03:04:05\.678Z +\d+ {2}one\n$/);
    await on(app, "reset");
    assert.equal(await zones(app), 0);
    await on(app, "snapshot", "restore", "one");
    assert.equal(await zones(app), 1);
    await on(app, "snapshot", "export", "one", file);
    await on(other, "snapshot", "import", "theirs", file);
    await on(other, "snapshot", "restore", "theirs");
    assert.equal(await zones(other), 1);
    assert.match(await on(app, "snapshot", "list"), / one\n$/);
    await on(app, "snapshot", "delete", "one");
    assert.equal(await on(app, "snapshot", "list"), "");
  });

  test("freeze, set, advance and resume the clock", async (t) => {
    const app = await startTestApp(t, "sqlite", withTestControls);
    const at = ["--url", app.baseUrl, "--token", ownerToken];
    for (const [args, shown] of [
      [["show"], "2026-01-02T03:04:05.678Z"],
      [["freeze", "2030-01-01T00:00:00Z"], "2030-01-01T00:00:00.000Z  frozen"],
      [["advance", "1d2h30m"], "2030-01-02T02:30:00.000Z  frozen"],
      [["resume"], "2030-01-02T02:30:00.000Z"],
      [["freeze"], "2030-01-02T02:30:00.000Z  frozen"],
      [["set", "now"], "2026-01-02T03:04:05.678Z  frozen"],
    ] as const) {
      assert.equal((await run(["clock", ...args, ...at])).stdout, `${shown}\n`, args.join(" "));
    }
    for (const args of [["advance", "soon"], ["advance"], ["set"], ["stop"]]) {
      assert.equal((await run(["clock", ...args, ...at])).code, 2, args.join(" "));
    }
    assert.equal((await run(["snapshot", "export", "one", ...at])).code, 2);
    assert.match((await run(["snapshot", "restore", "none", ...at])).stderr, /There is no snapshot `none`/);
    for (const name of ["..", "a/b"]) {
      assert.match((await run(["snapshot", "save", name, ...at])).stderr, /NAME: must be 1 to 64 letters/);
    }
  });
});
