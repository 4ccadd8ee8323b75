import assert from "node:assert/strict";
import { test } from "node:test";

import { account } from "../../src/core/policy/permission-groups.ts";
import { allow, keys } from "../authorization/world.ts";
import { besideServer } from "../support/store.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a token of an account is made for chosen zones of it, changed, rolled and deleted", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const tokens = `/accounts/${app.owner.accountId}/tokens`;
  await open(tokens);
  await page.getByText("No tokens yet").waitFor();
  await page.getByRole("link", { name: "Create a token" }).first().click();
  await page.getByRole("link", { name: "Edit zone DNS" }).click();
  await page.getByLabel("Name").fill("certbot");
  await page.getByRole("combobox", { name: "Zones" }).click();
  await page.getByRole("option", { name: "example.com" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add a policy" }).click();
  const second = page.getByRole("group", { name: "Policy 2" });
  await second.getByRole("combobox", { name: "Permissions" }).fill("Cache Pu");
  await page.getByRole("option", { name: "Cache Purge", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("listitem").getByText("May use Cache Purge on all zones of Zoneward.").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Create the token" }).click();
  const secret = await page.getByTestId("token-secret").innerText();
  const verify = async (token: string): Promise<number> =>
    (await app.request("GET", `${tokens}/verify`, { headers: { authorization: `Bearer ${token}` } })).status;
  assert.equal(await verify(secret), 200);
  const headers = { authorization: `Bearer ${secret}` };
  assert.equal((await app.request("GET", `/zones/${zoneId}/dns_records`, { headers })).status, 200);
  assert.equal((await app.request("GET", "/user/tokens")).body.result.length, 1);

  await page.getByRole("link", { name: "I have saved it" }).click();
  await page.getByRole("link", { name: "certbot" }).click();
  await page.getByLabel("Name").fill("certbot of the shop");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "certbot of the shop" }).waitFor();
  assert.equal(new URL(page.url()).pathname, tokens);
  await assertAccessible(page);

  const act = async (action: string): Promise<void> => {
    await page.getByRole("button", { name: "Actions for the token certbot of the shop" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await act("Roll the secret");
  await page.getByRole("dialog").getByRole("button", { name: "Roll" }).click();
  const rolled = await page.getByTestId("token-secret").innerText();
  assert.deepEqual([await verify(secret), await verify(rolled)], [401, 200]);
  await page.getByRole("button", { name: "I have saved it" }).click();
  await act("Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No tokens yet").waitFor();
  assert.equal(await verify(rolled), 401);
});

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`the page of a token shows how often it was used (${colorScheme}, ${width} pixels)`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme, width });
    const tokens = `/accounts/${app.owner.accountId}/tokens`;
    const policies = [allow(keys.account(app.owner.accountId), account("Account Settings Read"))];
    const { body } = await app.request("POST", tokens, { body: { name: "certbot", policies } });
    const token_id = body.result.id;
    const usage = [
      { token_id, day: "2026-01-01", requests: 1_200 },
      { token_id, day: "2026-01-02", requests: 34 },
    ];
    await besideServer(app, (tx) => tx.insertInto("token_usage").values(usage).execute());
    await open(tokens);
    await page.getByRole("link", { name: "certbot" }).click();
    await page
      .getByRole("img", { name: "1,234 requests in the last 30 days, at most 1,200 in one" })
      .waitFor();
    await page.getByLabel("Name").waitFor();
    await assertAccessible(page);
  });
