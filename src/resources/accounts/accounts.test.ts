import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addAccount, besideServer } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

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

onComparedEngines("getAccount", (engine) => {
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

onComparedEngines("listAccounts", (engine) => {
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
      await t.test(`query ${query}`, async () => {
        const { status, body } = await app.request("GET", `/accounts${query}`);
        assert.equal(status, 200, query);
        assert.deepEqual(namesOf(body.result), names, query);
        assert.equal(body.result_info?.total_count, names.length, query);
      });
    }
    const byId = (await app.request("GET", "/accounts?order=id")).body.result;
    const ids = byId.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, ids.toSorted());
  });
});

onComparedEngines("replaceAccount", (engine) => {
  test("an account gets another name, and the change is logged once", async (t) => {
    const app = await startTestApp(t, engine);
    const path = `/accounts/${app.owner.accountId}`;
    const shown = (await app.request("GET", path)).body.result;
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await app.request("PUT", path, { body: { ...shown, name: "Ümlaut Team" } });
      assert.equal(status, 200);
      assert.deepEqual(body.result, { ...shown, name: "Ümlaut Team" });
    }
    assert.equal((await app.request("GET", path)).body.result.name, "Ümlaut Team");
    assert.deepEqual(namesOf((await app.request("GET", "/accounts?name=üMLAUT team")).body.result), [
      "Ümlaut Team",
    ]);
    const rows = await besideServer(app, (tx) => tx.selectFrom("audit_logs").selectAll().execute());
    assert.deepEqual(
      rows.map((row) => [row.action_type, row.account_id, JSON.parse(row.old_value ?? "").name]),
      [["account_edit", app.owner.accountId, "Zoneward"]],
    );
  });

  test("a name that is none, and settings other than those that there are, are refused", async (t) => {
    const app = await startTestApp(t, engine);
    const path = `/accounts/${app.owner.accountId}`;
    const shown = (await app.request("GET", path)).text;
    const cases = [
      [{}, "/name"],
      [{ name: "" }, "/name"],
      [{ name: "x".repeat(101) }, "/name"],
      [{ name: "a\0b" }, "/name"],
      [{ name: "Other", type: "enterprise" }, "/type"],
      [{ name: "Other", settings: { enforce_twofactor: true } }, "/settings/enforce_twofactor"],
      [{ name: "Other", settings: { abuse_contact_email: "x" } }, "/settings/abuse_contact_email"],
      [
        { name: "Other", settings: { default_nameservers: "custom.account" } },
        "/settings/default_nameservers",
      ],
    ] as const;
    for (const [body, pointer] of cases) {
      await t.test(JSON.stringify(body).slice(0, 120), async () => {
        const answer = await app.request("PUT", path, { body });
        assert.equal(answer.status, 400);
        assert.equal(answer.body.errors[0]?.source?.pointer, pointer);
      });
    }
    const foreign = await addAccount(app, "Foreign");
    for (const id of [foreign, unknownId]) {
      assert.equal((await app.request("PUT", `/accounts/${id}`, { body: { name: "Mine" } })).status, 404);
    }
    assert.equal((await app.request("GET", path)).text, shown);
  });
});

onComparedEngines("editAccount", (engine) => {
  test("changes what is sent and nothing else, and memberships show it", async (t) => {
    const app = await startTestApp(t, engine);
    const path = `/accounts/${app.owner.accountId}`;
    const shown = (await app.request("GET", path)).body.result;
    const contact = "abuse@example.com";
    const steps = [
      [{ settings: { abuse_contact_email: contact } }, "Zoneward", contact],
      [{ name: "Renamed" }, "Renamed", contact],
      [{ settings: null }, "Renamed", contact],
      [{}, "Renamed", contact],
      [{ settings: { abuse_contact_email: null } }, "Renamed", null],
    ] as const;
    for (const [body, name, abuse_contact_email] of steps) {
      const answer = await app.request("PATCH", path, { body });
      assert.equal(answer.status, 200, answer.text);
      const expected = { ...shown, name, settings: { ...shown.settings, abuse_contact_email } };
      assert.deepEqual(answer.body.result, expected);
      assert.deepEqual((await app.request("GET", path)).body.result, expected);
      assert.deepEqual((await app.request("GET", "/memberships")).body.result[0].account, expected);
    }
    const log = (await app.request("GET", `${path}/audit_logs?action.type=account_edit`)).body.result;
    assert.equal(log.length, 3);
  });
});
