import assert from "node:assert/strict";
import { test } from "node:test";

import { password } from "../support/browser.ts";
import { assertAccessible, openDashboard, openPage } from "./dashboard-page.ts";

test("somebody who is invited opens the link in a browser of their own, chooses a password and is a member", async (t) => {
  const other = await openPage(t, { width: 390, colorScheme: "dark" });
  const { app, page, open } = await openDashboard(t, { settings: { invite_links: "owner" } });
  await open(`/accounts/${app.owner.accountId}/members`);
  await page.getByRole("button", { name: "Invite a member" }).click();
  await page.getByLabel("E-mail").fill("dora@example.com");
  await page.getByRole("combobox", { name: "Roles" }).fill("DNS");
  await page.getByRole("option", { name: "DNS", exact: true }).click();
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Link for dora@example.com" });
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const link = await dialog.getByText("/invite#").innerText();
  await page.keyboard.press("Escape");
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "I have saved it" }).click();

  await other.goto(link);
  await other.getByRole("heading", { name: "Join Zoneward" }).waitFor();
  assert.equal(await other.getByLabel("E-mail").inputValue(), "dora@example.com");
  await assertAccessible(other);
  await other.getByLabel("Password", { exact: true }).fill(password);
  await other.getByLabel("Password, again").fill(password);
  await other.keyboard.press("Enter");
  await other.getByRole("heading", { name: "Zones" }).waitFor();

  await other.goto(link);
  await other.getByRole("alert").getByText("This link does not lead to an invite").waitFor();
  await assertAccessible(other);
  await other.getByRole("link", { name: "Sign in and see your invites" }).waitFor();
  await page.reload();
  await page.getByRole("row", { name: /dora@example\.com.*Accepted/ }).waitFor();
});

test("where the server makes no links, the page says why and what helps instead", async (t) => {
  const { app, page, open } = await openDashboard(t, { width: 390 });
  const members = `/accounts/${app.owner.accountId}/members`;
  const roles = await app.request("GET", `/accounts/${app.owner.accountId}/roles`);
  await app.request("POST", members, {
    body: { email: "dora@example.com", roles: [roles.body.result[0].id] },
  });
  await open(members);
  await page.getByRole("button", { name: "Link of the invite of dora@example.com" }).click();
  const dialog = page.getByRole("dialog", { name: "Link for dora@example.com" });
  await dialog.getByRole("button", { name: "Make a link" }).click();
  await dialog.getByRole("alert").getByText("invite_links").waitFor();
  await dialog.getByText("zoneward user create --email dora@example.com").waitFor();
  await dialog.getByText("/profile/memberships").waitFor();
  await assertAccessible(page);
});
