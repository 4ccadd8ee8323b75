import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";

import { bundleServer } from "../../tools/build/bundle-server.ts";
import { asOlderNode, bundledCopy } from "../support/bundled-copy.ts";
import { newDirectory } from "../support/harness.ts";
import { runCommand } from "../support/spawned-server.ts";

const run = promisify(execFile);
const { directory } = bundledCopy();

/** Packages that a server does without until somebody asks for them. */
const lazyPackages = ["@peculiar/x509", "acme-client", "graphql", "pg", "reflect-metadata", "undici", "yaml"];

describe("the bundle", () => {
  test("loads at the start a few files, and no library that is needed later, or never", () => {
    const start = new Set<string>();
    const follow = (file: string): void => {
      if (start.has(file)) return;
      start.add(file);
      for (const [, imported = ""] of contentOf(file).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
        follow(imported);
    };
    // A hash of eight characters: the name server's `serve-dns` is loaded where it is asked for.
    const [serve = ""] = globSync("serve-????????.js", { cwd: join(directory, "dist") });
    follow(serve);
    assert.ok(start.size < 20, `${start.size} files`);
    const packages = new Set([...start].flatMap(packagesIn));
    assert.ok(packages.has("pino"), "the scan sees nothing");
    assert.deepEqual(
      lazyPackages.filter((name) => packages.has(name)),
      [],
    );
    const all = new Set(globSync("*.js", { cwd: join(directory, "dist") }).flatMap(packagesIn));
    assert.deepEqual(
      lazyPackages.filter((name) => !all.has(name)),
      [],
    );
  });

  test("imports no module of Node.js but for the bundler, as an import of node:http loads its fetch", () => {
    const ofBundler = 'import{createRequire as e}from"node:module"';
    for (const file of globSync("dist/*.js", { cwd: directory })) {
      const text = readFileSync(join(directory, file), "utf8").replace(ofBundler, "");
      assert.ok(!/\b(?:from|import)\s*["']node:/.test(text), file);
    }
  });

  test("holds an entry for every worker thread", () => {
    for (const worker of globSync("src/**/*.worker.ts"))
      assert.ok(existsSync(join(directory, "dist", basename(worker).replace(/\.ts$/, ".js"))), worker);
  });

  test("comes with source maps that name the sources, and with the licences of what it contains", () => {
    const sources = globSync("*.js.map", { cwd: join(directory, "dist") }).flatMap(sourcesIn);
    assert.ok(sources.some((source) => source.endsWith("/src/server/app.ts")));
    const licences = readFileSync(join(directory, "dist/third-party-licenses.txt"), "utf8");
    for (const name of ["kysely", "pg", "pino", "undici"])
      assert.match(licences, new RegExp(`^${name} \\d`, "m"));
  });

  test("starts a worker thread by the URL of its source, as the sources do", async (t) => {
    const sources = newDirectory(t);
    const files = {
      "package.json": JSON.stringify({ type: "module" }),
      "src/main.ts": 'const { start } = await import("./deep/start.ts"); await start();',
      "src/deep/start.ts": `import { Worker } from "node:worker_threads";
export async function start(): Promise<void> {
  const worker = new Worker(new URL("./double.worker.ts", import.meta.url), { workerData: 21 });
  worker.on("message", (answer: number) => console.log(answer));
}`,
      "src/deep/double.worker.ts": `import { parentPort, workerData } from "node:worker_threads";
import { double } from "./double.ts";
parentPort?.postMessage(double(workerData as number));`,
      "src/deep/double.ts": "export const double = (n: number): number => 2 * n;",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(sources, path)), { recursive: true });
      writeFileSync(join(sources, path), text);
    }
    await bundleServer(sources, join(sources, "dist"));
    for (const program of ["src/main.ts", "dist/main.js"]) {
      const { stdout } = await run(process.execPath, [program], { cwd: sources });
      assert.equal(stdout, "42\n", program);
    }
  });

  test("is refused where two worker threads would be one file", async (t) => {
    const sources = newDirectory(t);
    for (const folder of ["src/a", "src/b"]) {
      mkdirSync(join(sources, folder), { recursive: true });
      writeFileSync(join(sources, folder, "same.worker.ts"), "");
    }
    await assert.rejects(
      bundleServer(sources, join(sources, "dist")),
      /two worker threads.+same\.worker\.ts/,
    );
    assert.equal(existsSync(join(sources, "dist")), false);
  });
});

describe("what starts the bundle", () => {
  test("says which Node.js it needs when an older one runs it", async () => {
    const program = join(directory, "bin/zoneward.js");
    const { code, stdout, stderr } = await runCommand(["--version"], {
      program,
      nodeFlags: [asOlderNode],
    });
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, /^zoneward: needs Node\.js 24\.15 or newer, and this is v\S+\n$/);
  });

  test("consists of JavaScript that takes nothing from Node.js by name that older ones lack", () => {
    for (const file of globSync("bin/*.js")) {
      const imports = readFileSync(file, "utf8").match(/^import .+$/gm) ?? [];
      for (const line of imports)
        assert.match(line, /existsSync|^import module |(?:import|from) "\.\//, `${file}: ${line}`);
    }
  });

  test("says what to do when there is no bundle", async (t) => {
    const bare = newDirectory(t);
    cpSync("bin", join(bare, "bin"), { recursive: true });
    cpSync("package.json", join(bare, "package.json"));
    const { code, stderr } = await runCommand(["serve"], { program: join(bare, "bin/zoneward.js") });
    assert.equal(code, 1);
    assert.match(stderr, /^zoneward: is not built: run `npm ci`.+\n$/);
  });

  test("is built by `prepare`, which ends well where development dependencies were left out", async (t) => {
    const bare = newDirectory(t);
    for (const path of ["bin", "package.json", "tools/build"])
      cpSync(path, join(bare, path), { recursive: true });
    const { stdout, stderr } = await run(process.execPath, ["tools/build/main.js"], { cwd: bare });
    assert.match(stdout, /^Zoneward is not built: .+development dependencies.+\n$/);
    assert.equal(stderr, "");
    assert.equal(existsSync(join(bare, "dist")), false);
  });
});

function contentOf(file: string): string {
  return readFileSync(join(directory, "dist", file), "utf8");
}

function sourcesIn(map: string): string[] {
  return (JSON.parse(contentOf(map)) as { sources: string[] }).sources;
}

/** The packages of `node_modules` that a file of the bundle is made of. */
function packagesIn(file: string): string[] {
  const map = `${file}.map`;
  if (!existsSync(join(directory, "dist", map))) return [];
  return sourcesIn(map).flatMap((source) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
}
