import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("DNS settings of a zone are changed with the keyboard, and what is wrong stands at its field", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const read = async () => (await app.request("GET", `/zones/${zoneId}/dns_settings`)).body.result;
  const before = await read();
  await open(`/zones/${zoneId}/dns/settings`);
  const answers = page.locator("form").filter({ hasText: "Mode of the zone" });
  const soa = page.locator("form").filter({ hasText: "Mailbox of who is responsible" });

  await soa.getByLabel("Retry").fill("86400");
  await soa.getByLabel("Refresh").fill("3600");
  await page.keyboard.press("Enter");
  await soa.getByLabel("Retry").and(page.locator("[aria-invalid=true]")).waitFor();
  assert.deepEqual(await read(), before);
  await assertAccessible(page);
  await soa.getByLabel("Retry").fill("900");
  await soa.getByLabel("Primary name server").fill("ns1.example.net");
  await page.keyboard.press("Enter");
  await page.getByText("The settings were saved.").waitFor();
  const changed = await read();
  assert.deepEqual(changed, {
    ...before,
    soa: { ...before.soa, mname: "ns1.example.net", refresh: 3600, retry: 900 },
  });

  await answers.getByRole("switch", { name: "Flatten all CNAME records" }).press("Space");
  await answers.getByRole("combobox", { name: "Mode of the zone" }).press("Enter");
  await page.getByRole("option", { name: /^DNS only/ }).click();
  await answers.getByRole("button", { name: "Save" }).press("Enter");
  await answers.getByRole("button", { name: "Save" }).and(page.locator(":disabled")).waitFor();
  assert.deepEqual(await read(), { ...changed, flatten_all_cnames: true, zone_mode: "dns_only" });
});

test("a zone gets name servers of its own", async (t) => {
  const { app, page, open } = await openDashboard(t, { width: 360, colorScheme: "dark" });
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns/settings`);
  const names = page.getByRole("combobox", { name: "Name servers of its own" });
  for (const name of ["ns1.example.com", "nowhere"]) {
    await names.fill(name);
    await page.keyboard.press("Enter");
  }
  const form = page.locator("form").filter({ hasText: "Delegate to" });
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText(/must be a host name/).waitFor();
  await names.press("Backspace");
  await names.fill("ns2.example.com");
  await page.keyboard.press("Enter");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("ns1.example.com, ns2.example.com").waitFor();
  await assertAccessible(page);
  const { result } = (await app.request("GET", `/zones/${zoneId}`)).body;
  assert.deepEqual(result.vanity_name_servers, ["ns1.example.com", "ns2.example.com"]);
});

test("new zones begin with the account's defaults, and no zone is proxied only after a question", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const settings = `/accounts/${app.owner.accountId}/dns_settings`;
  await open(`/accounts/${app.owner.accountId}/dns-settings`);
  await page.getByLabel("Negative TTL").fill("10");
  await page.keyboard.press("Enter");
  await page.getByLabel("Negative TTL").and(page.locator("[aria-invalid=true]")).waitFor();
  await page.getByLabel("Negative TTL").fill("600");
  await page.keyboard.press("Enter");
  await page.getByText("The settings were saved.").waitFor();
  const zoneId = await app.createZone("example.com");
  const ofZone = (await app.request("GET", `/zones/${zoneId}/dns_settings`)).body.result;
  assert.equal(ofZone.soa.min_ttl, 600);

  const isEnforced = async () => (await app.request("GET", settings)).body.result.enforce_dns_only;
  await page.getByRole("switch", { name: "DNS only" }).press("Space");
  const dialog = page.getByRole("dialog");
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await isEnforced(), false);
  await page.getByRole("switch", { name: "DNS only" }).press("Space");
  await dialog.getByRole("button", { name: "Let none be proxied" }).click();
  await page.getByText("No name of any zone is proxied.").waitFor();
  assert.equal(await isEnforced(), true);
});
