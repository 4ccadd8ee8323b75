import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";

import { openDatabase } from "../../src/storage/open-database.ts";
import { bundledCopy, keepsRecords } from "../support/bundled-copy.ts";
import { postTo } from "../support/gateway-app.ts";
import { newLocation } from "../support/harness.ts";
import { newStore, runCommand, spawnServer } from "../support/spawned-server.ts";

const { program, page } = bundledCopy();

describe("a bundled server", () => {
  test("stores a zone and its records, and has them after a restart", (t) =>
    keepsRecords(t, "sqlite", program));

  test("makes an empty store as the sources make it, once if two begin at the same time", async (t) => {
    const [bundled, migrated] = [await newLocation(t, "sqlite"), await newLocation(t, "sqlite")];
    assert.ok(bundled.engine === "sqlite" && migrated.engine === "sqlite");
    const flags = [`--data=${dirname(bundled.file)}`];
    // One creates it, and the other finds it.
    const servers = await Promise.all([1, 2].map(() => spawnServer(t, flags, { program })));
    for (const server of servers) await server.end("SIGTERM");
    const db = await openDatabase(migrated);
    await db.migrate();
    await db.close();
    const parts = partsOf(migrated.file);
    assert.ok(parts.some(({ name }) => name === "dns_records"));
    assert.deepEqual(partsOf(bundled.file), parts);
  });

  test("keeps compiled code in a directory of its user alone, and none that others can write to", async (t) => {
    const location = await newLocation(t, "sqlite");
    assert.ok(location.engine === "sqlite");
    const home = dirname(location.file);
    const runIn = (caches: string) =>
      runCommand(["--version"], {
        program,
        env: { NODE_COMPILE_CACHE: "", TMPDIR: home, HOME: home, XDG_CACHE_HOME: caches },
      });
    const own = join(home, "caches");
    assert.equal((await runIn(own)).code, 0);
    assert.equal(statSync(join(own, "zoneward")).mode & 0o777, 0o700);
    assert.equal(readdirSync(join(own, "zoneward")).length, 1);
    const shared = join(home, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    const before = readdirSync(home);
    assert.equal((await runIn(shared)).code, 0);
    assert.deepEqual([readdirSync(shared), readdirSync(home)], [[], before]);
  });

  test("serves the dashboard, the reference and what both need", async (t) => {
    const { baseUrl } = await spawnServer(t, ["--ephemeral"], { program });
    const dashboard = await fetch(new URL("/", baseUrl));
    assert.equal(await dashboard.text(), page);
    for (const path of ["/openapi.json", "/docs", "/docs/swagger-ui.css", "/metrics"]) {
      const answer = await fetch(new URL(path, baseUrl));
      assert.equal(answer.status, 200, path);
    }
  });

  test("answers calls of the gateway from its development chain", async (t) => {
    const { baseUrl } = await spawnServer(t, ["--ephemeral"], { program });
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
    const { body } = await postTo(new URL("/gateway/v1/sepolia", baseUrl).href, call);
    assert.equal(body.result, "0xaa36a7");
    const block = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "eth_blockNumber", params: [] });
    assert.match((await postTo(new URL("/gateway/v1/sepolia", baseUrl).href, block)).body.result, /^0x/);
  });

  test("speaks HTTPS with a certificate of its own CA", async (t) => {
    const { baseUrl } = await spawnServer(t, ["--ephemeral", "--tls=self-signed"], { program });
    assert.match(baseUrl, /^https:/);
  });

  test("says what a seed has wrong, by its place in the file", async (t) => {
    const store = await newStore(t, "sqlite");
    const { code, stderr } = await runCommand(["serve", ...store.flags, "--seed=package.json"], { program });
    assert.equal(code, 1);
    assert.match(stderr, /unknown key `scripts`/);
  });
});

describe("a bundled command line", () => {
  test("tells its version", async () => {
    const { code, stdout } = await runCommand(["--version"], { program });
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  test("checks filter expressions, with the regular expressions of WebAssembly", async () => {
    const check = ["expression", "check"];
    const right = await runCommand([...check, 'http.host matches "^a+$"'], { program });
    assert.equal(right.code, 0, right.stderr);
    const wrong = await runCommand([...check, 'http.host matches "("'], { program });
    assert.notEqual(wrong.code, 0);
    assert.match(wrong.stdout + wrong.stderr, /regular expression|unclosed|parse error/i);
  });
});

function partsOf(file: string) {
  using store = new DatabaseSync(file, { readOnly: true });
  return store.prepare("select type, name, tbl_name, sql from sqlite_schema order by type, name").all();
}
