import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";

import { newDirectory } from "../../test/support/harness.ts";
import { commandLine } from "../../test/support/command-line.ts";

const run = commandLine();
/** Nothing answers there. */
const resolvers = ["--resolvers", "127.0.0.1:9"];

describe("zoneward doctor", () => {
  test("finds nothing wrong where a server would run, and leaves nothing behind", async (t) => {
    const data = newDirectory(t);
    const { code, stdout, stderr } = await run(["doctor", "--data", data, "--port", "0", ...resolvers]);
    assert.deepEqual([code, stderr], [0, ""]);
    for (const what of ["Settings", "Port", "Data directory", "Database", "Clock", "Certificate"]) {
      assert.match(stdout, new RegExp(`^ok +${what} `, "m"));
    }
    assert.match(stdout, /^warning +Name resolution +no answer from 127\.0\.0\.1:9\n +Set --resolvers/m);
    assert.deepEqual(readdirSync(data), []);
  });

  test("says what is wrong and what to do, all at once, and fails", async (t) => {
    const taken = createServer().listen({ host: "127.0.0.1", port: 0 });
    t.after(() => taken.close());
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const file = join(newDirectory(t), "file");
    writeFileSync(file, "");
    const settings = ["--port", String(port), "--data", file, "--activation", "check-ns"];
    const { code, stdout, stderr } = await run(["doctor", ...settings, ...resolvers]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^error +Port +127\.0\.0\.1, \d+: EADDRINUSE\n +Stop the program that listens there/m,
    );
    assert.match(stdout, /^error +Data directory +.* is not a directory\n +Set --data/m);
    assert.match(stdout, /^error +Name resolution +.*; needed for activation=check-ns\n/m);
    assert.match(stderr, /things must be mended/);
  });

  test("lists what is wrong with the settings", async () => {
    const { code, stdout } = await run(["doctor", "--port=none", "--tls-cert=nowhere.pem"]);
    assert.equal(code, 1);
    assert.match(stdout, /^error +Settings +--port: must be an integer/m);
    assert.match(stdout, /^error +Settings +--tls-key|^error +Settings +--tls-cert: needs --tls-key/m);
  });
});
