import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";

import { parse } from "yaml";

import { readConfig } from "../src/config/config.ts";
import { postTo } from "./support/gateway-app.ts";
import { newDirectory } from "./support/harness.ts";
import { runCommand, spawnServer } from "./support/spawned-server.ts";

const run = promisify(execFile);

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

describe("deploy/Dockerfile", () => {
  test("makes an image that serves, with all that is not part of the bundle", async (t) => {
    const context = newDirectory(t);
    const allowed = readFileSync("deploy/Dockerfile.dockerignore", "utf8").matchAll(/^!(.+)$/gm);
    const filter = (source: string): boolean => !/node_modules|dashboard\/dist|\.test\.ts$/.test(source);
    for (const [, path = ""] of allowed) cpSync(path, join(context, path), { recursive: true, filter });
    symlinkSync(resolve("node_modules"), join(context, "node_modules"));
    await run(process.execPath, ["tools/build/main.js"], { cwd: context });

    const image = newDirectory(t);
    const dockerfile = readFileSync("deploy/Dockerfile", "utf8");
    const copies = [...dockerfile.matchAll(/^COPY --from=build (.+) \/(\S+)$/gm)];
    assert.ok(copies.length > 3);
    for (const [, sources = "", target = ""] of copies)
      for (const source of sources.split(" ")) {
        const path = source.replace(/^\/zoneward\//, "");
        const place = target.endsWith("/") ? join(target, basename(path)) : target;
        cpSync(join(context, path), join(image, place), { recursive: true, dereference: true });
      }

    const [, program = ""] = /^ENTRYPOINT \["node", .*"\/(\S+)"\]$/m.exec(dockerfile) ?? [];
    const options = { program: join(image, program), cwd: image };
    const { baseUrl } = await spawnServer(t, ["--ephemeral"], options);
    for (const path of ["/", "/openapi.json", "/docs/swagger-ui.css"]) {
      const answer = await fetch(new URL(path, baseUrl));
      assert.equal(answer.status, 200, path);
    }
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] });
    const { body } = await postTo(new URL("/gateway/v1/sepolia", baseUrl).href, call);
    assert.match(String(body.result), /^0x/);
    const check = ["expression", "check", 'http.host matches "^a+$"'];
    assert.equal((await runCommand(check, options)).code, 0);
  });
});

test("the image serves as the recipes for tests set it: in memory, and over plain HTTP", async () => {
  const [, defaults = ""] = /^ENV (.+)$/m.exec(readFileSync("deploy/Dockerfile", "utf8")) ?? [];
  const image = Object.fromEntries(defaults.split(" ").map((pair) => pair.split("=") as [string, string]));
  const page = readFileSync("docs/testing/other-languages.md", "utf8");
  const recipes = [...page.matchAll(/^```yaml\n(.+?)^```$/gms)].map(([, recipe = ""]) => parse(recipe));
  const environments = recipes.flatMap(
    ({ test: job, services }) => job?.variables ?? services?.zoneward.environment ?? [],
  );
  assert.equal(environments.length, 2);
  for (const environment of environments) {
    const { config } = await readConfig([], { ...image, ...environment });
    assert.deepEqual([config.ephemeral, config.tls, config.host], [true, "off", "0.0.0.0"]);
  }
});

test("the balancer and the name server of deploy/compose.yaml know the addresses of its services", () => {
  const { services, configs } = parse(readFileSync("deploy/compose.yaml", "utf8"), { merge: true });
  const addressOf = (name: string): string => services[name].networks.inside.ipv4_address;
  const http = readFileSync("deploy/nginx/http.conf", "utf8");
  const stream = readFileSync("deploy/nginx/nginx.conf", "utf8");
  for (const name of ["control-1", "control-2"]) {
    assert.ok(http.includes(`server ${addressOf(name)}:8787 `), name);
    assert.ok(configs.knot.content.includes(addressOf(name)), name);
    assert.equal(services[name].environment.ZONEWARD_TRUSTED_PROXIES, addressOf("balancer"));
  }
  for (const name of ["edge-1", "edge-2"]) {
    assert.deepEqual(services[name].command, ["edge"]);
    assert.ok(http.includes(`server ${addressOf(name)}:8080 `), name);
    assert.ok(stream.includes(`server ${addressOf(name)}:8443 `), name);
    assert.ok(services[name].environment.ZONEWARD_DATABASE.includes(`@${addressOf("database")}/`));
  }
});

test("what the unit starts is there", () => {
  const unit = readFileSync("deploy/zoneward.service", "utf8");
  const started = unit.matchAll(/\/opt\/zoneward\/(\S+)/g);
  const paths = [...started].map(([, path = ""]) => path);
  assert.ok(paths.length > 1);
  for (const path of paths) assert.ok(existsSync(path), path);
});

test("the server has the same flags of Node.js wherever it is started", () => {
  const started = ["package.json", "bin/zoneward.js", "deploy/Dockerfile", "deploy/zoneward.service"].flatMap(
    (file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => /\bnode\b.*--max-semi-space-size/.test(line))
        .map((line) => `${file}: ${(line.match(/--[\w-]+(=\d+)?/g) ?? []).join(" ")}`),
  );
  assert.deepEqual(started, [
    "package.json: --min-semi-space-size=4 --max-semi-space-size=8",
    "package.json: --min-semi-space-size=4 --max-semi-space-size=8",
    "bin/zoneward.js: --min-semi-space-size=4 --max-semi-space-size=8",
    "deploy/Dockerfile: --min-semi-space-size=4 --max-semi-space-size=8",
    "deploy/zoneward.service: --min-semi-space-size=4 --max-semi-space-size=8",
  ]);
});
