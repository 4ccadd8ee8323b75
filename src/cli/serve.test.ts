import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";

import {
  byKey,
  byToken,
  newDirectory,
  ownerEmail,
  ownerKey,
  ownerToken,
  sendRequest,
} from "../../test/support/harness.ts";
import {
  ownerFlags,
  runCommand,
  spawnServer,
  type SpawnedServer,
} from "../../test/support/spawned-server.ts";

const run = promisify(execFile);

function shown(server: SpawnedServer, label: string): string {
  return new RegExp(`^ {2}${label} +(.*)$`, "m").exec(server.stdout())?.[1] ?? assert.fail(`no ${label}`);
}

/** The request that the banner tells to try, in the words that a shell makes of it. */
async function triedRequest(
  server: SpawnedServer,
): Promise<{ url: string; headers: Record<string, string> }> {
  const line = /^ {2}(curl .*)$/m.exec(server.stdout())?.[1] ?? "";
  const { stdout } = await run("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${line}`]);
  const words = stdout.trimEnd().split("\n");
  const headers = words.filter((_, index) => words[index - 1] === "-H").map((header) => header.split(": "));
  return { url: words.at(-1) ?? "", headers: Object.fromEntries(headers) as Record<string, string> };
}

async function statusOf(server: SpawnedServer, headers: Record<string, string>): Promise<number> {
  return (await sendRequest(server.baseUrl, "GET", "/user", { headers })).status;
}

function filesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("zoneward serve", { concurrency: 2 }, () => {
  test("shows at the first start who may call, with a first request that works, and never again", async (t) => {
    const data = join(newDirectory(t), "data");
    const email = "o'neill@example.com";
    const first = await spawnServer(t, [`--data=${data}`, `--owner-email=${email}`]);
    const key = shown(first, "Global API Key").split(" ")[0] ?? "";
    assert.match(key, /^[0-9a-f]{37}$/);
    assert.match(shown(first, "Account id"), /^[0-9a-f]{32}$/);
    assert.match(shown(first, "Base URL"), /^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
    assert.equal(shown(first, "Data"), data);
    assert.match(shown(first, "Dashboard"), /^http:\/\/127\.0\.0\.1:\d+\/$/);
    assert.match(shown(first, "First sign-in"), /^http:\/\/127\.0\.0\.1:\d+\/first-sign-in#[\w-]{43} /);

    const { url, headers } = await triedRequest(first);
    assert.deepEqual(headers, { "X-Auth-Email": email, "X-Auth-Key": key });
    const answer = await sendRequest(url, "GET", "", { headers });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.result, []);
    const accounts = await sendRequest(first.baseUrl, "GET", "/accounts", { headers });
    assert.equal(accounts.body.result[0].id, shown(first, "Account id"));
    await sendRequest(first.baseUrl, "POST", "/zones", { headers, body: { name: "example.com" } });
    assert.equal(await first.end("SIGTERM"), 0);

    const second = await spawnServer(t, [`--data=${data}`, "--test-controls"]);
    assert.match(shown(second, "Test controls"), /^http:\/\/127\.0\.0\.1:\d+\/test\/v1$/);
    assert.equal(shown(second, "Global API Key"), "as shown at the first start");
    assert.equal(shown(second, "Account id"), shown(first, "Account id"));
    const open = await triedRequest(second);
    assert.equal((await sendRequest(open.url, "GET", "", { headers: open.headers })).status, 200);
    const zones = await sendRequest(second.baseUrl, "GET", "/zones", { headers });
    assert.equal(zones.body.result[0].name, "example.com");

    for (const text of [first.stderr(), second.stdout(), second.stderr()]) assert.ok(!text.includes(key));
    for (const file of filesUnder(data)) assert.ok(!readFileSync(file).includes(key), file);
  });

  test("takes e-mail, key and token that are preset, and writes no secret in clear", async (t) => {
    const data = newDirectory(t);
    const server = await spawnServer(t, [`--data=${data}`, ...ownerFlags]);
    assert.equal(shown(server, "Owner"), ownerEmail);
    assert.equal(shown(server, "Global API Key"), "as preset by owner_key");
    assert.equal(await statusOf(server, byKey), 200);
    assert.equal(await statusOf(server, byToken), 200);
    assert.equal(await statusOf(server, { ...byKey, "x-auth-key": ownerKey.replace("0", "f") }), 403);
    assert.equal(await statusOf(server, { ...byKey, "x-auth-email": "other@example.com" }), 403);

    const files = filesUnder(data).map((file) => readFileSync(file, "latin1"));
    assert.ok(files.length > 0);
    for (const text of [server.stdout(), server.stderr(), ...files]) {
      assert.ok(!text.includes(ownerKey) && !text.includes(ownerToken));
    }
    assert.equal(await server.end("SIGTERM"), 0);

    // A later start presets new values, but the owner stays the same.
    const newKey = "f".repeat(37);
    const newToken = "another-token-".repeat(4);
    const later = await spawnServer(t, [
      `--data=${data}`,
      "--owner-email=other@example.com",
      `--owner-key=${newKey}`,
      `--owner-token=${newToken}`,
    ]);
    assert.equal(shown(later, "Owner"), ownerEmail);
    assert.equal(await statusOf(later, { ...byKey, "x-auth-key": newKey }), 200);
    assert.equal(await statusOf(later, { authorization: `Bearer ${newToken}` }), 200);
    assert.equal(await statusOf(later, byKey), 403);
    assert.equal(await statusOf(later, byToken), 403);
  });

  test("serves, and ends when it is told to, where its log cannot be written", async (t) => {
    const full = await spawnServer(t, ["--ephemeral", ...ownerFlags], { stderrFile: "/dev/full" });
    const unread = await spawnServer(t, ["--ephemeral", ...ownerFlags]);
    unread.closeStderr();
    for (const server of [full, unread]) {
      // Lines beyond what is written at once.
      for (let n = 0; n < 30; n += 1) assert.equal(await statusOf(server, byToken), 200);
      assert.equal(await server.end("SIGTERM"), 0);
    }
  });

  test("several that start at once on one empty directory serve one owner, and one shows its key", async (t) => {
    const data = join(newDirectory(t), "data");
    const servers = await Promise.all([1, 2, 3].map(() => spawnServer(t, [`--data=${data}`])));
    assert.equal(new Set(servers.map((server) => shown(server, "Account id"))).size, 1);
    const keys = servers.flatMap(
      (server) => /Global API Key +([0-9a-f]{37})/.exec(server.stdout())?.[1] ?? [],
    );
    assert.equal(keys.length, 1);
    for (const server of servers) {
      const headers = { "x-auth-email": shown(server, "Owner"), "x-auth-key": keys[0] ?? "" };
      assert.equal((await sendRequest(server.baseUrl, "GET", "/zones", { headers })).status, 200);
    }
  });
});

describe("a start that cannot succeed", { concurrency: 2 }, () => {
  test("names the port that another program has, ends with 1, and has made no store whose key nobody saw", async (t) => {
    const data = join(newDirectory(t), "data");
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    t.after(() => other.close());
    const { port } = other.address() as AddressInfo;
    assert.deepEqual(await runCommand(["serve", `--data=${data}`, `--port=${port}`]), {
      code: 1,
      stdout: "",
      stderr: `zoneward: cannot start: listening on 127.0.0.1, port ${port}: another program listens there\n`,
    });
    assert.equal(existsSync(data), false);
  });

  test("names the file that cannot be made, without a stack trace", async (t) => {
    // Nobody but root may write the first, and nobody at all the second.
    const directory = newDirectory(t);
    chmodSync(directory, 0o500);
    const data = process.getuid?.() === 0 ? "/proc/tty" : directory;
    const { code, stdout, stderr } = await runCommand(["serve", `--data=${data}`, "--port=0"]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.ok(stderr.startsWith(`zoneward: cannot start: opening ${data}/zoneward.sqlite: `), stderr);
    assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
  });
});
