import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare, { NotFoundError } from "cloudflare";

import { onComparedEngines, ownerEmail, ownerKey, startTestApp, type TestApp } from "../support/harness.ts";
import { addUser } from "../support/store.ts";

onComparedEngines("the npm package cloudflare, on members", (engine) => {
  test("invites, answers, lists, edits and removes members", async (t) => {
    const app = await startTestApp(t, engine);
    const account_id = app.owner.accountId;
    const dora = await addUser(app, "dora@example.com");
    const owner = clientOf(app, ownerEmail, ownerKey);
    const guest = clientOf(app, dora.email, dora.headers["x-auth-key"] ?? "");

    const roles = await Array.fromAsync(owner.accounts.roles.list({ account_id }));
    assert.equal(roles.length, 14);
    const roleCalled = (name: string) => roles.find((role) => role.name === name) ?? assert.fail(name);
    const dns = roleCalled("DNS");
    assert.deepEqual(await owner.accounts.roles.get(dns.id, { account_id }), dns);

    const invited = await owner.accounts.members.create({ account_id, email: dora.email, roles: [dns.id] });
    assert.deepEqual([invited.status, invited.user?.email], ["pending", dora.email]);
    const invites = await Array.fromAsync(guest.user.invites.list());
    assert.deepEqual(
      invites.map(({ id, status, organization_id }) => [id, status, organization_id]),
      [[invited.id, "pending", account_id]],
    );
    const id = invited.id ?? "";
    assert.deepEqual(await guest.user.invites.get(id), invites[0]);
    assert.equal((await guest.user.invites.edit(id, { status: "accepted" })).status, "accepted");
    assert.equal((await guest.memberships.get(id)).permissions?.dns_records?.write, true);

    const billing = roleCalled("Billing");
    const edited = await owner.accounts.members.update(id, { account_id, roles: [billing] });
    assert.deepEqual(edited.roles, [billing]);
    assert.deepEqual(await owner.accounts.members.get(id, { account_id }), edited);
    const accepted = await Array.fromAsync(
      owner.accounts.members.list({ account_id, status: "accepted", order: "user.email", per_page: 1 }),
    );
    assert.deepEqual(
      accepted.map(({ user }) => user?.email),
      [dora.email, ownerEmail],
    );
    assert.deepEqual(await owner.accounts.members.delete(id, { account_id }), { id });
    assert.deepEqual((await guest.memberships.list()).result, []);
  });

  test("answers an invite by its membership, leaves again, and edits user and account", async (t) => {
    const app = await startTestApp(t, engine);
    const account_id = app.owner.accountId;
    const dora = await addUser(app, "dora@example.com");
    const owner = clientOf(app, ownerEmail, ownerKey);
    const guest = clientOf(app, dora.email, dora.headers["x-auth-key"] ?? "");
    const [role] = (await owner.accounts.roles.list({ account_id })).result;
    await owner.accounts.members.create({ account_id, email: dora.email, roles: [role?.id ?? ""] });
    const [pending] = (await guest.memberships.list({ status: "pending" })).result;
    const id = pending?.id ?? "";
    assert.equal((await guest.memberships.update(id, { status: "accepted" })).status, "accepted");

    const renamed = await guest.accounts.update({
      account_id,
      id: account_id,
      name: "Ours",
      type: "standard",
    });
    assert.equal(renamed.name, "Ours");
    assert.deepEqual(await guest.memberships.delete(id), { id });
    await assert.rejects(guest.accounts.get({ account_id }), NotFoundError);
    const edited = (await guest.user.edit({ first_name: "Dora" })) as { first_name?: string };
    assert.equal(edited.first_name, "Dora");
  });
});

function clientOf(app: TestApp, apiEmail: string, apiKey: string): Cloudflare {
  return new Cloudflare({ baseURL: app.baseUrl, apiEmail, apiKey, apiToken: null, maxRetries: 0 });
}
