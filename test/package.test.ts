import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { newDirectory, sendRequest, type RequestOptions } from "./support/harness.ts";
import { ownerFlags, spawnServer } from "./support/spawned-server.ts";
import { importFile } from "./support/zone-file-form.ts";

const run = promisify(execFile);
const root = resolve(".");

test("the package that npm packs holds no source and no test, and serves where it is unpacked", async (t) => {
  const directory = newDirectory(t);
  const repository = join(directory, "repository");
  const untracked = new Set([
    "node_modules",
    "dist",
    "dashboard/node_modules",
    "dashboard/dist",
    ".git",
    "data",
  ]);
  cpSync(root, repository, {
    recursive: true,
    filter: (source) => !untracked.has(source.slice(root.length + 1)),
  });
  const modules = join(root, "node_modules");
  symlinkSync(modules, join(repository, "node_modules"));
  const pack = ["pack", "--json", "--silent", "--offline", "--pack-destination", directory];
  const { stdout } = await run("npm", pack, { cwd: repository });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const places = new Set(files.map(({ path }) => path.replace(/^(bin\/|(?:dashboard\/)?dist\/).*/, "$1")));
  const expected = ["LICENSE", "README.md", "bin/", "dashboard/dist/", "dist/", "package.json"];
  assert.deepEqual([...places].toSorted(), expected);
  assert.ok(files.some(({ path }) => path === "dist/zoneward.1"));
  assert.deepEqual(
    files.map(({ path }) => path).filter((path) => /\.ts$|\.test\./.test(path)),
    ["dist/testing.d.ts"],
  );

  await run("tar", ["-xzf", join(directory, filename), "-C", directory]);
  symlinkSync(modules, join(directory, "package/node_modules"));
  const server = await spawnServer(t, ["--ephemeral", ...ownerFlags], {
    program: join(directory, "package/bin/zoneward.js"),
    cwd: directory,
  });
  for (const path of ["/client/v4/ips", "/openapi.json", "/"]) {
    const answer = await fetch(new URL(path, server.baseUrl));
    assert.equal(answer.status, 200, path);
  }
  // Large bodies are read by a worker, which is a program of its own.
  const zone = await sendRequest(server.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
  const app = {
    request: (method: string, path: string, options: RequestOptions = {}) =>
      sendRequest(server.baseUrl, method, path, options),
  };
  const lines = Array.from({ length: 1_000 }, (_, n) => `host-${n} 300 A 192.0.2.1`);
  const imported = await importFile(app, zone.body.result.id, lines.join("\n"));
  assert.equal(imported.body.result?.recs_added, lines.length, imported.text);
});
