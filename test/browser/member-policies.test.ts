import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a member is given a permission on a group of zones by a policy, which is shown and changed", async (t) => {
  const { app, page, open } = await openDashboard(t, { width: 390, colorScheme: "dark" });
  const zoneId = await app.createZone("example.com");
  const account = `/accounts/${app.owner.accountId}`;
  await app.request("POST", `${account}/iam/resource_groups`, {
    body: {
      name: "Shops",
      scope: {
        key: `com.cloudflare.api.account.${app.owner.accountId}`,
        objects: [{ key: `com.cloudflare.api.account.zone.${zoneId}` }],
      },
    },
  });
  await open(`${account}/members`);
  await page.getByRole("button", { name: "Invite a member" }).click();
  await page.getByLabel("E-mail").fill("dora@example.com");
  await page.getByText("Policies", { exact: true }).click();
  const policy = page.getByRole("group", { name: "Policy 1" });
  await policy.getByRole("combobox", { name: "Permissions" }).fill("DNS Wr");
  await page.getByRole("option", { name: "DNS Write", exact: true }).click();
  await policy.getByRole("combobox", { name: "Resource groups" }).click();
  await page.getByRole("option", { name: "Shops" }).click();
  await page.getByRole("option", { name: "The whole account" }).click();
  await page.getByRole("button", { name: "Invite", exact: true }).focus();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByText("DNS Write on Shops").waitFor();

  await page.getByRole("button", { name: "Change the roles of dora@example.com" }).click();
  await page.getByRole("button", { name: "Add a policy" }).click();
  const second = page.getByRole("group", { name: "Policy 2" });
  await second.getByRole("combobox", { name: "Effect" }).click();
  await page.getByRole("option", { name: "Deny, whatever else allows it" }).click();
  await second.getByRole("combobox", { name: "Permissions" }).fill("Zone Settings Wr");
  await page.getByRole("option", { name: "Zone Settings Write", exact: true }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("DNS Write on Shops; Never Zone Settings Write on everything").waitFor();
  await assertAccessible(page);
  const { body } = await app.request("GET", `${account}/members`);
  const dora = body.result.find(({ email }: { email: string }) => email === "dora@example.com");
  assert.deepEqual(
    dora.policies.map(({ access }: { access: string }) => access),
    ["allow", "deny"],
  );
});
