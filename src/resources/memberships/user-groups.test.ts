import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { loggedActions } from "../../../test/support/logged-actions.ts";
import { addResourceGroup, memberPolicy, scopeOf } from "../../../test/support/member-api.ts";
import { addAccount, addUser, storedRows, type TestUser } from "../../../test/support/store.ts";

/** A user who is a member of the owner's account with minimal access, and the id of the membership. */
async function addMember(app: TestApp, email: string, role = "Minimal Account Access") {
  const { accountId } = app.owner;
  const user: TestUser = await addUser(app, email, { account: accountId, role });
  const { body } = await app.request("GET", `/accounts/${accountId}/members?per_page=100`);
  const id = body.result.find((member: { email: string }) => member.email === email).id as string;
  return { ...user, memberId: id };
}

onComparedEngines("user groups", (engine) => {
  test("live their life: made, found, changed and deleted, with their members, each change in the audit log", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const path = `/accounts/${accountId}/iam/user_groups`;
    const bare = (await app.request("POST", path, { body: { name: "Bare", policies: null } })).body.result;
    assert.deepEqual(Object.keys(bare), ["id", "name", "created_on", "modified_on"]);
    const policies = [memberPolicy("allow", ["domain_dns"], [accountId])];
    const made = (await app.request("POST", path, { body: { name: "DNS team", policies } })).body.result;
    const [policy] = made.policies;
    assert.deepEqual([policy.access, policy.resource_groups[0].id], ["allow", accountId]);

    const lists = [
      ["", [bare, made]],
      ["?direction=desc", [made, bare]],
      ["?name=DNS%20team", [made]],
      ["?fuzzyName=TEAM", [made]],
      [`?id=${bare.id}`, [bare]],
      ["?per_page=1&page=2", [made]],
      ["?page=3", []],
    ] as const;
    for (const [query, listed] of lists) {
      assert.deepEqual((await app.request("GET", path + query)).body.result, listed, query);
    }
    const renamed = (await app.request("PUT", `${path}/${made.id}`, { body: { name: "DNS" } })).body.result;
    assert.deepEqual([renamed.name, renamed.policies], ["DNS", made.policies]);
    const emptied = (await app.request("PUT", `${path}/${made.id}`, { body: { policies: null } })).body
      .result;
    assert.equal("policies" in emptied, false);
    assert.deepEqual((await app.request("GET", `${path}/${made.id}`)).body.result, emptied);

    const [ada, bob] = [await addMember(app, "ada@example.com"), await addMember(app, "bob@example.com")];
    const members = `${path}/${made.id}/members`;
    const shown = (email: string, id: string) => ({ id, email, status: "accepted" });
    const [first, second] = [shown("ada@example.com", ada.memberId), shown("bob@example.com", bob.memberId)];
    const added = await app.request("POST", members, { body: [{ id: bob.memberId }] });
    assert.deepEqual(added.body.result, [second]);
    await app.request("POST", members, { body: [{ id: ada.memberId }, { id: bob.memberId }] });
    assert.deepEqual((await app.request("GET", members)).body.result, [first, second]);
    assert.deepEqual((await app.request("GET", `${members}?fuzzyEmail=BOB`)).body.result, [second]);
    const details = (await app.request("GET", `${members}/${ada.memberId}`)).body.result;
    assert.deepEqual([details.email, details.user.id], ["ada@example.com", ada.id]);
    const gone = await app.request("DELETE", `${members}/${ada.memberId}`);
    assert.deepEqual(gone.body.result, first);
    assert.equal((await app.request("GET", `${members}/${ada.memberId}`)).status, 404);
    assert.deepEqual((await app.request("PUT", members, { body: [{ id: ada.memberId }] })).body.result, [
      first,
    ]);
    assert.deepEqual((await app.request("PUT", members, { body: [] })).body.result, []);

    assert.deepEqual((await app.request("DELETE", `${path}/${made.id}`)).body.result, { id: made.id });
    assert.equal((await app.request("GET", `${path}/${made.id}`)).status, 404);
    assert.deepEqual((await loggedActions(app, "user_group")).toSorted(), [
      "user_group_add",
      "user_group_add",
      "user_group_delete",
      "user_group_edit",
      "user_group_edit",
      ...Array.from({ length: 5 }, () => "user_group_members_edit"),
    ]);
  });

  test("give their members what their policies allow, at once and only while they belong", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const [first, second] = [await app.createZone("first.example"), await app.createZone("second.example")];
    const resourceGroup = await addResourceGroup(app, "zones", [first]);
    const ada = await addMember(app, "ada@example.com");
    const path = `/accounts/${accountId}/iam/user_groups`;
    const policies = [memberPolicy("allow", ["domain_dns"], [resourceGroup])];
    const group = (await app.request("POST", path, { body: { name: "DNS", policies } })).body.result
      .id as string;
    const item = `${path}/${group}`;
    const statuses = async (): Promise<number[]> => {
      const ask = (zone: string) =>
        app.request("GET", `/zones/${zone}/dns_records`, { headers: ada.headers });
      return (await Promise.all([first, second].map(ask))).map(({ status }) => status);
    };
    const none = await statuses();
    assert.ok(!none.includes(200));
    await app.request("POST", `${item}/members`, { body: [{ id: ada.memberId }] });
    assert.deepEqual(await statuses(), [200, none[1]]);
    const memberships = (await app.request("GET", "/memberships", { headers: ada.headers })).body.result;
    assert.equal(memberships[0].permissions.dns_records.write, false, "not in the whole account");
    await app.request("PUT", `/accounts/${accountId}/iam/resource_groups/${resourceGroup}`, {
      body: { scope: scopeOf(accountId, [second]) },
    });
    assert.deepEqual(await statuses(), [none[0], 200]);
    const inUse = await app.request("DELETE", `/accounts/${accountId}/iam/resource_groups/${resourceGroup}`);
    assert.deepEqual([inUse.status, inUse.body.errors[0]?.code], [400, 1008]);
    await app.request("PUT", item, {
      body: { policies: [memberPolicy("allow", ["domain_dns"], [accountId])] },
    });
    assert.deepEqual(await statuses(), [200, 200]);
    await app.request("PUT", item, {
      body: {
        policies: [
          memberPolicy("allow", ["domain_dns"], [accountId]),
          memberPolicy("deny", ["domain_admin"], [resourceGroup]),
        ],
      },
    });
    assert.deepEqual(await statuses(), [200, none[1]]);
    await app.request("DELETE", `${item}/members/${ada.memberId}`);
    assert.deepEqual(await statuses(), none);
    await app.request("PUT", `${item}/members`, { body: [{ id: ada.memberId }] });
    await app.request("DELETE", item);
    assert.deepEqual(await statuses(), none);
  });

  test("bound the tokens of their members, and end with the membership", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const zone = await app.createZone("first.example");
    const ada = await addMember(app, "ada@example.com");
    const path = `/accounts/${accountId}/iam/user_groups`;
    const policies = [memberPolicy("allow", ["admin"], [accountId])];
    const group = (await app.request("POST", path, { body: { name: "Admins", policies } })).body.result
      .id as string;
    const members = `${path}/${group}/members`;
    await app.request("POST", members, { body: [{ id: ada.memberId }] });
    const token = await app.request("POST", `/accounts/${accountId}/tokens`, {
      headers: ada.headers,
      body: {
        name: "by ada",
        policies: [
          {
            effect: "allow",
            resources: { [`com.cloudflare.api.account.zone.${zone}`]: "*" },
            permission_groups: [{ id: "4755a26eedb94da69e1066d98aa820be" }],
          },
        ],
      },
    });
    assert.equal(token.status, 200, token.text);
    await app.request("DELETE", `/accounts/${accountId}/members/${ada.memberId}`);
    assert.deepEqual((await app.request("GET", members)).body.result, []);
    assert.equal((await app.request("GET", `/zones/${zone}`, { headers: ada.headers })).status, 404);
  });

  test("do not bind super administrators by what they deny, so that no account locks itself out", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const zone = await app.createZone("first.example");
    const [{ id }] = (await app.request("GET", `/accounts/${accountId}/members`)).body.result;
    const path = `/accounts/${accountId}/iam/user_groups`;
    const policies = [memberPolicy("deny", ["all_privileges"], [accountId])];
    const group = (await app.request("POST", path, { body: { name: "None", policies } })).body.result
      .id as string;
    assert.equal((await app.request("POST", `${path}/${group}/members`, { body: [{ id }] })).status, 200);
    assert.equal((await app.request("GET", `/zones/${zone}`)).status, 200);
    assert.equal((await app.request("DELETE", `${path}/${group}`)).status, 200);
  });

  test("name members and groups of their account alone, and stay within their bounds; nothing else is stored", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const other = await addAccount(app, "Other", "accepted");
    const path = `/accounts/${accountId}/iam/user_groups`;
    const ada = await addMember(app, "ada@example.com");
    const foreign = (await app.request("GET", `/accounts/${other}/members`)).body.result[0].id as string;
    const group = (await app.request("POST", path, { body: { name: "Some" } })).body.result.id as string;
    const many = Array.from({ length: 21 }, () => memberPolicy("allow", ["domain_dns"], [accountId]));
    const groups: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      const made = await app.request("POST", path, { body: { name: `g${index}` } });
      groups.push(made.body.result.id as string);
      await app.request("POST", `${path}/${groups[index]}/members`, { body: [{ id: ada.memberId }] });
    }
    const earlier = await storedRows(app);
    const refused = [
      ["POST", path, {}, 400, 1003, "/name"],
      ["POST", path, { name: "x", policies: many }, 400, 1003, "/policies"],
      [
        "POST",
        path,
        { name: "x", policies: [memberPolicy("allow", ["domain_dns"], [other])] },
        400,
        1001,
        "/policies/0/resource_groups/0/id",
      ],
      ["PUT", `${path}/${"0".repeat(32)}`, { name: "x" }, 404, 1003, undefined],
      ["PUT", `/accounts/${other}/iam/user_groups/${group}`, { name: "x" }, 404, 1003, undefined],
      ["POST", `${path}/${group}/members`, [{ id: foreign }], 400, 1001, "/0/id"],
      ["PUT", `${path}/${group}/members`, [{ id: "0".repeat(32) }], 400, 1001, "/0/id"],
      ["POST", `${path}/${group}/members`, [{ id: ada.memberId }], 400, 1012, undefined],
      ["DELETE", `${path}/${group}/members/${ada.memberId}`, undefined, 404, 1003, undefined],
      ["GET", `/accounts/${other}/iam/user_groups/${group}/members`, undefined, 404, 1003, undefined],
    ] as const;
    for (const [method, at, body, status, code, pointer] of refused) {
      const answer = await app.request(method, at, body === undefined ? {} : { body });
      const [error] = answer.body.errors;
      assert.deepEqual(
        [answer.status, error?.code, error?.source?.pointer],
        [status, code, pointer],
        answer.text,
      );
    }
    assert.deepEqual(await storedRows(app), earlier);
  });

  test("are changed by those alone who may do all that they give, or hide", async (t) => {
    const app = await startTestApp(t, engine);
    const { accountId } = app.owner;
    const path = `/accounts/${accountId}/iam/user_groups`;
    const make = async (name: string, policies: object[]): Promise<string> =>
      (await app.request("POST", path, { body: { name, policies } })).body.result.id as string;
    const stronger = await make("Stronger", [memberPolicy("allow", ["domain_dns"], [accountId])]);
    const limiting = await make("Limiting", [memberPolicy("deny", ["billing_write"], [accountId])]);
    // Holds the members of the account, and is denied a right of its own by a group.
    const ada = await addMember(app, "ada@example.com");
    await app.request("PUT", `/accounts/${accountId}/members/${ada.memberId}`, {
      body: { policies: [memberPolicy("allow", ["account_settings_write", "billing_write"], [accountId])] },
    });
    await app.request("POST", `${path}/${limiting}/members`, { body: [{ id: ada.memberId }] });
    const earlier = await storedRows(app);
    const refused = [
      ["POST", path, { name: "x", policies: [memberPolicy("allow", ["domain_dns"], [accountId])] }],
      ["PUT", `${path}/${stronger}`, { policies: null }],
      ["DELETE", `${path}/${stronger}`, undefined],
      ["POST", `${path}/${stronger}/members`, [{ id: ada.memberId }]],
      ["DELETE", `${path}/${limiting}`, undefined],
      ["PUT", `${path}/${limiting}`, { policies: [] }],
      ["PUT", `${path}/${limiting}/members`, []],
      ["DELETE", `${path}/${limiting}/members/${ada.memberId}`, undefined],
    ] as const;
    for (const [method, at, body] of refused) {
      const answer = await app.request(method, at, { headers: ada.headers, ...(body && { body }) });
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [403, 9109], `${method} ${at}`);
    }
    assert.deepEqual(await storedRows(app), earlier);
    const own = await app.request("POST", path, {
      headers: ada.headers,
      body: { name: "own", policies: [memberPolicy("allow", ["account_settings_write"], [accountId])] },
    });
    assert.equal(own.status, 200, own.text);
  });
});
