import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { pino } from "pino";

import { newDirectory, newSecretKeyFile, until } from "../../../test/support/harness.ts";
import { createSecretBox } from "../../secrets/secret-box.ts";
import { EdgeSnapshot } from "./edge-snapshot.ts";

function setUp(t: TestContext) {
  const directory = newDirectory(t);
  const file = join(directory, "edge.snapshot");
  const keyFile = newSecretKeyFile(newDirectory(t));
  const logged: string[] = [];
  const logger = pino({}, { write: (line: string) => void logged.push(line) });
  const openSnapshot = (): EdgeSnapshot =>
    new EdgeSnapshot(file, createSecretBox({ kind: "file", file: keyFile }), logger);
  const entries = async (): Promise<Record<string, unknown>> => {
    const kept = (await openSnapshot().read()) ?? assert.fail();
    return Object.fromEntries(
      [...kept.keys].filter((key) => key !== "confirmed").map((key) => [key, kept.open(key)]),
    );
  };
  return { directory, file, keyFile, logged, openSnapshot, entries };
}

test("entries that could not be written wait until they can, and replace what was there only then", async (t) => {
  const { file, logged, openSnapshot, entries } = setUp(t);
  mkdirSync(file);
  const snapshot = openSnapshot();
  for (let n = 0; n < 100; n += 1) snapshot.put("zone/a", n);
  snapshot.put("zone/b", "b");
  snapshot.remove("zone/c");
  snapshot.confirm(new Date("2026-01-01T00:00:00Z"));
  await until("the failure is logged", () => logged.length > 0);
  snapshot.put("zone/d", "d");
  rmdirSync(file);
  await snapshot.close();
  assert.deepEqual(await entries(), { "zone/a": 99, "zone/b": "b", "zone/d": "d" });
  assert.equal(logged.length, 1);
});

test("a snapshot is as old as the last time that it was said to equal the store, whatever was put since", async (t) => {
  const { file, openSnapshot } = setUp(t);
  const confirmed = new Date("2026-01-01T00:00:00Z");
  const snapshot = openSnapshot();
  snapshot.confirm(confirmed);
  snapshot.put("zone/a", 1);
  await snapshot.close();
  assert.deepEqual((await openSnapshot().read())?.asOf, confirmed);
  // As an earlier version wrote it.
  const modified = new Date("2025-06-01T00:00:00Z");
  writeFileSync(file, readFileSync(file, "utf8").replace(/^confirmed .*\n/m, ""));
  utimesSync(file, modified, modified);
  assert.deepEqual((await openSnapshot().read())?.asOf, modified);
});

test("a line that is cut short or foreign is left out, and what is put after it is whole", async (t) => {
  const { file, openSnapshot, entries } = setUp(t);
  const first = openSnapshot();
  first.put("zone/a", 1);
  await first.close();
  chmodSync(file, 0o644);
  appendFileSync(file, `\0\xff\nzone/x y z;\nzone/a v1.cut.sho`);
  assert.deepEqual(await entries(), { "zone/a": 1 });
  const second = openSnapshot();
  second.put("zone/b", 2);
  await second.close();
  assert.deepEqual(await entries(), { "zone/a": 1, "zone/b": 2 });
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("no line opens under the key of another", async (t) => {
  const { file, openSnapshot } = setUp(t);
  const snapshot = openSnapshot();
  snapshot.put("zone/a", 1);
  snapshot.put("zone/b", 2);
  await snapshot.close();
  const swapped = readFileSync(file, "utf8").replaceAll(/^zone\/[ab]/gm, (key) =>
    key === "zone/a" ? "zone/b" : "zone/a",
  );
  writeFileSync(file, swapped);
  const kept = (await openSnapshot().read()) ?? assert.fail();
  for (const key of ["zone/a", "zone/b"])
    assert.throws(() => kept.open(key), /moved from where it was stored/);
});

test("a file that was deleted is written again as it was, and one that another edge has replaced goes on", async (t) => {
  const { file, openSnapshot, entries } = setUp(t);
  const [first, second] = [openSnapshot(), openSnapshot()];
  first.put("zone/a", 1);
  second.put("zone/b", 2);
  const has = (...keys: readonly string[]): boolean =>
    existsSync(file) && keys.every((key) => readFileSync(file, "utf8").includes(`${key} `));
  await until("both have written", () => has("zone/a", "zone/b"));
  rmSync(file);
  first.put("zone/c", 3);
  await until("the file is there again", () => has("zone/a", "zone/b", "zone/c"));
  second.put("zone/d", 4);
  await Promise.all([first.close(), second.close()]);
  assert.deepEqual(await entries(), { "zone/a": 1, "zone/b": 2, "zone/c": 3, "zone/d": 4 });
});

test("written anew, a file has the last line of what may stay, and nothing lies beside it", async (t) => {
  const { directory, file, openSnapshot, entries } = setUp(t);
  const before = openSnapshot();
  for (const key of ["zone/a", "zone/b", "zone/c"]) before.put(key, `before ${key}`);
  await before.close();
  const leftOver = `${file}.0123.new`;
  writeFileSync(leftOver, "");
  utimesSync(leftOver, new Date(0), new Date(0));
  const snapshot = openSnapshot();
  snapshot.put("zone/a", "after");
  snapshot.tidy((key) => key !== "zone/b");
  await snapshot.close();
  assert.deepEqual(await entries(), { "zone/a": "after", "zone/c": "before zone/c" });
  assert.equal(readFileSync(file, "utf8").match(/^\S/gm)?.length, 2);
  assert.deepEqual(readdirSync(directory), ["edge.snapshot"]);
});

test("a changed secret key encrypts all entries again, those that were put before too", async (t) => {
  const { keyFile, openSnapshot, entries } = setUp(t);
  const snapshot = openSnapshot();
  snapshot.put("zone/a", 1);
  await until("the entry is there", async () => (await openSnapshot().read())?.keys.size === 1);
  const [before, after] = [
    readFileSync(keyFile, "utf8"),
    readFileSync(newSecretKeyFile(newDirectory(t)), "utf8"),
  ];
  writeFileSync(keyFile, `${after}\n${before}`);
  snapshot.confirm(new Date());
  await snapshot.close();
  writeFileSync(keyFile, after);
  assert.deepEqual(await entries(), { "zone/a": 1 });
});
