import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, describe, test } from "node:test";

import { commandLine } from "../../test/support/command-line.ts";
import {
  byKey,
  newDirectory,
  newLocation,
  onEachEngine,
  sendRequest,
  soonSecondsMax,
  until,
} from "../../test/support/harness.ts";
import {
  ownerFlags,
  runCommand,
  spawnServer,
  type FinishedCommand,
  type SpawnedServer,
} from "../../test/support/spawned-server.ts";
import { suiteContext } from "../../test/support/suite-context.ts";
import { account, user, zone } from "../core/policy/permission-groups.ts";
import type { DatabaseLocation } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";

const zoneward = commandLine();

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

function storeFlags(location: DatabaseLocation): string[] {
  if (location.engine === "postgres") return [`--database=${location.url}`];
  return location.engine === "sqlite" ? [`--data=${dirname(location.file)}`] : [];
}

onEachEngine("zoneward token, beside a server", (engine) => {
  const suite = suiteContext();
  let location: DatabaseLocation;
  let server: SpawnedServer;
  let accountId: string;
  before(async () => {
    location = await newLocation(suite, engine);
    server = await spawnServer(suite, [...storeFlags(location), ...ownerFlags]);
    accountId = (await ask(byKey, "GET", "/accounts")).body.result[0].id;
  });

  const ask = (headers: Record<string, string>, method: string, path: string, body?: unknown) =>
    sendRequest(server.baseUrl, method, path, { headers, ...(body !== undefined && { body }) });
  const token = (...args: string[]): Promise<FinishedCommand> =>
    zoneward(["token", ...args, ...storeFlags(location)]);
  const created = async (...args: string[]): Promise<{ secret: string; id: string; stderr: string }> => {
    const { code, stdout, stderr } = await token("create", ...args);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^zw_[0-9A-Za-z]{37}\n$/);
    const id = /, id ([0-9a-f]{32})\./.exec(stderr)?.[1] ?? assert.fail(stderr);
    assert.ok(!stderr.includes(stdout.trim()));
    return { secret: stdout.trim(), id, stderr };
  };
  const shown = async (id: string, path = "/user/tokens") =>
    (await ask(byKey, "GET", `${path}/${id}`)).body.result;

  test("create makes a token that can make others and nothing else, and prints its secret alone", async () => {
    const { secret, id } = await created();
    const { name, policies, condition, expires_on } = await shown(id);
    assert.deepEqual([name, condition, expires_on], ["create-tokens", undefined, undefined]);
    assert.deepEqual(
      policies.map((policy: { permission_groups: { id: string }[] }) => policy.permission_groups),
      [[{ id: user("API Tokens Write").id, name: "API Tokens Write" }]],
    );
    const makes = await ask(bearer(secret), "POST", "/user/tokens", {
      name: "made by it",
      policies: [
        {
          effect: "allow",
          resources: { "com.cloudflare.api.account.zone.*": "*" },
          permission_groups: [{ id: zone("Zone Write").id }],
        },
      ],
    });
    assert.equal(makes.status, 200, makes.text);
    const zones = await ask(bearer(secret), "POST", "/zones", {
      name: "example.com",
      account: { id: accountId },
    });
    assert.notEqual(zones.status, 200);
    const byOther = await ask(bearer(makes.body.result.value), "POST", "/zones", {
      name: "example.com",
      account: { id: accountId },
    });
    assert.equal(byOther.status, 200, byOther.text);
  });

  test("create takes a template, a window, addresses and a name", async () => {
    const { secret, id } = await created(
      "--template=edit-dns",
      "--name",
      "deploys of the shop",
      "--not-before=2020-01-01T00:00:00Z",
      "--expires-on=2099-01-01T00:00:00Z",
      "--allow-from=127.0.0.0/8, ::1/128",
    );
    const { policies, ...rest } = await shown(id);
    const addresses = { in: ["127.0.0.0/8", "::1/128"] };
    assert.deepEqual(
      [rest.name, rest.not_before, rest.expires_on, rest.condition["request.ip"]],
      ["deploys of the shop", "2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z", addresses],
    );
    assert.deepEqual(
      [policies.length, policies[0].resources, policies[0].permission_groups],
      [1, { "com.cloudflare.api.account.zone.*": "*" }, [{ id: zone("DNS Write").id, name: "DNS Write" }]],
    );
    assert.equal((await ask(bearer(secret), "GET", "/zones")).status, 200);
  });

  test("the other templates read everything and do everything, within what the owner may", async () => {
    const reading = await created("--template=read-all");
    assert.equal((await ask(bearer(reading.secret), "GET", "/user/tokens")).status, 200);
    assert.equal((await ask(bearer(reading.secret), "GET", `/accounts/${accountId}`)).status, 200);
    assert.equal((await ask(bearer(reading.secret), "POST", "/zones", { name: "read.example" })).status, 403);
    const everything = await created("--template=all");
    assert.match(everything.stderr, /should carry no other permissions/);
    assert.equal(
      (await ask(bearer(everything.secret), "POST", "/zones", { name: "all.example" })).status,
      200,
    );
  });

  test("create takes policies as JSON or as a file, and tokens of an account", async (t) => {
    const policies = JSON.stringify([
      {
        effect: "allow",
        resources: { [`com.cloudflare.api.account.${accountId}`]: "*" },
        permission_groups: [{ id: account("Account Settings Read").id }],
      },
    ]);
    const file = join(newDirectory(t), "policies.json");
    writeFileSync(file, policies);
    for (const given of [policies, file]) {
      const ofUser = await created(`--policies=${given}`);
      assert.equal((await ask(bearer(ofUser.secret), "GET", `/accounts/${accountId}`)).status, 200);
      const ofAccount = await created("--policies", given, "--account", accountId);
      assert.equal((await shown(ofAccount.id, `/accounts/${accountId}/tokens`)).name, "policies");
      assert.equal((await ask(bearer(ofAccount.secret), "GET", `/accounts/${accountId}`)).status, 200);
    }
    const ofTemplate = await created("--account", accountId);
    const { policies: made } = await shown(ofTemplate.id, `/accounts/${accountId}/tokens`);
    assert.deepEqual(
      made.map((policy: { permission_groups: unknown }) => policy.permission_groups),
      [[{ id: account("Account API Tokens Write").id, name: "Account API Tokens Write" }]],
    );
    assert.equal((await token("list", "--account", accountId)).stdout.split("\n").length - 2, 3);
  });

  test("list shows a line for each token and no secret", async () => {
    const { secret, id } = await created("--name=to be listed", "--user=OWNER@example.com");
    const { code, stdout } = await token("list");
    assert.equal(code, 0);
    const [titles = "", ...lines] = stdout.trimEnd().split("\n");
    assert.match(titles, /^ID {32}NAME +STATUS +EXPIRES +LAST USED$/);
    assert.match(lines.find((line) => line.startsWith(id)) ?? "", /to be listed +active +never +never$/);
    assert.ok(lines.some((line) => line.includes("Owner token")));
    assert.ok(!stdout.includes(secret));
  });

  test("revoke by id or name ends a token at the running server within a second", async () => {
    for (const called of ["id", "name"] as const) {
      const { secret, id } = await created("--template=read-all", `--name=revoked by ${called}`);
      assert.equal((await ask(bearer(secret), "GET", "/zones")).status, 200);
      const { code, stdout, stderr } = await token("revoke", called === "id" ? id : `revoked by ${called}`);
      assert.deepEqual([code, stdout], [0, ""], stderr);
      await until(
        "the token is refused",
        async () => (await ask(bearer(secret), "GET", "/zones")).status === 403,
        soonSecondsMax,
      );
    }
    const again = await token("revoke", "revoked by name");
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(again.stderr, /^zoneward: owner@example\.com has no token `revoked by name`\n$/);
  });

  test("revoke ends none of several that have the name", async () => {
    const ids = [(await created("--name=twin")).id, (await created("--name=twin")).id];
    const { code, stderr } = await token("revoke", "twin");
    assert.equal(code, 1);
    for (const id of ids) {
      assert.ok(stderr.includes(id), stderr);
      assert.equal((await shown(id)).status, "active");
    }
  });

  test("every change is logged as the operator's, without the secret", async (t) => {
    const { secret, id } = await created("--name=logged");
    await token("revoke", id);
    const db = await openDatabase(location);
    t.after(() => db.close());
    const rows = await db.read
      .selectFrom("audit_logs")
      .selectAll()
      .where("resource_id", "=", id)
      .orderBy("id")
      .execute();
    assert.deepEqual(
      rows.map(({ action_type, actor_type, actor_id, interface: by }) => [
        action_type,
        actor_type,
        actor_id,
        by,
      ]),
      [
        ["token_create", "system", null, "CLI"],
        ["token_delete", "system", null, "CLI"],
      ],
    );
    assert.ok(!JSON.stringify(rows).includes(secret));
  });

  test("what is refused says why and makes nothing", async () => {
    // When a token was last used is written now and then, and so no part of the comparison.
    const idsListed = async (): Promise<string[]> =>
      (await token("list")).stdout.split("\n").map((line) => line.split(" ", 1)[0] ?? "");
    const earlier = await idsListed();
    const zones = { "com.cloudflare.api.account.zone.*": "*" };
    const policies = (change: object) =>
      JSON.stringify([{ effect: "allow", resources: zones, permission_groups: [], ...change }]);
    const cases: readonly (readonly [args: readonly string[], reason: RegExp])[] = [
      [["--policies=[]"], /^--policies: must hold at least one policy/],
      [
        [`--policies=${policies({ effect: "maybe" })}`],
        /^--policies: `0\/effect` must be one of: allow, deny/,
      ],
      [[`--policies=${policies({ permission_groups: [{ id: "1" }] })}`], /no such permission group/],
      [
        ["--allow-from=::1/128, 192.0.2.1"],
        /^--allow-from: `192\.0\.2\.1` must be a range in CIDR notation, here 192\.0\.2\.1\/32/,
      ],
      [["--expires-on=tomorrow"], /^--expires-on: must be of the form YYYY-MM-DDThh:mm:ssZ/],
      [[`--name=${"x".repeat(121)}`], /^--name: must /],
      [["--user=nobody@example.com"], /^there is no user nobody@example\.com/],
      [[`--account=${"0".repeat(32)}`], /^There is no account `0{32}`/],
    ];
    await Promise.all(
      cases.map(async ([args, reason]) => {
        const { code, stdout, stderr } = await token("create", ...args);
        assert.deepEqual([code, stdout], [1, ""], args.join(" "));
        assert.ok(stderr.startsWith("zoneward: "), stderr);
        assert.match(stderr.slice("zoneward: ".length), reason);
      }),
    );
    assert.deepEqual(await idsListed(), earlier);
  });
});

describe("zoneward token, without a store", { concurrency: 2 }, () => {
  test("says so and makes none", async (t) => {
    const directory = join(newDirectory(t), "nothing");
    const { code, stdout, stderr } = await runCommand(["token", "create", `--data=${directory}`]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(stderr, `zoneward: there is no store at ${directory}/zoneward.sqlite\n`);
    const inMemory = await runCommand(["token", "list", "--ephemeral"]);
    assert.deepEqual([inMemory.code, inMemory.stdout], [1, ""]);
    assert.match(inMemory.stderr, /in memory/);
  });

  test("a command line that cannot be meant says why", async () => {
    const cases: readonly (readonly [args: readonly string[], reason: RegExp])[] = [
      [["create", "--template=everything"], /^--template: must be one of: create-tokens, edit-dns/],
      [["create", "--template=all", "--policies=[]"], /^--policies: .*--template/],
      [["create", "--user=a@b", "--account=1"], /^--account: .*--user/],
      [["create", "--name"], /^--name: needs a value/],
      [["create", "--nmae=x"], /the settings have errors:\n {2}--nmae: unknown flag/],
      [["create", "stray"], /`stray`: not expected here/],
      [["create", "--policies=[{"], /^--policies: cannot be read/],
      [["create", "--policies=/nonexistent"], /^--policies: cannot be read/],
      [["revoke"], /needs an id or name/],
      [["rotate"], /^unknown command `token rotate`; see zoneward token --help/],
      [[], /^token needs a command; see zoneward token --help/],
    ];
    await Promise.all(
      cases.map(async ([args, reason]) => {
        const { code, stdout, stderr } = await zoneward(["token", ...args]);
        assert.deepEqual([code, stdout], [2, ""], args.join(" "));
        assert.ok(stderr.startsWith("zoneward: "), stderr);
        assert.match(stderr.slice("zoneward: ".length), reason);
      }),
    );
  });

  test("--help tells every flag", async () => {
    for (const args of [["--help"], ["create", "--help"]]) {
      const { code, stdout, stderr } = await runCommand(["token", ...args]);
      assert.deepEqual([code, stderr], [0, ""]);
      for (const flag of [
        "user",
        "account",
        "template",
        "policies",
        "name",
        "not-before",
        "expires-on",
        "allow-from",
      ])
        assert.ok(stdout.includes(`--${flag}`), flag);
    }
  });
});
