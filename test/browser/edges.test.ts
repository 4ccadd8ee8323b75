import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("without an edge, a zone says that no visitor meets it", async (t) => {
  const { app, page, open } = await openDashboard(t, { width: 360, colorScheme: "dark" });
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/edge`);
  await page.getByRole("listitem", { name: "An edge runs: not so" }).waitFor();
  await page.getByRole("listitem", { name: "The zone is active: not so" }).waitFor();
  await page.getByText("No edge runs", { exact: true }).waitFor();
  await assertAccessible(page);
  await page.getByRole("link", { name: "DNS records" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "DNS records" }).waitFor();
});

test("an edge is listed where it listens, and a zone says whether it is in force there", async (t) => {
  const { app, page, open } = await openDashboard(t, { settings: { edge_http: ["127.0.0.1:0"] } });
  const zoneId = await app.createZone("example.com");
  await app.request("PUT", `/zones/${zoneId}/activation_check`);
  const body = { type: "A", name: "www", content: "127.0.0.1", proxied: true };
  assert.equal((await app.request("POST", `/zones/${zoneId}/dns_records`, { body })).status, 200);
  await open(`/zones/${zoneId}/edge`);
  await page.getByRole("listitem", { name: "An edge runs: as it should be" }).waitFor();
  for (const title of ["The zone is active", "Names lead to the edge", "Origins may be asked"])
    await page.getByRole("listitem", { name: `${title}: as it should be` }).waitFor();
  const row = page.getByRole("row", { name: /is up to date/ });
  await row.getByText(`HTTP ${app.edgeHttpAddresses[0]}`).waitFor();
  await row.getByText("running").waitFor();
  await assertAccessible(page);

  await app.request("PATCH", `/zones/${zoneId}`, { body: { paused: true } });
  await page.reload();
  await page.getByRole("listitem", { name: "The zone is active: not so" }).waitFor();
  await open(`/accounts/${app.owner.accountId}/edges`);
  await page.getByRole("row", { name: /is up to date/ }).waitFor();
  await assertAccessible(page);
});
