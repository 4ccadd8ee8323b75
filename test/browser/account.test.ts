import assert from "node:assert/strict";
import { test } from "node:test";

import { password } from "../support/browser.ts";
import { ownerEmail } from "../support/harness.ts";
import { openDashboard } from "./dashboard-page.ts";

test("somebody is invited, gets other roles, and is removed; the audit log tells of it", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await open(`/accounts/${app.owner.accountId}/members`);
  await page.getByRole("button", { name: "Invite a member" }).click();
  await page.getByLabel("E-mail").fill("dora@example.com");
  await page.getByRole("combobox", { name: "Roles" }).fill("DNS");
  await page.getByRole("option", { name: "DNS", exact: true }).click();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = page.getByRole("dialog", { name: "Link for dora@example.com" });
  await link.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("cell", { name: "pending" }).waitFor();

  await page.getByRole("button", { name: "Change the roles of dora@example.com" }).click();
  await page.getByRole("combobox", { name: "Roles" }).fill("Analytics");
  await page.getByRole("option", { name: "Analytics", exact: true }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: "DNS, Analytics" }).waitFor();

  await page.getByRole("button", { name: "Remove dora@example.com" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove dora@example.com" }).waitFor({ state: "detached" });

  await open(`/accounts/${app.owner.accountId}/audit-log`);
  await page.getByRole("button", { name: "Details of" }).first().click();
  await page.getByText(/^Removed the .*dora@example\.com$/).waitFor();
  await page.getByText("All fields, before and after").click();
  await page.getByRole("region", { name: "Before" }).getByText("dora@example.com").first().waitFor();
});

test("the last super administrator stays, and the page says why", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await open(`/accounts/${app.owner.accountId}/members`);
  await page.getByRole("button", { name: `Remove ${ownerEmail}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("alert").waitFor();
  const { body } = await app.request("GET", `/accounts/${app.owner.accountId}/members`);
  assert.equal(body.result.length, 1);
});

test("the password is changed by the one before, and the one before is good no longer", async (t) => {
  const { page, open } = await openDashboard(t);
  await open("/profile/sign-in");
  const change = async (current: string, next: string): Promise<void> => {
    await page.getByLabel("Current password", { exact: true }).fill(current);
    await page.getByLabel("New password", { exact: true }).fill(next);
    await page.getByLabel("New password, again", { exact: true }).fill(next);
    await page.getByRole("button", { name: "Change the password" }).click();
  };
  await change("not the password", "another good password");
  await page.getByRole("alert").getByText("The password was not changed").waitFor();
  await change(password, "another good password");
  await page.getByText("The password was changed").waitFor();
  await change(password, "a third good password");
  await page.getByRole("alert").getByText("The password was not changed").waitFor();
});

test("the Global API Key is changed for the password, shown once, and used", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await open("/profile/sign-in");
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  const key = await page.getByTestId("api-key").innerText();
  const headers = { "x-auth-email": ownerEmail, "x-auth-key": key };
  assert.equal((await app.request("GET", "/user", { headers })).status, 200);
});

test("the audit log is narrowed by a date that is typed digit by digit", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await app.createZone("example.com");
  await open(`/accounts/${app.owner.accountId}/audit-log`);
  const until = page.getByLabel("Until");
  await until.focus();
  await page.keyboard.type("01012026", { delay: 30 });
  await page.getByText("No entry matches").waitFor();
  assert.equal(await until.inputValue(), "2026-01-01");
  assert.equal(new URL(page.url()).searchParams.get("until"), "2026-01-01");
});
