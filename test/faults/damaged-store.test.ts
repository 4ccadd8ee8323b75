import assert from "node:assert/strict";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { newDirectory, sendRequest } from "../support/harness.ts";
import { ownerFlags, runCommand, spawnServer } from "../support/spawned-server.ts";

const pageBytes = 4_096;
const recordsMade = 400;

describe("a data directory that cannot be written", () => {
  test("ends the start with what was tried and why, and leaves everything as it was", async (t) => {
    const writable = await storeWithRecords(t);
    const cases = [
      {
        make: (directory: string) => chmodSync(directory, 0o500),
        below: "",
        says: /opening \S+: EACCES: permission denied/,
      },
      {
        make: (directory: string) => chmodSync(directory, 0o500),
        below: "new",
        says: /opening \S+: EACCES: permission denied/,
      },
      {
        make: (directory: string) => {
          copyFileSync(writable.file, join(directory, "zoneward.sqlite"));
          chmodSync(directory, 0o500);
        },
        below: "",
        says: /opening \S+: attempt to write a readonly database/,
      },
      {
        make: (directory: string) => {
          copyFileSync(writable.file, join(directory, "zoneward.sqlite"));
          chmodSync(join(directory, "zoneward.sqlite"), 0o400);
        },
        below: "",
        says: /opening \S+: EACCES: permission denied/,
      },
      {
        make: (directory: string) => mkdirSync(join(directory, "zoneward.sqlite")),
        below: "",
        says: /opening \S+: EISDIR/,
      },
    ];
    for (const { make, below, says } of cases) {
      const directory = newDirectory(t);
      make(directory);
      const before = stateOf(directory);
      const { code, stdout, stderr } = await runCommand(
        ["serve", "--port=0", `--data=${join(directory, below)}`, ...ownerFlags],
        { isOrdinaryUser: true },
      );
      assert.deepEqual([code, stdout], [1, ""], stderr);
      assert.match(stderr, /^zoneward: cannot start: /);
      assert.match(stderr, says);
      assert.deepEqual(stateOf(directory), before);
      chmodSync(directory, 0o700);
    }
  });
});

describe("a database file that is damaged", () => {
  test("ends the start with what is wrong, and is left as it was", async (t) => {
    const { data, file, flags } = await storeWithRecords(t);
    const good = readFileSync(file);
    const damages: readonly (readonly [what: string, bytes: Buffer, says: RegExp])[] = [
      ["cut short", good.subarray(0, 5 * pageBytes + 100), /malformed/],
      ["cut within its header", good.subarray(0, 50), /malformed/],
      ["another file", Buffer.from("This is no database.\n".repeat(500)), /not a database/],
      [
        "its header overwritten",
        Buffer.concat([Buffer.alloc(100, 0xaa), good.subarray(100)]),
        /not a database/,
      ],
      [
        "its first pages overwritten",
        Buffer.concat([
          good.subarray(0, 200),
          Buffer.alloc(20 * pageBytes, 0xaa),
          good.subarray(200 + 20 * pageBytes),
        ]),
        /malformed/,
      ],
    ];
    for (const [what, bytes, says] of damages) {
      writeFileSync(file, bytes);
      const { code, stdout, stderr } = await runCommand(["serve", "--port=0", ...flags]);
      assert.deepEqual([code, stdout], [1, ""], `${what}: ${stderr}`);
      assert.match(stderr, new RegExp(`^zoneward: cannot start: opening ${file}: .*${says.source}`), what);
      assert.ok(readFileSync(file).equals(bytes), `${what}: the file was changed`);
      assert.deepEqual(
        readdirSync(data).filter((name) => name.endsWith("-wal")),
        [],
        what,
      );
    }
    writeFileSync(file, good);
    const server = await spawnServer(t, flags);
    assert.equal((await sendRequest(server.baseUrl, "GET", "/zones")).status, 200);
  });

  for (const [what, damage] of [
    ["overwritten", overwriteEnd],
    ["cut short", (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ] as const) {
    test(`${what} while it is served makes 503 of what it held, and the server goes on`, async (t) => {
      const { file, flags, path } = await storeWithRecords(t);
      const server = await spawnServer(t, flags);
      damage(file);
      const statuses = new Set<number>();
      for (const [method, target, body] of [
        ["GET", `${path}?per_page=5000`, undefined],
        ["GET", `${path}?per_page=5000&order=content`, undefined],
        ["GET", "/zones", undefined],
        ["GET", "/user/audit_logs?per_page=1000", undefined],
        ["POST", path, { type: "A", name: "new", content: "192.0.2.1", ttl: 1 }],
        ["POST", "/zones", { name: "example.org" }],
        ["PATCH", path.replace("/dns_records", ""), { paused: true }],
      ] as const) {
        const { status, text } = await sendRequest(server.baseUrl, method, target, { body });
        assert.ok(status === 200 || status === 503, `${method} ${target}: ${text}`);
        statuses.add(status);
      }
      assert.ok(statuses.has(503), "the damage was not met");
      assert.match(server.stderr(), /malformed|disk I\/O error|not a database/);
      assert.equal((await fetch(new URL("/healthz", server.baseUrl))).status, 200);
      assert.equal((await sendRequest(server.baseUrl, "GET", "/ips", { headers: {} })).status, 200);
      assert.equal(await server.end("SIGTERM"), 0);
    });
  }
});

/** A store that was served and ended in order: all of it is in the file. */
async function storeWithRecords(t: TestContext) {
  const data = newDirectory(t);
  const flags = [`--data=${data}`, "--log-level=warn", ...ownerFlags];
  const server = await spawnServer(t, flags);
  const { body } = await sendRequest(server.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
  const path = `/zones/${body.result.id}/dns_records`;
  const posts = Array.from({ length: recordsMade }, (_, n) => ({
    type: "TXT",
    name: `r${n}`,
    content: `"${"x".repeat(240)}"`,
  }));
  assert.equal((await sendRequest(server.baseUrl, "POST", `${path}/batch`, { body: { posts } })).status, 200);
  assert.equal(await server.end("SIGTERM"), 0);
  return { data, file: join(data, "zoneward.sqlite"), flags, path };
}

/** Everything behind the pages that the schema needs. */
function overwriteEnd(file: string): void {
  const descriptor = openSync(file, "r+");
  const from = Math.floor(statSync(file).size / 2);
  writeSync(descriptor, Buffer.alloc(statSync(file).size - from, 0xaa), 0, undefined, from);
  closeSync(descriptor);
}

function stateOf(directory: string): unknown {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, statSync(path).mode, entry.isFile() ? readFileSync(path).toString("base64") : ""];
  });
}
