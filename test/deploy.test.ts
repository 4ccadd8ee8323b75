import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";

import { newDirectory } from "./harness.ts";
import { spawnServer } from "./spawned-server.ts";

async function healthOf(port: string): Promise<unknown> {
  const child = spawn(process.execPath, ["deploy/health-check.js"], { env: { ZONEWARD_PORT: port } });
  const [code] = await once(child, "exit");
  return code;
}

describe("deploy/health-check.js", () => {
  for (const flags of [[], ["--tls=self-signed"]]) {
    test(`tells a server that runs from one that does not (${flags.join() || "plain HTTP"})`, async (t) => {
      const server = await spawnServer(t, [`--data=${newDirectory(t)}`, ...flags]);
      const { port } = new URL(server.baseUrl);
      assert.equal(await healthOf(port), 0);
      await server.end("SIGTERM");
      assert.equal(await healthOf(port), 1);
    });
  }
});

test("what the image is built from is enough to build the dashboard", async (t) => {
  const context = newDirectory(t);
  const allowed = readFileSync("deploy/Dockerfile.dockerignore", "utf8").matchAll(/^!(.+)$/gm);
  for (const [, path = ""] of allowed) {
    const filter = (source: string): boolean => !/node_modules|dashboard\/dist/.test(source);
    cpSync(path, join(context, path), { recursive: true, filter });
  }
  symlinkSync(resolve("node_modules"), join(context, "node_modules"));
  const build = spawn(process.execPath, ["dashboard/build.js"], { cwd: context });
  const [code] = await once(build, "exit");
  assert.equal(code, 0);
  assert.ok(existsSync(join(context, "dashboard/dist/index.html")));
});

test("what the image and the unit start is there", () => {
  const image = readFileSync("deploy/Dockerfile", "utf8");
  const copied = [...image.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, sources = ""]) =>
    sources.split(" "),
  );
  const paths = copied
    .map((path) => path.replace("/zoneward/", ""))
    .filter((path) => path !== "dashboard/dist");
  assert.ok(paths.length > 3);
  for (const path of paths) assert.ok(existsSync(path), path);
});

test("the flags of V8 are the same wherever the server is started", () => {
  const flagsIn = (file: string): string[] =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.includes("--max-semi-space-size"))
      .map((line) => (line.match(/--[\w-]+(=\d+)?/g) ?? []).join(" "));
  const flags =
    "--min-semi-space-size=8 --max-semi-space-size=8 --no-separate-gc-phases --heap-growing-percent=20 --no-maglev";
  assert.deepEqual(flagsIn("package.json"), [flags, flags]);
  for (const file of ["src/main.js", "deploy/Dockerfile", "deploy/zoneward.service"]) {
    assert.deepEqual(flagsIn(file), [flags], file);
  }
});
