import assert from "node:assert/strict";
import { test } from "node:test";

import { superAdministratorId } from "../../core/policy/roles.ts";
import {
  byKey,
  byToken,
  onComparedEngines,
  startTestApp,
  type TestApp,
  testOnEachEngine,
} from "../../../test/support/harness.ts";
import { addAccount, addUser, besideServer, storedRows } from "../../../test/support/store.ts";

const asOwner = { create_accounts: "owner" } as const;

async function createAccount(app: TestApp, body: object = { name: "Second" }): Promise<string> {
  const answer = await app.request("POST", "/accounts", { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.result.id as string;
}

onComparedEngines("createAccount", (engine) => {
  test("makes the owner the super administrator of a new account, in which it works at once", async (t) => {
    const app = await startTestApp(t, engine, asOwner);
    const body = {
      name: "Second",
      type: "enterprise",
      settings: { abuse_contact_email: "abuse@example.com", enforce_twofactor: false },
    };
    const { status, body: created } = await app.request("POST", "/accounts", { headers: byKey, body });
    assert.equal(status, 200);
    const { id, ...shown } = created.result;
    assert.deepEqual(shown, {
      name: "Second",
      type: "enterprise",
      settings: {
        enforce_twofactor: false,
        api_access_enabled: null,
        access_approval_expiry: null,
        use_account_custom_ns_by_default: false,
        default_nameservers: "cloudflare.standard",
        abuse_contact_email: "abuse@example.com",
      },
      created_on: "2026-01-02T03:04:05.678000Z",
    });
    assert.deepEqual((await app.request("GET", `/accounts/${id}`)).body.result, created.result);
    const members = (await app.request("GET", `/accounts/${id}/members`)).body.result;
    assert.deepEqual(
      members.map((member: { email: string; roles: { id: string }[] }) => [
        member.email,
        member.roles[0]?.id,
      ]),
      [[app.owner.email, superAdministratorId]],
    );
    const zone = await app.request("POST", "/zones", { body: { name: "example.com", account: { id } } });
    assert.equal(zone.status, 200);
    for (const path of [`/accounts/${id}/audit_logs?action.type=account_add`, "/user/audit_logs"]) {
      const [entry] = (await app.request("GET", path)).body.result;
      assert.deepEqual([entry.action.type, entry.resource.id], ["account_add", id], path);
    }
  });

  test("is refused with 403 code 1002 to everybody but the owner, and to the owner unless the setting says so", async (t) => {
    const [app, closed] = [await startTestApp(t, engine, asOwner), await startTestApp(t, engine)];
    const accountId = app.owner.accountId;
    const member = await addUser(app, "member@example.com", {
      account: accountId,
      role: "Super Administrator - All Privileges",
    });
    const ofAccount = await app.request("POST", `/accounts/${accountId}/tokens`, {
      headers: byKey,
      body: {
        name: "of the account",
        policies: [
          {
            effect: "allow",
            resources: { [`com.cloudflare.api.account.${accountId}`]: "*" },
            permission_groups: [{ id: "1af1fa2adc104452b74a9a3364202f20" }],
          },
        ],
      },
    });
    assert.equal(ofAccount.status, 200, ofAccount.text);
    const cases = [
      [closed, byToken],
      [closed, byKey],
      [app, member.headers],
      [app, { authorization: `Bearer ${ofAccount.body.result.value}` }],
    ] as const;
    for (const [server, headers] of cases) {
      const earlier = await storedRows(server);
      const { status, body } = await server.request("POST", "/accounts", {
        headers,
        body: { name: "Mine" },
      });
      assert.deepEqual([status, body.errors[0]?.code, body.result], [403, 1002, null]);
      assert.deepEqual(await storedRows(server), earlier);
    }
  });

  test("a body that is not in order makes no account", async (t) => {
    const app = await startTestApp(t, engine, asOwner);
    const earlier = await storedRows(app);
    const cases = [
      [{}, "/name"],
      [{ name: "" }, "/name"],
      [{ name: "A", type: "free" }, "/type"],
      [{ name: "A", unit: { id: "1" } }, "/unit"],
      [{ name: "A", settings: { enforce_twofactor: true } }, "/settings/enforce_twofactor"],
      [{ name: "A", settings: { abuse_contact_email: "nobody" } }, "/settings/abuse_contact_email"],
    ] as const;
    for (const [body, pointer] of cases) {
      await t.test(JSON.stringify(body).slice(0, 120), async () => {
        const answer = await app.request("POST", "/accounts", { body });
        assert.equal(answer.status, 400);
        assert.equal(answer.body.errors[0]?.source?.pointer, pointer);
      });
    }
    assert.deepEqual(await storedRows(app), earlier);
  });
});

onComparedEngines("deleteAccount", (engine) => {
  test("deletes an account without zones with all that belongs to it, and tells so in the owner's log", async (t) => {
    const app = await startTestApp(t, engine, asOwner);
    const id = await createAccount(app);
    const path = `/accounts/${id}`;
    await app.request("POST", `${path}/members`, {
      body: { email: "guest@example.com", roles: [superAdministratorId] },
    });
    await app.request("POST", `${path}/firewall/access_rules/rules`, {
      body: { mode: "block", configuration: { target: "ip", value: "192.0.2.1" } },
    });
    const { status, body } = await app.request("DELETE", path);
    assert.deepEqual([status, body.result], [200, { id }]);
    assert.equal((await app.request("GET", path)).status, 404);
    assert.equal((await app.request("GET", "/accounts")).body.result.length, 1);
    for (const table of ["memberships", "access_rules"] as const) {
      const rows = await besideServer(app, (tx) =>
        tx.selectFrom(table).selectAll().where("account_id", "=", id).execute(),
      );
      assert.deepEqual(rows, [], table);
    }
    const [entry] = (await app.request("GET", "/user/audit_logs?action.type=account_delete")).body.result;
    assert.deepEqual(entry.resource, { type: "account", id });
    assert.deepEqual(
      [entry.metadata.memberships, entry.metadata.access_rules, entry.metadata.tokens],
      [2, 1, 0],
    );
  });

  test("is refused while the account has zones, for the owner's last account, and to everybody else", async (t) => {
    const app = await startTestApp(t, engine, asOwner);
    const full = await createAccount(app);
    await app.request("POST", "/zones", { body: { name: "example.com", account: { id: full } } });
    const member = await addUser(app, "member@example.com", {
      account: full,
      role: "Super Administrator - All Privileges",
    });
    const reader = await addUser(app, "reader@example.com", { account: full, role: "Administrator" });
    const foreign = await addAccount(app, "Foreign");
    const earlier = await storedRows(app);
    const cases = [
      [byToken, full, 400, 1004],
      [member.headers, full, 403, 1002],
      [reader.headers, full, 403, 10000],
      [byToken, foreign, 404, 1001],
    ] as const;
    for (const [headers, id, status, code] of cases) {
      await t.test(JSON.stringify([id, status, code]).slice(0, 120), async () => {
        const answer = await app.request("DELETE", `/accounts/${id}`, { headers });
        assert.deepEqual([answer.status, answer.body.errors[0]?.code], [status, code], answer.text);
      });
    }
    assert.deepEqual(await storedRows(app), earlier);

    const alone = await startTestApp(t, engine, asOwner);
    const last = await alone.request("DELETE", `/accounts/${alone.owner.accountId}`);
    assert.deepEqual([last.status, last.body.errors[0]?.code], [400, 1005]);
    assert.equal((await alone.request("GET", `/accounts/${alone.owner.accountId}`)).status, 200);
    const closed = await startTestApp(t, engine);
    const kept = await closed.request("DELETE", `/accounts/${closed.owner.accountId}`);
    assert.deepEqual([kept.status, kept.body.errors[0]?.code], [403, 1002]);
  });

  testOnEachEngine(
    "a zone is never left without its account, in whatever order both are asked for",
    async (t, either) => {
      const app = await startTestApp(t, either, asOwner);
      for (let round = 0; round < 5; round += 1) {
        const id = await createAccount(app);
        const name = `race-${round}.example`;
        const [deleted, zone] = await Promise.all([
          app.request("DELETE", `/accounts/${id}`),
          app.request("POST", "/zones", { body: { name, account: { id } } }),
        ]);
        const outcome = [deleted.status, zone.status].join();
        assert.ok(["200,404", "400,200"].includes(outcome), `${outcome} ${deleted.text} ${zone.text}`);
      }
    },
  );
});
