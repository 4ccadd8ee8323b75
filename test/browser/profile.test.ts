import assert from "node:assert/strict";
import { test } from "node:test";

import { signedInBrowser } from "../support/browser.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a user sees where it is signed in, and signs out of the other browsers", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const others = [await signedInBrowser(app), await signedInBrowser(app)];
  await open("/profile/sessions");
  await page.getByRole("row", { name: /This browser/ }).waitFor();
  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("One session was ended.").waitFor();
  await page.getByRole("button", { name: "Sign out everywhere else" }).press("Enter");
  await assertAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
  await page
    .getByRole("row")
    .getByRole("button", { name: "Sign out", exact: true })
    .first()
    .waitFor({ state: "detached" });
  for (const other of others) assert.equal((await other.api("GET", "/user")).status, 401);
  await open("/profile/audit-log");
  await page
    .getByRole("button", { name: /^Details of/ })
    .first()
    .waitFor();
});

test("the names of the user and of the account are changed, and a wrong contact says so at its field", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await open("/profile/details");
  await page.getByLabel("First name").fill("Dora");
  await page.keyboard.press("Enter");
  await page.getByText("The details were saved.").waitFor();
  assert.equal((await app.request("GET", "/user")).body.result.first_name, "Dora");

  await open(`/accounts/${app.owner.accountId}/details`);
  await page.getByLabel("Name", { exact: true }).fill("Example Ltd");
  await page.getByLabel("Contact for abuse").fill("nobody");
  await page.keyboard.press("Enter");
  await page.getByLabel("Contact for abuse").and(page.locator("[aria-invalid=true]")).waitFor();
  await page.getByLabel("Contact for abuse").fill("abuse@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("The details were saved.").waitFor();
  const { body } = await app.request("GET", `/accounts/${app.owner.accountId}`);
  assert.equal(body.result.name, "Example Ltd");
});

test("a resource group of one zone is made, and the one of the whole account stays as it is", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/accounts/${app.owner.accountId}/resource-groups`);
  await page.getByRole("cell", { name: "The whole account" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Delete/ }).count(), 0);
  await page.getByRole("button", { name: "Add a resource group" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shops");
  await dialog.getByRole("combobox", { name: "Zones" }).click();
  await page.getByRole("option", { name: "example.com" }).click();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("cell", { name: "One zone" }).waitFor();
  const { body } = await app.request(
    "GET",
    `/accounts/${app.owner.accountId}/iam/resource_groups?name=Shops`,
  );
  assert.equal(body.result[0].scope.objects[0].key, `com.cloudflare.api.account.zone.${zoneId}`);
});
