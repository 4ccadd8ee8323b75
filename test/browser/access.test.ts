import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("an IP access rule is added, found, changed and deleted with the keyboard", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const rules = `/zones/${zoneId}/firewall/access_rules/rules`;
  const listed = async () => (await app.request("GET", rules)).body.result;
  await open(`/zones/${zoneId}/security/access-rules`);
  await page.getByText("No rules").waitFor();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Value").fill("192.0.2.256");
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Value").and(page.locator("[aria-invalid=true]")).waitFor();
  assert.deepEqual(await listed(), []);
  await assertAccessible(page);
  await dialog.getByLabel("Value").fill("192.0.2.1");
  await dialog.getByLabel("Notes").fill("Scanner");
  await page.keyboard.press("Enter");
  await page.getByRole("row", { name: /^192\.0\.2\.1/ }).waitFor();

  await page.keyboard.press("/");
  await page.keyboard.type("scan");
  await page.waitForURL("**search=scan");
  await page.getByRole("button", { name: "Change the rule 192.0.2.1" }).press("Enter");
  assert.equal(await dialog.getByLabel("Value").isDisabled(), true);
  await dialog.getByLabel("Notes").fill("Scanners");
  await page.keyboard.press("Enter");
  await page.getByRole("cell", { name: "Scanners" }).waitFor();

  await page.getByRole("button", { name: "Delete the rule 192.0.2.1" }).press("Enter");
  await dialog.getByLabel("Type 192.0.2.1 to continue").fill("192.0.2");
  assert.equal(await dialog.getByRole("button", { name: "Delete" }).isDisabled(), true);
  await dialog.getByLabel("Type 192.0.2.1 to continue").fill("192.0.2.1");
  await page.keyboard.press("Enter");
  await page.getByText("The rule 192.0.2.1 was deleted.").waitFor();
  assert.deepEqual(await listed(), []);
});

test("the account and the user have IP access rules of their own", async (t) => {
  const { app, page, open } = await openDashboard(t);
  for (const [path, prefix] of [
    [`/accounts/${app.owner.accountId}/access-rules`, `/accounts/${app.owner.accountId}`],
    ["/profile/access-rules", "/user"],
  ] as const) {
    await open(path);
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByRole("dialog").getByLabel("Value").fill("198.51.100.7");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /^198\.51\.100\.7/ }).waitFor();
    const { body } = await app.request("GET", `${prefix}/firewall/access_rules/rules`);
    assert.equal(body.result.length, 1);
  }
});

test("a user agent rule is put out of force and keeps its mode", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/security/user-agents`);
  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByLabel("User agent", { exact: true }).fill("BadBot/1.0");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("cell", { name: "active" }).waitFor();
  await page.getByRole("button", { name: "Change the rule BadBot/1.0" }).click();
  await page.getByRole("switch", { name: "In force" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: "paused" }).waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/firewall/ua_rules`);
  assert.equal(body.result[0].mode, "block");
});

test("a zone lockdown says which of its addresses is wrong, and takes addresses and ranges", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/security/lockdowns`);
  await page.getByRole("button", { name: "Add a lockdown" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("Fill this in").first().waitFor();
  await dialog.getByLabel("URLs").fill("example.com/admin/*");
  await page.keyboard.press("Enter");
  const addresses = dialog.getByLabel("Only for");
  for (const address of ["192.0.2.0/24", "nowhere"]) {
    await addresses.fill(address);
    await page.keyboard.press("Enter");
  }
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText(/\(code \d+\)/).waitFor();
  await addresses.press("Backspace");
  await addresses.fill("198.51.100.7");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("cell", { name: "192.0.2.0/24, 198.51.100.7" }).waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/firewall/lockdowns`);
  assert.deepEqual(body.result[0].configurations, [
    { target: "ip_range", value: "192.0.2.0/24" },
    { target: "ip", value: "198.51.100.7" },
  ]);
});
