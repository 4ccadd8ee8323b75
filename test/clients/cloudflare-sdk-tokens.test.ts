import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare, { AuthenticationError, NotFoundError, PermissionDeniedError } from "cloudflare";
import type { TokenPolicyParam } from "cloudflare/resources/shared";

import { onComparedEngines, ownerToken, startTestApp } from "../support/harness.ts";

onComparedEngines("the npm package cloudflare and tokens", (engine) => {
  test("creates, lists, gets, updates, rolls, verifies and deletes them, for a user and for an account", async (t) => {
    const app = await startTestApp(t, engine);
    const client = new Cloudflare({ baseURL: app.baseUrl, apiToken: ownerToken });
    const zoneId = await app.createZone("example.com");
    const [group] = (await client.user.tokens.permissionGroups.list({ name: "DNS Read" })).result;
    assert.equal(group?.name, "DNS Read");
    const policies: TokenPolicyParam[] = [
      {
        effect: "allow",
        resources: { [`com.cloudflare.api.account.zone.${zoneId}`]: "*" },
        permission_groups: [{ id: group?.id ?? "" }],
      },
    ];
    const condition = { request_ip: { in: ["127.0.0.0/8"], not_in: ["192.0.2.0/24"] } };
    const account_id = app.owner.accountId;

    const created = await client.user.tokens.create({ name: "ci", policies, condition });
    assert.equal(created.value?.length, 40);
    assert.deepEqual(created.condition?.request_ip, condition.request_ip);
    const own = new Cloudflare({ baseURL: app.baseUrl, apiToken: created.value ?? "" });
    assert.deepEqual(await own.user.tokens.verify(), { id: created.id, status: "active" });
    assert.deepEqual(
      (await own.zones.list()).result.map(({ id }) => id),
      [zoneId],
    );
    const names: (string | undefined)[] = [];
    for await (const token of client.user.tokens.list()) names.push(token.name);
    assert.deepEqual(new Set(names), new Set(["Owner token", "ci"]));
    const id = created.id ?? "";
    const updated = await client.user.tokens.update(id, { name: "ci 2", policies, status: "disabled" });
    assert.deepEqual([updated.name, updated.status, updated.condition], ["ci 2", "disabled", undefined]);
    await assert.rejects(own.zones.list(), PermissionDeniedError);
    await assert.rejects(own.user.tokens.verify(), AuthenticationError);
    assert.equal((await client.user.tokens.value.update(id, { body: {} })).length, 40);
    assert.deepEqual(await client.user.tokens.delete(id), { id });
    await assert.rejects(client.user.tokens.get(id), NotFoundError);

    const ofAccount = await client.accounts.tokens.create({ account_id, name: "account", policies });
    const accountClient = new Cloudflare({ baseURL: app.baseUrl, apiToken: ofAccount.value ?? "" });
    assert.equal((await accountClient.accounts.tokens.verify({ account_id })).id, ofAccount.id);
    await assert.rejects(accountClient.user.tokens.verify(), AuthenticationError);
    const listed = await client.accounts.tokens.list({ account_id });
    assert.deepEqual(
      listed.result.map((token) => token.name),
      ["account"],
    );
    assert.deepEqual(await client.accounts.tokens.delete(ofAccount.id ?? "", { account_id }), {
      id: ofAccount.id,
    });
  });
});
