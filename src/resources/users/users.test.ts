import assert from "node:assert/strict";
import { test } from "node:test";

import {
  byKey,
  byToken,
  onComparedEngines,
  ownerEmail,
  startTestApp,
} from "../../../test/support/harness.ts";
import { addAccount, addZone } from "../../../test/support/store.ts";

const startedOn = "2026-01-02T03:04:05.678000Z";

onComparedEngines("getUser", (engine) => {
  test("the caller is shown with its accounts, alike by key and by token", async (t) => {
    const app = await startTestApp(t, engine);
    const answer = await app.request("GET", "/user", { headers: byToken });
    assert.equal(answer.status, 200, answer.text);
    const { username, organizations, ...rest } = answer.body.result;
    assert.match(username, /^[0-9a-f]{32}$/);
    assert.deepEqual(rest, {
      id: app.owner.userId,
      email: ownerEmail,
      first_name: null,
      last_name: null,
      telephone: null,
      country: null,
      zipcode: null,
      two_factor_authentication_enabled: false,
      two_factor_authentication_locked: false,
      created_on: startedOn,
      modified_on: startedOn,
      has_pro_zones: false,
      has_business_zones: false,
      has_enterprise_zones: false,
      suspended: false,
      betas: [],
    });
    const { permissions } = (await app.request("POST", "/zones", { body: { name: "example.com" } })).body
      .result;
    assert.ok(permissions.includes("#dns_records:edit"));
    assert.deepEqual(organizations, [
      {
        id: app.owner.accountId,
        name: "Zoneward",
        status: "member",
        permissions,
        roles: ["Super Administrator - All Privileges"],
      },
    ]);
    assert.deepEqual(Object.keys(answer.body.result), [
      "id", "email", "first_name", "last_name", "username", "telephone", "country", "zipcode",
      "two_factor_authentication_enabled", "two_factor_authentication_locked", "created_on", "modified_on",
      "organizations", "has_pro_zones", "has_business_zones", "has_enterprise_zones", "suspended", "betas",
    ]); // prettier-ignore
    const byKeyToo = (await app.request("GET", "/user", { headers: byKey })).body.result;
    assert.deepEqual(byKeyToo, { ...answer.body.result, has_enterprise_zones: true });
  });

  test("an invitation that is not accepted shows as one, and opens nothing", async (t) => {
    const app = await startTestApp(t, engine);
    const invitedTo = await addAccount(app, "Another team", "pending");
    await addZone(app, "theirs.example", { account_id: invitedTo, plan: "pro" });
    const { body } = await app.request("GET", "/user");
    assert.deepEqual(
      body.result.organizations.map(({ name, status }: Record<string, string>) => [name, status]),
      [
        ["Another team", "invited"],
        ["Zoneward", "member"],
      ],
    );
    assert.deepEqual(body.result.organizations[0].permissions, []);
    assert.equal(body.result.has_pro_zones, false);
  });

  test("the plans of the caller's zones show, those of foreign zones do not", async (t) => {
    const app = await startTestApp(t, engine);
    await addZone(app, "theirs.example", { account_id: await addAccount(app, "Foreign"), plan: "business" });
    const zoneId = await app.createZone("example.com");
    const flags = async (): Promise<boolean[]> => {
      const { result } = (await app.request("GET", "/user")).body;
      return [result.has_pro_zones, result.has_business_zones, result.has_enterprise_zones];
    };
    assert.deepEqual(await flags(), [false, false, true]);
    await app.request("PATCH", `/zones/${zoneId}`, { body: { plan: { id: "pro" } } });
    assert.deepEqual(await flags(), [true, false, false]);
    await app.request("PATCH", `/zones/${zoneId}`, { body: { plan: { id: "business" } } });
    assert.deepEqual(await flags(), [false, true, false]);
    await app.request("PATCH", `/zones/${zoneId}`, { body: { plan: { id: "free" } } });
    assert.deepEqual(await flags(), [false, false, false]);
  });
});
