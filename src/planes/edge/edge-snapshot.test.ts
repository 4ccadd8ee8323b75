import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";

import { newDirectory, newSecretKeyFile } from "../../../test/support/harness.ts";
import { createSecretBox } from "../../secrets/secret-box.ts";
import { EdgeSnapshot } from "./edge-snapshot.ts";

const zone = { id: "a".repeat(32), name: "one.example", accountId: "b".repeat(32) };
const other = { ...zone, id: "c".repeat(32), name: "two.example" };

function setUp(t: TestContext) {
  const directory = newDirectory(t);
  const file = join(directory, "edge.snapshot");
  const keyFile = newSecretKeyFile(newDirectory(t));
  const logged: string[] = [];
  const logger = { error: (_fields: object, message: string) => void logged.push(message) };
  const open = (): EdgeSnapshot => {
    const snapshot = new EdgeSnapshot(
      file,
      createSecretBox({ kind: "file", file: keyFile }),
      logger as never,
    );
    t.after(() => snapshot.close());
    return snapshot;
  };
  return { directory, file, keyFile, logged, open };
}

test("what is put is found again by another process, and nothing of it is legible in the file", async (t) => {
  const { directory, open } = setUp(t);
  const snapshot = open();
  await snapshot.put("zone", zone.id, "1", { secret: "legible" }, zone);
  await snapshot.put("zone", zone.id, "2", { secret: "legible again" }, zone);
  await snapshot.putNames(zone.id, 0, 7, [["www.one.example", []]]);
  await snapshot.confirm(new Date("2026-01-01T00:00:00Z"));
  const files = readdirSync(directory).map((name) => join(directory, name));
  for (const file of files) {
    assert.doesNotMatch(readFileSync(file, "latin1"), /example|legible/, file);
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
  }
  snapshot.close();
  assert.deepEqual(readdirSync(directory), ["edge.snapshot"]);
  const again = open();
  assert.deepEqual(again.zones(), [zone]);
  assert.deepEqual(again.find("zone", zone.id), { version: "2", value: { secret: "legible again" } });
  assert.deepEqual([...again.names(zone.id)], [{ number: 0, version: 7, value: [["www.one.example", []]] }]);
  assert.deepEqual(again.asOf, new Date("2026-01-01T00:00:00Z"));
  again.remove("zone", zone.id);
  assert.deepEqual(
    [again.zones(), again.find("zone", zone.id), [...again.names(zone.id)]],
    [[], undefined, []],
  );
});

test("all names of a zone take the place of those before in one step", async (t) => {
  const { open } = setUp(t);
  const snapshot = open();
  for (const number of [0, 1, 2]) await snapshot.putNames(zone.id, number, number, [`before ${number}`]);
  await snapshot.putNames(other.id, 0, 1, ["of another"]);
  await snapshot.putNames(zone.id, 3, -1, ["whole"]);
  assert.equal([...snapshot.names(zone.id)].length, 4);
  await snapshot.putNames(zone.id, 4, 9, [], 3);
  assert.deepEqual(
    Array.from(snapshot.names(zone.id), ({ version, value }) => [version, value]),
    [
      [-1, ["whole"]],
      [9, []],
    ],
  );
  assert.deepEqual(snapshot.lastNames(zone.id), { number: 4, version: 9 });
  assert.deepEqual(snapshot.lastNames(other.id), { number: 0, version: 1 });
});

test("no document opens in the place of another", async (t) => {
  const { file, open } = setUp(t);
  const snapshot = open();
  await snapshot.put("zone", zone.id, "1", 1, zone);
  await snapshot.put("account", zone.accountId, "1", 2);
  snapshot.close();
  const database = new DatabaseSync(file);
  database.exec("update documents set sealed = (select sealed from documents where kind = 'account')");
  database.close();
  assert.throws(() => open().find("zone", zone.id), /moved from where it was stored/);
});

for (const content of ["zone/a v1.a.line.of.text;\n", "SQLite format 3\0 and no more"]) {
  test(`a file that begins with ${JSON.stringify(content.slice(0, 6))} and is no snapshot is begun anew`, async (t) => {
    const { file, logged, open } = setUp(t);
    writeFileSync(file, content.padEnd(8_192, "x"));
    const snapshot = open();
    assert.deepEqual(snapshot.zones(), []);
    await snapshot.put("zone", zone.id, "1", 1, zone);
    assert.deepEqual(snapshot.zones(), [zone]);
    assert.equal(logged.length, 1);
  });
}

test("a file that was deleted is known to be gone, and is written anew", async (t) => {
  const { file, open } = setUp(t);
  const snapshot = open();
  await snapshot.put("zone", zone.id, "1", 1, zone);
  assert.equal(snapshot.isThere(), true);
  rmSync(file);
  assert.equal(snapshot.isThere(), false);
  snapshot.close();
  assert.deepEqual(snapshot.zones(), []);
  await snapshot.put("zone", other.id, "1", 1, other);
  assert.deepEqual([snapshot.zones(), snapshot.isThere()], [[other], true]);
});

test("a changed secret key encrypts everything again, in portions too", async (t) => {
  const { keyFile, open } = setUp(t);
  const snapshot = open();
  for (let n = 0; n < 600; n += 1) {
    const id = n.toString(16).padStart(32, "0");
    await snapshot.put("zone", id, "1", n, { ...zone, id });
    await snapshot.putNames(id, 0, 1, n);
  }
  await snapshot.confirm(new Date(0));
  const before = readFileSync(keyFile, "utf8");
  const after = readFileSync(newSecretKeyFile(newDirectory(t)), "utf8");
  writeFileSync(keyFile, `${after}\n${before}`);
  await snapshot.confirm(new Date(0));
  writeFileSync(keyFile, after);
  const zones = snapshot.zones();
  assert.equal(zones.length, 600);
  for (const [n, { id }] of zones.entries()) {
    assert.equal(snapshot.find("zone", id)?.value, n);
    assert.deepEqual(
      Array.from(snapshot.names(id), ({ value }) => value),
      [n],
    );
  }
});
