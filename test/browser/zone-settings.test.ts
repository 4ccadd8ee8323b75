import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a setting is found by its name, switched with the keyboard, and set to its default again", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const valueOf = async (id: string): Promise<unknown> =>
    (await app.request("GET", `/zones/${zoneId}/settings/${id}`)).body.result.value;
  await open(`/zones/${zoneId}/settings`);
  await page.getByRole("region", { name: "Brotli" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("https");
  await page.getByRole("region", { name: "Brotli" }).waitFor({ state: "detached" });
  const row = page.getByRole("region", { name: "Always use HTTPS" });
  await row.getByRole("switch").focus();
  await page.keyboard.press("Space");
  await page.getByText("Always use HTTPS is now on.").waitFor();
  assert.equal(await valueOf("always_use_https"), "on");
  await row.getByRole("button", { name: "Set to default: Always use HTTPS" }).press("Enter");
  await page.getByText("Always use HTTPS is now off.").waitFor();
  assert.equal(await valueOf("always_use_https"), "off");

  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByText("No setting matches").waitFor();
});

test("a value of several parts is saved as a whole, and asks before it is lost", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/settings?search=mobile`);
  const row = page.getByRole("region", { name: "Mobile redirect" });
  await row.getByRole("switch", { name: "Status" }).click();
  await row.getByLabel("Mobile subdomain").fill("m.example.com");
  await page.getByRole("link", { name: "DNS", exact: true }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await row.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Mobile redirect is now/).waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/settings/mobile_redirect`);
  assert.deepEqual(body.result.value, {
    status: "on",
    mobile_subdomain: "m.example.com",
    strip_uri: false,
  });
});

test("what the plan does not have cannot be chosen, and the page says which plan has it", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await app.request("PUT", `/zones/${zoneId}/subscription`, { body: { rate_plan: { id: "free" } } });
  await open(`/zones/${zoneId}/settings`);
  const polish = page.getByRole("region", { name: "Polish" });
  await polish.getByText("Pro and above").waitFor();
  assert.equal(await polish.getByRole("combobox").isDisabled(), true);
  await page.getByRole("region", { name: "Max upload" }).getByRole("combobox").click();
  await page.getByRole("option", { name: "500 (Enterprise)" }).waitFor();
  assert.equal(
    await page.getByRole("option", { name: "500 (Enterprise)" }).getAttribute("data-combobox-disabled"),
    "true",
  );
  await assertAccessible(page);
});

test("development mode says when it ends", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/settings?search=development`);
  const row = page.getByRole("region", { name: "Development mode" });
  await row.getByRole("switch").click();
  await row.getByText(/^Ends by itself in [23]:/).waitFor();
  await assertAccessible(page);
});
