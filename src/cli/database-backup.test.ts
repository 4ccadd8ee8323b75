import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";

import {
  newDirectory,
  ownerKey,
  ownerToken,
  sendRequest,
  startTestApp,
  until,
} from "../../test/support/harness.ts";
import { ownerFlags, runCommand, spawnServer } from "../../test/support/spawned-server.ts";

describe("zoneward database backup and restore", () => {
  test("save a store that is being written, whole and without clear secrets, and bring it back", async (t) => {
    const data = newDirectory(t);
    const server = await spawnServer(t, [`--data=${data}`, ...ownerFlags]);
    const made = await sendRequest(server.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
    const records = `/zones/${made.body.result.id}/dns_records`;
    const acknowledged = new Set<string>();
    const stop = new AbortController();
    let sent = 0;
    const write = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const body = { type: "TXT", name: `t${(sent += 1)}`, content: '"text"', ttl: 1 };
        const answer = await sendRequest(server.baseUrl, "POST", records, { body });
        assert.equal(answer.status, 200, answer.text);
        acknowledged.add(answer.body.result.id as string);
      }
    };
    const writers = Array.from({ length: 8 }, write);
    await until("some records", () => acknowledged.size > 50);
    const before = new Set(acknowledged);
    const file = join(newDirectory(t), "backup.sqlite");
    const backedUp = await runCommand(["database", "backup", file, `--data=${data}`]);
    stop.abort();
    await Promise.all(writers);
    assert.deepEqual([backedUp.code, backedUp.stdout], [0, ""], backedUp.stderr);

    assert.equal(statSync(file).mode & 0o777, 0o600);
    const bytes = readFileSync(file, "latin1");
    for (const secret of [ownerKey, ownerToken, "PRIVATE KEY", readSecretKey(data)]) {
      assert.ok(!bytes.includes(secret), "a secret in clear");
    }
    const backup = new DatabaseSync(file, { readOnly: true });
    const kept = new Set(
      backup
        .prepare("select id from dns_records")
        .all()
        .map(({ id }) => id),
    );
    backup.close();
    for (const id of before) assert.ok(kept.has(id), id);

    const inUse = await runCommand(["database", "restore", file, "--replace", `--data=${data}`]);
    assert.equal(inUse.code, 1);
    assert.match(inUse.stderr, /is in use: stop the server first/);
    await server.end("SIGTERM");
    const unasked = await runCommand(["database", "restore", file, `--data=${data}`]);
    assert.equal(unasked.code, 1);
    assert.match(unasked.stderr, /there is already a store at .*: --replace/);

    const restored = await runCommand(["database", "restore", file, "--replace", `--data=${data}`]);
    assert.equal(restored.code, 0, restored.stderr);
    const keptAs = /The previous store is kept as (\S+)\.$/m.exec(restored.stderr)?.[1] ?? "";
    const earlier = new DatabaseSync(keptAs, { readOnly: true });
    assert.equal(
      earlier.prepare("select count(*) as count from dns_records").get()?.["count"],
      acknowledged.size,
    );
    earlier.close();
    const again = await spawnServer(t, [`--data=${data}`]);
    const { body } = await sendRequest(again.baseUrl, "GET", records);
    assert.equal(body.result_info?.total_count, kept.size);
    const checked = await runCommand(["database", "check", `--data=${data}`]);
    assert.equal(checked.code, 0, checked.stdout);
  });

  test("replace no file, and take no file that is not a sound store", async (t) => {
    const app = await startTestApp(t, "sqlite");
    await app.createZone("example.com");
    await app.close();
    const flag = `--data=${app.config.data}`;
    const directory = newDirectory(t);
    const [file, other] = [join(directory, "backup"), join(directory, "other")];
    assert.equal((await runCommand(["database", "backup", file, flag])).code, 0);
    const bytes = readFileSync(file);
    const again = await runCommand(["database", "backup", file, flag]);
    assert.deepEqual([again.code, /already exists/.test(again.stderr)], [1, true]);
    assert.deepEqual(readFileSync(file), bytes);

    const store = readFileSync(join(app.config.data, "zoneward.sqlite"));
    const foreign = new DatabaseSync(join(directory, "foreign"));
    foreign.exec("create table t (a)");
    foreign.close();
    const damaged = Buffer.from(bytes);
    damaged.fill(0xa5, 4096 * 3, 4096 * 12);
    for (const [name, content] of [
      ["truncated", bytes.subarray(0, 5_000)],
      ["damaged", damaged],
      ["text", Buffer.from("some other program's file".repeat(100))],
      ["foreign", readFileSync(join(directory, "foreign"))],
    ] as const) {
      writeFileSync(other, content);
      const { code, stderr } = await runCommand(["database", "restore", other, "--replace", flag]);
      assert.equal(code, 1, name);
      assert.match(
        stderr,
        /^zoneward: restoring .*(?:malformed|not a database|is damaged|not a Zoneward store|no such table)/,
        name,
      );
    }
    assert.deepEqual(readFileSync(join(app.config.data, "zoneward.sqlite")), store);
    assert.deepEqual(readdirSync(directory).toSorted(), ["backup", "foreign", "other"]);
    assert.equal((await runCommand(["database", "restore", join(directory, "nowhere"), flag])).code, 1);
    const nowhere = await runCommand(["database", "backup", join(directory, "nowhere", "backup"), flag]);
    assert.equal(nowhere.code, 1);
    assert.ok(nowhere.stderr.includes(`there is no directory ${join(directory, "nowhere")}`), nowhere.stderr);
  });

  test("restore what was lost, and keep the log that is left of it", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const zoneId = await app.createZone("example.com");
    await app.close();
    const store = join(app.config.data, "zoneward.sqlite");
    const flag = `--data=${app.config.data}`;
    const backup = join(newDirectory(t), "backup");
    assert.equal((await runCommand(["database", "backup", backup, flag])).code, 0);
    for (const isEmpty of [true, false]) {
      rmSync(store);
      if (isEmpty) writeFileSync(store, "");
      writeFileSync(`${store}-wal`, "what was not yet in the store");
      if (isEmpty) {
        for (const command of [["check"], ["backup", `${backup}-2`]]) {
          const refused = await runCommand(["database", ...command, flag]);
          assert.equal(refused.code, 1);
          assert.match(refused.stderr, /it is empty, but \S+-wal shows that there was a store/);
        }
      }
      const switches = isEmpty ? ["--replace"] : [];
      const restored = await runCommand(["database", "restore", backup, ...switches, flag]);
      assert.equal(restored.code, 0, restored.stderr);
      const keptAs = /The previous store is kept as (\S+)\.$/m.exec(restored.stderr)?.[1] ?? "";
      assert.equal(readFileSync(`${keptAs}-wal`, "utf8"), "what was not yet in the store");
      const server = await spawnServer(t, [flag, `--owner-token=${ownerToken}`]);
      const { body } = await sendRequest(server.baseUrl, "GET", `/zones/${zoneId}`);
      assert.equal(body.result.name, "example.com");
      await server.end("SIGTERM");
    }
  });

  test("restore on a machine that has no data directory yet", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const zoneId = await app.createZone("example.com");
    await app.close();
    const directory = newDirectory(t);
    const [file, data] = [join(directory, "backup"), join(directory, "new", "data")];
    assert.equal((await runCommand(["database", "backup", file, `--data=${app.config.data}`])).code, 0);
    const restored = await runCommand(["database", "restore", file, `--data=${data}`]);
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal(statSync(data).mode & 0o777, 0o700);
    const server = await spawnServer(t, [`--data=${data}`, `--owner-token=${ownerToken}`]);
    const { body } = await sendRequest(server.baseUrl, "GET", `/zones/${zoneId}`);
    assert.equal(body.result.name, "example.com");
  });

  test("leave PostgreSQL to its own programs", async () => {
    for (const command of ["backup", "restore"]) {
      const answer = await runCommand(["database", command, "file", "--database=postgres://a@b/c"]);
      assert.equal(answer.code, 2);
      assert.match(answer.stderr, /PostgreSQL's own pg_/);
      assert.equal(existsSync("file"), false);
    }
  });
});

function readSecretKey(data: string): string {
  const file = join(data, "secret.key");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "no key was made";
}
