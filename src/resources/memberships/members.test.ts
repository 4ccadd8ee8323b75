import assert from "node:assert/strict";
import { test } from "node:test";

import { superAdministratorId } from "../../core/policy/roles.ts";
import {
  onComparedEngines,
  ownerEmail,
  startTestApp,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { addAccount, addUser, besideServer } from "../../../test/support/store.ts";

const dns = "f0a6c7b1d5e48f60db5c9d0e1f2a3b45";
const billing = "d8e4a5f9b3c26d4ebf3a7b8c9d0e1f23";
const unknownId = "0123456789abcdef0123456789abcdef";
const week = 7 * 24 * 60 * 60 * 1_000;

const membersOf = (app: TestApp): string => `/accounts/${app.owner.accountId}/members`;
const namesOf = (roles: readonly { name: string }[]): string[] => roles.map(({ name }) => name);

async function everything(app: TestApp): Promise<unknown> {
  return besideServer(app, async (tx) => [
    await tx.selectFrom("memberships").selectAll().orderBy("id").execute(),
    await tx.selectFrom("audit_logs").selectAll().orderBy("id").execute(),
  ]);
}

async function loggedActions(app: TestApp): Promise<string[]> {
  const rows = await besideServer(app, (tx) =>
    tx.selectFrom("audit_logs").select("action_type").where("account_id", "=", app.owner.accountId).execute(),
  );
  return rows.map(({ action_type }) => action_type).toSorted();
}

onComparedEngines("addMember", (engine) => {
  test("an e-mail that nobody has is invited, and shows among the members until it is removed", async (t) => {
    const app = await startTestApp(t, engine);
    const added = await app.request("POST", membersOf(app), {
      body: { email: "Dora@Example.com", roles: [dns, { id: billing }, dns] },
    });
    assert.equal(added.status, 200, added.text);
    const { id, roles, policies, ...member } = added.body.result;
    assert.deepEqual(member, {
      user: {
        id: null,
        first_name: null,
        last_name: null,
        email: "dora@example.com",
        two_factor_authentication_enabled: false,
      },
      status: "pending",
      api_access_enabled: null,
      email: "dora@example.com",
    });
    assert.deepEqual(namesOf(roles), ["DNS", "Billing"]);
    assert.deepEqual(namesOf(policies[0].permission_groups), ["DNS", "Billing"]);
    assert.deepEqual(roles[0].permissions.dns_records, { read: true, write: true, edit: true });
    assert.deepEqual(roles[0].permissions.waf, { read: false, write: false, edit: false });
    assert.equal((await app.request("GET", `${membersOf(app)}/${id}`)).text, added.text);
    const removed = await app.request("DELETE", `${membersOf(app)}/${id}`);
    assert.deepEqual([removed.status, removed.body.result], [200, { id }]);
    assert.equal((await app.request("GET", `${membersOf(app)}/${id}`)).status, 404);
    assert.deepEqual(await loggedActions(app), ["invite_send", "member_remove"]);
  });

  test("who is a member or has an invite to answer is refused, in any case of the e-mail", async (t) => {
    const app = await startTestApp(t, engine);
    await app.request("POST", membersOf(app), { body: { email: "dora@example.com", roles: [dns] } });
    const before = await everything(app);
    for (const [email, message] of [
      [ownerEmail.toUpperCase(), "OWNER@EXAMPLE.COM is already a member"],
      ["DORA@example.com", "DORA@example.com has already been invited"],
    ]) {
      const { status, body } = await app.request("POST", membersOf(app), { body: { email, roles: [dns] } });
      assert.equal(status, 400);
      assert.deepEqual(body.errors, [{ code: 1004, message, source: { pointer: "/email" } }]);
    }
    assert.deepEqual(await everything(app), before);
  });

  testOnEachEngine("of ten that invite one e-mail at once, one does", async (t, either) => {
    const app = await startTestApp(t, either);
    const body = { email: "dora@example.com", roles: [dns] };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.request("POST", membersOf(app), { body })),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [200, 400, 400, 400, 400, 400, 400, 400, 400, 400],
    );
  });

  test("an invite that was rejected or has expired makes room for another one", async (t) => {
    const app = await startTestApp(t, engine);
    const dora = await addUser(app, "dora@example.com");
    const invite = async (): Promise<string> =>
      (await app.request("POST", membersOf(app), { body: { email: dora.email, roles: [dns] } })).body.result
        ?.id;
    const first = await invite();
    await app.request("PATCH", `/user/invites/${first}`, {
      headers: dora.headers,
      body: { status: "rejected" },
    });
    const second = await invite();
    app.advance(week - 1);
    assert.equal(await invite(), undefined);
    app.advance(1);
    const third = await invite();
    assert.equal(new Set([first, second, third]).size, 3);
    const invites = (await app.request("GET", "/user/invites", { headers: dora.headers })).body.result;
    assert.deepEqual(
      invites.map(({ id, status }: Record<string, string>) => [id, status]),
      [[third, "pending"]],
    );
  });

  test("what is no invite is refused with its place, and nothing changes", async (t) => {
    const app = await startTestApp(t, engine);
    const before = await everything(app);
    const email = "dora@example.com";
    const cases = [
      [{ roles: [dns] }, 1003, "/email"],
      [{ email: "dora", roles: [dns] }, 1003, "/email"],
      [{ email: "d\0ra@example.com", roles: [dns] }, 1003, "/email"],
      [{ email }, 1001, "/roles"],
      [{ email, roles: [] }, 1003, "/roles"],
      [{ email, roles: [7] }, 1003, "/roles/0"],
      [{ email, roles: [dns, unknownId] }, 1001, "/roles/1"],
      [{ email, roles: [dns, "DNS"] }, 1001, "/roles/1"],
      [
        { email, policies: [{ access: "allow", permission_groups: [], resource_groups: [] }] },
        1003,
        "/policies/0/permission_groups",
      ],
      [{ email, roles: [dns], status: "accepted" }, 1001, "/status"],
      [{ email, roles: [dns], status: "rejected" }, 1003, "/status"],
    ] as const;
    for (const [body, code, pointer] of cases) {
      await t.test(JSON.stringify(body).slice(0, 120), async () => {
        const answer = await app.request("POST", membersOf(app), { body });
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(
          [answer.body.errors[0]?.code, answer.body.errors[0]?.source?.pointer],
          [code, pointer],
        );
      });
    }
    const { body } = await app.request("POST", membersOf(app), { body: { email: "dora", roles: [dns] } });
    assert.equal(body.errors[0]?.message, "Invalid body `email`: must be an e-mail address");
    assert.deepEqual(await everything(app), before);
  });

  test("an account that the caller cannot reach is answered as one that does not exist", async (t) => {
    const app = await startTestApp(t, engine);
    const foreign = await addAccount(app, "Foreign");
    const before = await everything(app);
    for (const id of [unknownId, foreign]) {
      for (const [method, path] of [
        ["GET", ""],
        ["POST", ""],
        ["GET", `/${unknownId}`],
        ["PUT", `/${unknownId}`],
        ["DELETE", `/${unknownId}`],
      ] as const) {
        const body = method === "GET" || method === "DELETE" ? undefined : { email: "a@b.c", roles: [dns] };
        const answer = await app.request(method, `/accounts/${id}/members${path}`, { body });
        assert.equal(answer.status, 404);
        assert.deepEqual(answer.body.errors, [{ code: 1001, message: "Invalid account identifier" }]);
      }
    }
    assert.deepEqual(await everything(app), before);
  });
});

onComparedEngines("listMembers", (engine) => {
  test("members are listed in pages, by status and in the orders that there are", async (t) => {
    const app = await startTestApp(t, engine);
    const account = app.owner.accountId;
    const adam = await addUser(app, "Adam@example.com", { account, role: "DNS" });
    const zoe = await addUser(app, "zoe@example.com", { account });
    const profiles = [
      [adam, { first_name: "Adam", last_name: "Zimmer" }],
      [zoe, { first_name: "Zoë", last_name: "Abt" }],
    ] as const;
    for (const [{ headers }, body] of profiles) await app.request("PATCH", "/user", { headers, body });
    await app.request("POST", membersOf(app), { body: { email: "mia@example.com", roles: [dns] } });
    const [a, m, o, z] = ["Adam@example.com", "mia@example.com", ownerEmail, zoe.email];
    const cases = [
      ["", [a, m, o, z]],
      ["?order=user.email&direction=DESC", [z, o, m, a]],
      ["?order=user.last_name&direction=desc&per_page=2", [a, z]],
      ["?order=user.first_name&direction=desc&per_page=2", [z, a]],
      ["?status=pending", [m]],
      ["?status=accepted&per_page=2&page=2", [z]],
      ["?status=rejected", []],
      ["?order=status&direction=desc&per_page=1", [m]],
    ] as const;
    for (const [query, emails] of cases) {
      await t.test(`query ${query}`, async () => {
        const { status, body } = await app.request("GET", membersOf(app) + query);
        assert.equal(status, 200);
        assert.deepEqual(
          body.result.map(({ user }: { user: { email: string } }) => user.email),
          emails,
          query,
        );
      });
    }
    assert.equal((await app.request("GET", `${membersOf(app)}?per_page=2`)).body.result_info?.total_count, 4);
    for (const query of ["?status=expired", "?order=email"]) {
      assert.equal((await app.request("GET", membersOf(app) + query)).status, 400);
    }
    const { result } = (await app.request("GET", `${membersOf(app)}?per_page=1`)).body;
    assert.deepEqual(result[0].user, {
      id: adam.id,
      first_name: "Adam",
      last_name: "Zimmer",
      email: "Adam@example.com",
      two_factor_authentication_enabled: false,
    });
  });
});

onComparedEngines("editMember", (engine) => {
  test("a member gets other roles, which is logged once; the same roles change nothing", async (t) => {
    const app = await startTestApp(t, engine);
    await addUser(app, "dora@example.com", { account: app.owner.accountId, role: "DNS" });
    const { id } = (await app.request("GET", membersOf(app))).body.result[0];
    const path = `${membersOf(app)}/${id}`;
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await app.request("PUT", path, { body: { roles: [{ id: billing }] } });
      assert.equal(status, 200);
      assert.deepEqual([body.result.id, body.result.status], [id, "accepted"]);
      assert.deepEqual(namesOf(body.result.roles), ["Billing"]);
    }
    assert.deepEqual(await loggedActions(app), ["member_add", "member_edit"]);
  });

  test("roles that there are not, and members of other accounts, are refused", async (t) => {
    const app = await startTestApp(t, engine);
    const elsewhere = await addAccount(app, "Elsewhere", "accepted");
    const other = (await app.request("GET", `/accounts/${elsewhere}/members`)).body.result[0].id;
    const own = (await app.request("GET", membersOf(app))).body.result[0].id;
    const before = await everything(app);
    const cases = [
      [own, { roles: [unknownId] }, 400, 1001],
      [own, { policies: [] }, 400, 1003],
      [own, {}, 400, 1001],
      [other, { roles: [superAdministratorId] }, 404, 1003],
      [unknownId, { roles: [superAdministratorId] }, 404, 1003],
    ] as const;
    for (const [id, body, status, code] of cases) {
      await t.test(JSON.stringify([id, body, status]).slice(0, 120), async () => {
        const answer = await app.request("PUT", `${membersOf(app)}/${id}`, { body });
        assert.deepEqual([answer.status, answer.body.errors[0]?.code], [status, code]);
      });
    }
    for (const id of [other, unknownId]) {
      assert.equal((await app.request("DELETE", `${membersOf(app)}/${id}`)).status, 404);
    }
    assert.deepEqual(await everything(app), before);
  });
});

onComparedEngines("listRoles", (engine) => {
  test("all roles are on the first page, and each is got by its id", async (t) => {
    const app = await startTestApp(t, engine);
    const path = `/accounts/${app.owner.accountId}/roles`;
    const { result } = (await app.request("GET", path)).body;
    assert.equal(result.length, 14);
    assert.deepEqual(
      [result[0].id, result[0].name],
      [superAdministratorId, "Super Administrator - All Privileges"],
    );
    assert.deepEqual((await app.request("GET", `${path}?page=2`)).body.result, []);
    assert.equal((await app.request("GET", `${path}?page=0`)).status, 400);
    for (const role of result) {
      assert.deepEqual((await app.request("GET", `${path}/${role.id}`)).body.result, role);
    }
    const unknown = await app.request("GET", `${path}/${unknownId}`);
    assert.deepEqual(
      [unknown.status, unknown.body.errors],
      [404, [{ code: 1003, message: "Invalid role identifier" }]],
    );
  });
});
