import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`a firewall rule is added, paused, changed and deleted with its filter (${colorScheme}, ${width} pixels)`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme, width });
    const zoneId = await app.createZone("example.com");
    const listed = async (what: string) => (await app.request("GET", `/zones/${zoneId}/${what}`)).body.result;
    await open(`/zones/${zoneId}/security/firewall-rules`);
    await page.getByText("No firewall rules").waitFor();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "Add a firewall rule" });
    await dialog.getByLabel("Description").fill("Old clients");
    await dialog.getByLabel("Value of condition 1").fill("old.example.com");
    await dialog.getByRole("combobox", { name: "Action" }).click();
    await page.getByRole("option", { name: "Bypass products" }).click();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText(/bypass needs at least one/).waitFor();
    await dialog.getByText("See the marked field.").waitFor();
    await assertAccessible(page);
    await dialog.getByRole("combobox", { name: "Products to bypass" }).click();
    await page.getByRole("option", { name: "Managed rules" }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("row", { name: /Old clients.*Bypass products: Managed rules/ }).waitFor();

    await page.getByRole("button", { name: "Pause: Old clients" }).press("Enter");
    await page.getByRole("button", { name: "Put in force: Old clients" }).waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Change the firewall rule Old clients" }).press("Enter");
    const changing = page.getByRole("dialog", { name: "Change the firewall rule" });
    await changing.getByLabel("Priority").fill("5");
    await changing.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: /^(?:Priority )?5$/ }).waitFor();
    const [rule] = await listed("firewall/rules");
    assert.equal(rule.paused, true);
    assert.equal(rule.filter.expression, 'http.host eq "old.example.com"');

    await open(`/zones/${zoneId}/security/filters`);
    await page.getByRole("cell", { name: /old\.example\.com/ }).waitFor();
    await assertAccessible(page);
    await open(`/zones/${zoneId}/security/firewall-rules`);
    await page.getByRole("button", { name: "Delete the firewall rule Old clients" }).press("Enter");
    await page.getByLabel("Type Old clients to continue").fill("Old clients");
    await page.keyboard.press("Enter");
    await page.getByText("No firewall rules").waitFor();
    assert.deepEqual(await listed("filters"), []);
  });
