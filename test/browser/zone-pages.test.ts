import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("the plan is changed after a question, and a hold is set and released", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/plan`);
  await page.getByRole("button", { name: "Hold the zone" }).click();
  await page.getByText("The zone is held.").waitFor();
  assert.equal((await app.request("GET", `/zones/${zoneId}/hold`)).body.result.hold, true);
  await page.getByRole("button", { name: "Release" }).click();
  await page.getByText("Not held.").waitFor();
  assert.equal((await app.request("GET", `/zones/${zoneId}/hold`)).body.result.hold, false);

  await page.getByRole("radio", { name: "Pro", exact: true }).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Change the plan" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change to the plan Pro" });
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Change the plan" }).click();
  await page.getByText(/^The zone is now on/).waitFor();
  assert.equal((await app.request("GET", `/zones/${zoneId}`)).body.result.plan.legacy_id, "pro");
  await page.getByRole("button", { name: "Hold the zone" }).click();
  await page
    .getByRole("alert")
    .getByText(/requires an Enterprise/)
    .waitFor();
});

test("a purge names its URLs, says which is wrong, and asks for the zone's name before everything", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/cache`);
  const urls = page.getByRole("textbox", { name: "URLs" });
  await urls.fill("https://elsewhere.example/");
  await page.getByRole("button", { name: "Purge URLs" }).click();
  await page.getByText("Nothing was purged").waitFor();
  await urls.fill("https://www.example.com/a.css\nhttps://www.example.com/b.css");
  await page.getByRole("button", { name: "Purge URLs" }).press("Enter");
  await page.getByText("The purge was accepted.").waitFor();

  await page.getByRole("combobox", { name: "What to purge" }).click();
  await page.getByRole("option", { name: "Everything" }).click();
  await page.getByRole("button", { name: "Purge everything" }).click();
  await page.getByLabel("Type example.com to continue").fill("example.com");
  await assertAccessible(page);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { body } = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?action.type=purge`);
  assert.equal(body.result.length, 2);
});

test("URL normalization and managed transforms hold as soon as they are chosen", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/url-and-headers`);
  await page.getByRole("radio", { name: "For rules and for the origin" }).click();
  await page.getByText("The normalization of URLs was changed.").waitFor();
  const normalization = await app.request("GET", `/zones/${zoneId}/url_normalization`);
  assert.equal(normalization.body.result.scope, "both");

  await page.getByRole("switch", { name: "Remove visitor address headers" }).press("Space");
  await page.getByText("The headers were changed.").waitFor();
  await page.getByText(/^Not together with Remove visitor address headers/).waitFor();
  const transforms = await app.request("GET", `/zones/${zoneId}/managed_headers`);
  const on = transforms.body.result.managed_request_headers.filter(
    ({ enabled }: { enabled: boolean }) => enabled,
  );
  assert.deepEqual(
    on.map(({ id }: { id: string }) => id),
    ["remove_visitor_ip_headers"],
  );
});

test("a batch says what it does before it is sent, and what is no batch says why", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns/batch`);
  const text = page.getByLabel("Batch, as JSON");
  await text.fill("{");
  await page.getByText(/^This is not JSON/).waitFor();
  await text.fill('{"posts": [{"type": "A", "name": "www", "content": "nowhere"}]}');
  await page.getByRole("button", { name: "Send the batch" }).click();
  await page.getByText("Nothing was changed").waitFor();
  await text.fill('{"posts": [{"type": "A", "name": "www", "content": "192.0.2.1"}]}');
  await page.getByText("All or nothing: add 1.").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Send the batch" }).press("Enter");
  await page.getByText("The whole batch was carried out.").waitFor();
  assert.equal((await app.request("GET", `/zones/${zoneId}/dns_records`)).body.result.length, 1);
});
