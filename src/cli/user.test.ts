import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";

import { commandLine } from "../../test/support/command-line.ts";
import { byKey, newDirectory, sendRequest } from "../../test/support/harness.ts";
import { ownerFlags, runCommand, spawnServer } from "../../test/support/spawned-server.ts";

const zoneward = commandLine();

function shown(stdout: string, label: string): string {
  return new RegExp(`^${label} +(\\S+)`, "m").exec(stdout)?.[1] ?? assert.fail(`no ${label}`);
}

describe("zoneward user create", { concurrency: 2 }, () => {
  test("makes users while the server runs, who sign in at once and answer their invites", async (t) => {
    const data = newDirectory(t);
    const server = await spawnServer(t, [`--data=${data}`, ...ownerFlags]);
    const request = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
      sendRequest(server.baseUrl, method, path, { headers, body });
    const [{ id: account }] = (await request("GET", "/accounts", byKey)).body.result;
    const invited = await request("POST", `/accounts/${account}/members`, byKey, {
      email: "dora@example.com",
      roles: ["f0a6c7b1d5e48f60db5c9d0e1f2a3b45"],
    });

    const dora = await runCommand(["user", "create", "--email", "Dora@example.com", `--data=${data}`]);
    assert.deepEqual([dora.code, dora.stderr], [0, ""]);
    const asDora = { "x-auth-email": "dora@example.com", "x-auth-key": shown(dora.stdout, "Global API Key") };
    const user = (await request("GET", "/user", asDora)).body.result;
    assert.deepEqual([user.id, user.email], [shown(dora.stdout, "User id"), "Dora@example.com"]);
    const accepted = await request("PATCH", `/user/invites/${invited.body.result.id}`, asDora, {
      status: "accepted",
    });
    assert.equal(accepted.status, 200, accepted.text);
    assert.equal((await request("GET", `/accounts/${account}`, asDora)).status, 200);

    const admin = await zoneward(
      ["user", "create", "--email=eve@example.com", "--account=zoneward", "--role", "administrator"],
      { env: { ZONEWARD_DATA: data } },
    );
    assert.match(admin.stdout, /^Member of +Zoneward \(Administrator\)$/m);
    const asEve = { "x-auth-email": "eve@example.com", "x-auth-key": shown(admin.stdout, "Global API Key") };
    assert.equal((await request("POST", "/zones", asEve, { name: "example.com" })).status, 200);
  });

  test("makes links that set a password, the first one and another, once each", async (t) => {
    const data = newDirectory(t);
    const server = await spawnServer(t, [`--data=${data}`, "--log-level=debug", ...ownerFlags]);
    const flags = [`--data=${data}`, "--public-url=https://zones.example.com"];
    const eve = await zoneward(["user", "create", "--email=eve@example.com", ...flags]);
    const made = await zoneward(["user", "sign-in-link", "--email=Eve@example.com", ...flags]);
    assert.deepEqual([made.code, made.stderr], [0, ""]);
    const request = (path: string, body: object) =>
      sendRequest(new URL(server.baseUrl).origin, "POST", path, { headers: {}, body });
    const tokenOf = (link: string): string =>
      /^https:\/\/zones\.example\.com\/first-sign-in#([\w-]{43})$/.exec(link)?.[1] ?? assert.fail(link);
    const [first, second] = [shown(eve.stdout, "First sign-in"), made.stdout.trim()].map(tokenOf);
    const password = "the first password";
    const signedIn = await request("/session/first", { token: first, password });
    assert.equal(signedIn.body.result.user.email, "eve@example.com");
    assert.equal((await request("/session", { email: "eve@example.com", password })).status, 200);
    // A user who has set a password wants no older link to set another.
    for (const token of [first, second]) {
      assert.equal((await request("/session/first", { token, password })).status, 403);
    }
    const forgot = await zoneward(["user", "sign-in-link", "--email=eve@example.com", ...flags]);
    const third = tokenOf(forgot.stdout.trim());
    const other = "another long password";
    assert.equal((await request("/session/first", { token: third, password: other })).status, 200);
    assert.equal((await request("/session", { email: "eve@example.com", password })).status, 403);
    const secrets = [first, second, third, password, other];
    assert.equal(await server.end("SIGTERM"), 0);
    for (const secret of secrets) {
      assert.ok(!(server.stdout() + server.stderr()).includes(secret ?? assert.fail("no secret")));
    }
    assert.match(server.stderr(), /"route":"\/session\/first"/);
  });

  test("what cannot be is refused with its reason, and no user is made", async (t) => {
    const data = newDirectory(t);
    const server = await spawnServer(t, [`--data=${data}`, ...ownerFlags]);
    const cases = [
      [
        ["create", "--email=OWNER@example.com"],
        1,
        /There is already a user with the e-mail OWNER@example\.com/,
      ],
      [["create", "--email=nobody"], 1, /`nobody` is not an e-mail address/],
      [["create", "--email=a@b.c", "--account=Nowhere"], 1, /There is no account `Nowhere`/],
      [["create", "--email=a@b.c", "--account=Zoneward", "--role=King"], 1, /There is no role `King`/],
      [["create", "--email=a@b.c", "--role=DNS"], 2, /--role: needs --account as well/],
      [["create", "--email=a@b.c", "--ephemeral"], 2, /--ephemeral/],
      [["create", "--email=a@b.c", "--rule=DNS"], 2, /--rule: unknown flag/],
      [["create"], 2, /--email/],
      [["sign-in-link"], 2, /--email/],
      [["sign-in-link", "--email=nobody@example.com"], 1, /There is no user with the e-mail/],
      [["reset-two-factor"], 2, /--email/],
      [["reset-two-factor", "--email=nobody@example.com"], 1, /There is no user with the e-mail/],
      [["delete"], 2, /unknown command `user delete`/],
    ] as const;
    for (const [args, code, message] of cases) {
      const answer = await zoneward(["user", ...args, `--data=${data}`]);
      assert.deepEqual([answer.code, answer.stdout], [code, ""], args.join(" "));
      assert.match(answer.stderr, message);
    }
    const { result } = (await sendRequest(server.baseUrl, "GET", "/accounts", { headers: byKey })).body;
    const members = await sendRequest(server.baseUrl, "GET", `/accounts/${result[0].id}/members`, {
      headers: byKey,
    });
    assert.equal(members.body.result_info?.total_count, 1);
  });

  test("a directory without a store stays without one", async (t) => {
    const data = newDirectory(t);
    const { code, stderr } = await zoneward(["user", "create", "--email=a@b.c", `--data=${data}`]);
    assert.equal(code, 1);
    assert.match(stderr, /there is no store at/);
    assert.deepEqual(readdirSync(data), []);
  });
});
