import assert from "node:assert/strict";
import { test } from "node:test";

import { openDashboard } from "./dashboard-page.ts";

test("a pack is ordered, its certificates come onto the timeline once they are issued, and it is deleted", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await app.request("PUT", `/zones/${zoneId}/activation_check`);
  await open(`/zones/${zoneId}/ssl`);
  await page.getByRole("button", { name: "Order a pack" }).click();
  await page.getByRole("button", { name: "Order", exact: true }).click();
  const timeline = page.getByRole("region", { name: "Expiry" });
  await timeline.getByText("Advanced, ECDSAWithSHA256").waitFor();
  await timeline.getByText("Advanced, SHA256WithRSA").waitFor();

  await page.getByRole("button", { name: "Delete the pack of example.com, *.example.com" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await timeline.getByText("Advanced, ECDSAWithSHA256").waitFor({ state: "detached" });
});

test("a certificate without its key is refused at the field, and nothing of it is kept", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/ssl`);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByRole("textbox", { name: "Certificate" }).fill("no certificate");
  await page.getByRole("textbox", { name: "Private key" }).fill("no key");
  await page.getByRole("dialog").getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByRole("alert").getByText("The certificate was not uploaded").waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/custom_certificates`);
  assert.deepEqual(body.result, []);
});
