import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { privateCacheDirectory } from "./compile-cache.ts";
import { complaintOf } from "./ownership.ts";

function directoryOf(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "zoneward-files-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The directory that is chosen where the caches of the user lie in `base`. */
function cacheIn(t: TestContext, base: string): string | undefined {
  const before = process.env["XDG_CACHE_HOME"];
  process.env["XDG_CACHE_HOME"] = base;
  t.after(() => {
    if (before === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = before;
  });
  return privateCacheDirectory();
}

test("a directory for caches is made for its user alone, and found again", (t) => {
  const base = join(directoryOf(t), "new");
  const directory = join(base, "zoneward");
  assert.equal(cacheIn(t, base), directory);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  assert.equal(cacheIn(t, base), directory);
});

test("none is taken, nor made, where anybody else may write to it, to one above, or has put a link", (t) => {
  const open = directoryOf(t);
  mkdirSync(join(open, "zoneward"), { mode: 0o700 });
  chmodSync(join(open, "zoneward"), 0o750);
  const linked = directoryOf(t);
  mkdirSync(join(linked, "other"), { mode: 0o700 });
  symlinkSync("other", join(linked, "zoneward"));
  const above = directoryOf(t);
  mkdirSync(join(above, "caches"), { mode: 0o700 });
  chmodSync(above, 0o777);
  for (const base of [open, linked, join(above, "caches"), above, "/dev/null"]) {
    assert.equal(cacheIn(t, base), undefined, base);
  }
  assert.equal(existsSync(join(above, "caches", "zoneward")), false);
});

test("none is taken of another user, nor made in its home", { skip: process.getuid?.() !== 0 }, async (t) => {
  const { chownSync } = await import("node:fs");
  const planted = directoryOf(t);
  mkdirSync(join(planted, "zoneward"), { mode: 0o700 });
  chownSync(join(planted, "zoneward"), 65_534, 65_534);
  const home = directoryOf(t);
  chownSync(home, 65_534, 65_534);
  for (const base of [planted, home, join(home, "caches")]) assert.equal(cacheIn(t, base), undefined, base);
  assert.equal(existsSync(join(home, "caches")), false);
  assert.match(complaintOf(home) ?? "", /belongs to another user/);
});

test("what anybody may write to is not trusted; what is missing is no complaint", (t) => {
  const directory = directoryOf(t);
  assert.equal(complaintOf(directory), undefined);
  assert.equal(complaintOf(join(directory, "missing")), undefined);
  chmodSync(directory, 0o702);
  assert.match(complaintOf(directory) ?? "", /anybody may write to/);
});

test("nor is a directory with anything in it that anybody may write to, unless nobody else comes there", (t) => {
  const directory = directoryOf(t);
  mkdirSync(join(directory, "tls"));
  writeFileSync(join(directory, "tls", "ca.pem"), "");
  symlinkSync("missing", join(directory, "left-over"));
  symlinkSync(".", join(directory, "self"));
  chmodSync(directory, 0o755);
  assert.equal(complaintOf(directory), undefined);
  chmodSync(join(directory, "tls", "ca.pem"), 0o666);
  assert.match(complaintOf(directory) ?? "", /anybody may write to .*ca\.pem$/);
  chmodSync(directory, 0o700);
  assert.equal(complaintOf(directory), undefined);
});

test("nor one with a file or a link of another user", { skip: process.getuid?.() !== 0 }, async (t) => {
  const { chownSync, lchownSync } = await import("node:fs");
  const directory = directoryOf(t);
  writeFileSync(join(directory, "store"), "");
  symlinkSync("store", join(directory, "link"));
  assert.equal(complaintOf(directory), undefined);
  lchownSync(join(directory, "link"), 65_534, 65_534);
  assert.match(complaintOf(directory) ?? "", /link belongs to another user/);
  rmSync(join(directory, "link"));
  chownSync(join(directory, "store"), 65_534, 65_534);
  assert.match(complaintOf(directory) ?? "", /store belongs to another user/);
});
