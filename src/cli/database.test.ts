import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test, type TestContext } from "node:test";

import {
  newDirectory,
  newLocation,
  onEachEngine,
  ownerKey,
  ownerToken,
  sendRequest,
  startOfTime,
  startTestApp,
  until,
  type TestApp,
} from "../../test/support/harness.ts";
import { ownerFlags, runCommand, spawnServer } from "../../test/support/spawned-server.ts";
import { toTimestamp } from "../storage/columns.ts";
import { besideServer, storedRows } from "../../test/support/store.ts";

const seed = {
  accounts: [{ name: "Second" }],
  invites: [{ account: "Second", email: "guest@example.com" }],
  zones: [
    {
      name: "example.com",
      records: [
        {
          type: "A",
          name: "www",
          content: "192.0.2.1",
          proxied: true,
          comment: "größer",
          tags: ["a:b", "a:c"],
        },
        { type: "MX", name: "@", content: "mail.example.net", priority: 10 },
      ],
      settings: { ssl: "strict" },
      rulesets: [
        {
          phase: "http_request_firewall_custom",
          rules: [{ action: "block", expression: "ip.src eq 192.0.2.1" }],
        },
      ],
      waf_overrides: [{ urls: ["example.com/*"] }],
      certificate_packs: [{ hosts: ["example.com"], validity_days: 90, certificate_authority: "google" }],
    },
  ],
};

/** A server with something in most tables, certificates included. */
async function startFilledApp(t: TestContext, engine: "sqlite" | "postgres"): Promise<TestApp> {
  const seedFile = join(newDirectory(t), "seed.json");
  writeFileSync(seedFile, JSON.stringify(seed));
  const app = await startTestApp(t, engine, { seed: seedFile }, { issuanceRoundMs: 50 });
  const { body } = await app.request("GET", "/zones");
  const packs = `/zones/${body.result[0].id}/ssl/certificate_packs`;
  await until("the certificates", async () =>
    (await app.request("GET", packs)).body.result.some(
      ({ status }: { status: string }) => status === "active",
    ),
  );
  return app;
}

/** Without what says which migrations were applied, and when. */
function dataOf(rows: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => !table.startsWith("kysely_")));
}

const storeOf = ({ config }: TestApp): string =>
  config.database ?? `sqlite:${join(config.data, "zoneward.sqlite")}`;
const flagsOf = ({ config }: TestApp): string[] => [
  `--data=${config.data}`,
  ...(config.database === undefined ? [] : [`--database=${config.database}`]),
  ...(config.secret_key_file === undefined ? [] : [`--secret-key-file=${config.secret_key_file}`]),
];

onEachEngine("zoneward database copy", (engine) => {
  test("brings a store to the other engine, where it is served with its certificates and tokens", async (t) => {
    const app = await startFilledApp(t, engine);
    const before = await storedRows(app);
    await app.close();
    const data = newDirectory(t);
    const location = await newLocation(t, engine === "sqlite" ? "postgres" : "sqlite");
    const database = location.engine === "postgres" ? location.url : undefined;
    const to = database ?? `sqlite:${join(data, "zoneward.sqlite")}`;
    const copied = await runCommand(["database", "copy", "--from", storeOf(app), "--to", to]);
    assert.equal(copied.code, 0, copied.stderr);
    assert.match(copied.stdout, /^dns_records +2 {2}[0-9a-f]{64}$/m);
    assert.ok(!copied.stderr.includes("["), "no bar where nobody looks on");

    const after = await storedRows({ config: { ...app.config, data, database } });
    assert.deepEqual(dataOf(after), dataOf(before));
    const secret_key_file = app.config.secret_key_file ?? join(app.config.data, "secret.key");
    const other = await startTestApp(t, engine, { data, database, secret_key_file });
    assert.equal((await other.request("GET", "/zones")).body.result[0].name, "example.com");

    const again = await runCommand(["database", "copy", "--from", storeOf(app), "--to", to]);
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(again.stderr, /the target is not empty/);
    const checked = await runCommand(["database", "check", ...flagsOf(other)]);
    assert.equal(checked.code, 0, checked.stdout);
  });

  test("that was cut short is served by nobody before it has gone on to its end", async (t) => {
    const app = await startFilledApp(t, engine);
    await besideServer(app, (tx) =>
      tx
        .insertInto("unfinished_copies")
        .values({ started_on: toTimestamp(startOfTime) })
        .execute(),
    );
    await assert.rejects(app.restart(), /it is an unfinished copy: run `zoneward database copy` again/);
    const checked = await runCommand(["database", "check", ...flagsOf(app)]);
    assert.equal(checked.code, 1);
    assert.match(checked.stdout, /^completeness +damaged\n {2}it is an unfinished copy$/m);
  });
});

describe("zoneward database copy", () => {
  test("that cannot be meant is refused, and nothing is made", async (t) => {
    const directory = newDirectory(t);
    const [from, to] = [join(directory, "from"), join(directory, "to")];
    for (const [args, code, message] of [
      [[`--from=sqlite:${from}`, `--to=sqlite:${to}`], 1, /there is no store at/],
      [[`--from=${from}`, `--to=sqlite:${to}`], 2, /--from: must be sqlite:FILE or postgres:/],
      [[`--from=sqlite:${from}`, `--to=sqlite:${from}`], 2, /--to: is the same store as --from/],
      [["--to=sqlite:x"], 2, /--from: is required/],
      [["--from=sqlite:x", "--to=sqlite:y", "--force"], 2, /--force: unknown flag/],
    ] as const) {
      const answer = await runCommand(["database", "copy", ...args]);
      assert.deepEqual([answer.code, answer.stdout], [code, ""], args.join(" "));
      assert.match(answer.stderr, message);
    }
    assert.deepEqual(readdirSync(directory), []);
  });
});

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

onEachEngine("zoneward database check", (engine) => {
  test("finds nothing in a sound store that is served, and names what is wrong with another, changing neither", async (t) => {
    const app = await startFilledApp(t, engine);
    const check = () => runCommand(["database", "check", ...flagsOf(app)]);
    const sound = await check();
    assert.equal(sound.code, 0, sound.stdout + sound.stderr);
    assert.match(sound.stdout, /^numbers of records +ok$/m);
    assert.match(sound.stdout, /^encrypted secrets +ok$/m);

    await besideServer(app, async (tx) => {
      await tx.updateTable("zones").set({ dns_record_count: 7 }).execute();
      await tx.updateTable("dns_records").set({ record: "{" }).where("type", "=", "MX").execute();
      await tx.updateTable("rulesets").set({ version: 9 }).execute();
      const sealed = await tx
        .selectFrom("certificate_authorities")
        .select("private_key")
        .executeTakeFirstOrThrow();
      await tx.updateTable("pack_certificates").set(sealed).where("key_type", "=", "rsa").execute();
    });
    const rows = await storedRows(app);
    const damaged = await check();
    assert.equal(damaged.code, 1);
    assert.match(damaged.stdout, /^records +damaged\n {2}the record [0-9a-f]{32} cannot be read$/m);
    assert.match(
      damaged.stdout,
      /^numbers of records +damaged\n {2}example\.com has \d+ records but counts 7$/m,
    );
    assert.match(
      damaged.stdout,
      /^versions of rulesets +damaged\n {2}the ruleset [0-9a-f]{32} has no version 9$/m,
    );
    assert.match(
      damaged.stdout,
      /^encrypted secrets +damaged\n {2}pack_certificates\.private_key [0-9a-f]{32}: a stored secret was changed/m,
    );
    assert.deepEqual(await storedRows(app), rows);
  });

  test("says so where there is no store, and makes none", async (t) => {
    const location = await newLocation(t, engine);
    const data = newDirectory(t);
    const flags = location.engine === "postgres" ? [`--database=${location.url}`] : [];
    const answer = await runCommand(["database", "check", `--data=${data}`, ...flags]);
    assert.equal(answer.code, 1);
    assert.match(answer.stderr, /no store/);
    assert.deepEqual(readdirSync(data), []);
  });
});
