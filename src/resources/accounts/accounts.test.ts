import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onEachEngine, startTestApp, type TestApp } from "../../../test/harness.ts";
import { addAccount } from "../../../test/store.ts";
import { suiteContext } from "../../../test/suite-context.ts";

const startedOn = "2026-01-02T03:04:05.678000Z";
const unknownId = "0123456789abcdef0123456789abcdef";

const settings = {
  enforce_twofactor: false,
  api_access_enabled: null,
  access_approval_expiry: null,
  use_account_custom_ns_by_default: false,
  default_nameservers: "cloudflare.standard",
  abuse_contact_email: null,
};

const namesOf = (result: readonly { name: string }[]): string[] => result.map(({ name }) => name);

onEachEngine("getAccount", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine);
  });

  test("answers as listAccounts lists", async () => {
    const list = await app.request("GET", "/accounts");
    const account = {
      id: app.owner.accountId,
      name: "Zoneward",
      type: "standard",
      settings,
      created_on: startedOn,
    };
    assert.equal(JSON.stringify(list.body.result), JSON.stringify([account]));
    const { status, body } = await app.request("GET", `/accounts/${app.owner.accountId}`);
    assert.equal(status, 200);
    assert.equal(JSON.stringify(body.result), JSON.stringify(account));
  });

  test("answers a foreign account exactly as one that does not exist", async () => {
    const foreign = await addAccount(app, "Foreign");
    const invitedTo = await addAccount(app, "Invited", "pending");
    const left = await addAccount(app, "Left", "rejected");
    for (const id of [unknownId, foreign, invitedTo, left]) {
      const { status, text } = await app.request("GET", `/accounts/${id}`);
      assert.equal(status, 404);
      assert.equal(
        text,
        '{"result":null,"success":false,"errors":[{"code":1001,"message":"Invalid account identifier"}],"messages":[]}',
      );
    }
  });
});

onEachEngine("listAccounts", (engine) => {
  test("lists, filters and sorts the accounts of which the caller is a member", async (t) => {
    const app = await startTestApp(t, engine);
    await addAccount(app, "Foreign");
    await addAccount(app, "Invited", "pending");
    await addAccount(app, "alpha: Team", "accepted");
    await addAccount(app, "100% Ümlaut_", "accepted");
    const cases = [
      ["", ["100% Ümlaut_", "alpha: Team", "Zoneward"]],
      ["?direction=desc", ["Zoneward", "alpha: Team", "100% Ümlaut_"]],
      ["?name=ALPHA: team", ["alpha: Team"]],
      ["?name=100%25 üMLAUT_", ["100% Ümlaut_"]],
      ["?name=100%25 ümlautX", []],
      ["?name=alpha", []],
      ["?name=Foreign", []],
      ["?name=Invited", []],
      ["?name=", ["100% Ümlaut_", "alpha: Team", "Zoneward"]],
      ["?name='; drop table accounts; --", []],
    ] as const;
    for (const [query, names] of cases) {
      const { status, body } = await app.request("GET", `/accounts${query}`);
      assert.equal(status, 200, query);
      assert.deepEqual(namesOf(body.result), names, query);
      assert.equal(body.result_info?.total_count, names.length, query);
    }
    const byId = (await app.request("GET", "/accounts?order=id")).body.result;
    const ids = byId.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, ids.toSorted());
  });
});

onEachEngine("listMemberships", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine);
  });

  test("a membership shows its account, roles and what they grant", async () => {
    const { status, body } = await app.request("GET", "/memberships");
    assert.equal(status, 200);
    const [{ id, permissions, ...membership }] = body.result;
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.equal(
      JSON.stringify(membership),
      JSON.stringify({
        status: "accepted",
        account: { id: app.owner.accountId, name: "Zoneward", settings, created_on: startedOn },
        api_access_enabled: null,
        roles: ["Super Administrator - All Privileges"],
      }),
    );
    assert.deepEqual(Object.keys(permissions), [
      "analytics", "billing", "cache_purge", "dns", "dns_records", "lb", "logs", "organization", "ssl", "waf",
      "zone_settings", "zones",
    ]); // prettier-ignore
    for (const [block, grant] of Object.entries(permissions)) {
      assert.deepEqual(grant, { read: true, write: block !== "analytics" }, block);
    }
    assert.deepEqual(Object.keys(body.result[0]), [
      "id", "status", "account", "api_access_enabled", "roles", "permissions",
    ]); // prettier-ignore
  });

  test("a status that there is not is 400 and names those that there are", async () => {
    const { status, body } = await app.request("GET", "/memberships?status=bogus");
    assert.equal(status, 400);
    assert.deepEqual(body.errors, [
      {
        code: 1003,
        message: "Invalid query parameter `status`: must be one of: accepted, pending, rejected",
        source: { pointer: "/status" },
      },
    ]);
  });
});

onEachEngine("listMemberships of more accounts", (engine) => {
  test("memberships are listed in every status, filtered and sorted", async (t) => {
    const app = await startTestApp(t, engine);
    await addAccount(app, "Foreign");
    await addAccount(app, "Invited", "pending");
    await addAccount(app, "Left", "rejected");
    await addAccount(app, "alpha", "accepted");
    const cases = [
      ["", ["alpha", "Invited", "Left", "Zoneward"]],
      ["?direction=DESC", ["Zoneward", "Left", "Invited", "alpha"]],
      ["?status=pending", ["Invited"]],
      ["?status=rejected", ["Left"]],
      ["?status=accepted", ["alpha", "Zoneward"]],
      ["?name=ALPHA", ["alpha"]],
      ["?account.name=left", ["Left"]],
      ["?account[name]=left", ["Left"]],
      ["?account.name=left&name=alpha", ["Left"]],
      ["?account.name=left&status=accepted", []],
      ["?name=Foreign", []],
    ] as const;
    for (const [query, names] of cases) {
      const { status, body } = await app.request("GET", `/memberships${query}`);
      assert.equal(status, 200, query);
      assert.deepEqual(
        body.result.map(({ account }: { account: { name: string } }) => account.name),
        names,
        query,
      );
    }
    const byStatus = (await app.request("GET", "/memberships?order=status")).body.result;
    assert.deepEqual(
      byStatus.map(({ status }: { status: string }) => status),
      ["accepted", "accepted", "pending", "rejected"],
    );
    const { permissions } = (await app.request("GET", "/memberships?status=pending")).body.result[0];
    for (const grant of Object.values(permissions)) assert.deepEqual(grant, { read: false, write: false });
  });
});
