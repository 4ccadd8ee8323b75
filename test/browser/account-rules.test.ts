import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a custom ruleset of an account is made, filled, executed by a rule of its phase, and not deleted meanwhile", async (t) => {
  const { app, page, open } = await openDashboard(t, { colorScheme: "dark" });
  const { accountId } = app.owner;
  await open(`/accounts/${accountId}/rules`);
  await page.keyboard.press("n");
  await page.getByLabel("Name").fill("Bots");
  await page.getByLabel("Phase").selectOption("Custom rules");
  await assertAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Bots" }).waitFor();

  await page.keyboard.press("n");
  await page.getByLabel("Description").fill("Scanners");
  await page.getByRole("textbox", { name: "Expression" }).fill('http.user_agent contains "scan"');
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("row", { name: /Scanners/ }).waitFor();
  await page.getByText("Version 2").waitFor();

  await open(`/accounts/${accountId}/rules/http_request_firewall_custom/new`);
  await page.getByLabel("Action").selectOption("Execute");
  await page.getByRole("combobox", { name: "Id" }).click();
  await page.getByRole("option", { name: "Bots" }).click();
  await page.getByRole("textbox", { name: "Expression" }).fill("ssl");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/must end with and cf\.zone\.plan eq "ENT"/).waitFor();
  await page.getByRole("textbox", { name: "Expression" }).fill('ssl and cf.zone.plan eq "ENT"');
  await assertAccessible(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Version 1").waitFor();

  const { body } = await app.request("GET", `/accounts/${accountId}/rulesets`);
  const bots = body.result.find(({ name }: { name: string }) => name === "Bots").id as string;
  await open(`/accounts/${accountId}/rules/${bots}`);
  await page.getByRole("button", { name: "Delete the ruleset" }).click();
  await page.getByLabel("Type Bots to continue").fill("Bots");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("alert")
    .getByText(/is named by rules of the entry point/)
    .waitFor();
  assert.equal((await app.request("GET", `/accounts/${accountId}/rulesets/${bots}`)).status, 200);
});
