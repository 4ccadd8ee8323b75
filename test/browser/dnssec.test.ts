import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("DNSSEC is turned on with the keyboard, and its DS record is copied as a line and in parts", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const read = async () => (await app.request("GET", `/zones/${zoneId}/dnssec`)).body.result;
  await open(`/zones/${zoneId}/dns/dnssec`);
  await page.getByText("This zone is not signed", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Turn DNSSEC on" }).press("Enter");
  await page.getByText(/^Add this DS record at your registrar\./).waitFor();
  const { ds, digest } = await read();
  for (const [what, value] of [
    ["the DS record", ds],
    ["the digest", digest],
    ["the algorithm", "13"],
  ] as const) {
    await page.getByRole("button", { name: `Copy ${what}`, exact: true }).press("Enter");
    await page.getByRole("button", { name: `Copied ${what}`, exact: true }).waitFor();
    assert.equal(await page.evaluate<string>("navigator.clipboard.readText()"), value);
  }
  await page.getByRole("switch", { name: "NSEC3 instead of NSEC" }).press("Space");
  await page.getByText("The signing of the zone was changed.").waitFor();
  assert.equal((await read()).dnssec_use_nsec3, true);
  await assertAccessible(page);
});

test("DNSSEC that resolvers check is turned off, and its keys deleted, only by typing the zone's name", async (t) => {
  const { app, page, open } = await openDashboard(t, { width: 360, colorScheme: "dark" });
  const parentId = await app.createZone("example.com");
  await app.request("PUT", `/zones/${parentId}/activation_check`);
  const zoneId = await app.createZone("shop.example.com");
  const dnssec = `/zones/${zoneId}/dnssec`;
  const { result } = (await app.request("PATCH", dnssec, { body: { status: "active" } })).body;
  const records = `/zones/${parentId}/dns_records`;
  const { key_tag, digest } = result;
  await app.request("POST", records, { body: { type: "NS", name: "shop", content: "ns1.elsewhere.net" } });
  const signer = await app.request("POST", records, {
    body: { type: "DS", name: "shop", data: { key_tag, algorithm: 13, digest_type: 2, digest } },
  });
  assert.equal(signer.status, 200, signer.text);

  await open(`/zones/${zoneId}/dns/dnssec`);
  await page.getByRole("button", { name: "Look now" }).click();
  await page.getByText("Signed, and checked by resolvers", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Turn DNSSEC off" }).click();
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByRole("button", { name: "Turn it off" }).isDisabled(), true);
  await assertAccessible(page);
  await dialog.getByLabel("Type shop.example.com to continue").fill("shop.example.com");
  await page.keyboard.press("Enter");
  await page.getByText(/^Remove the DS record at your registrar\./).waitFor();
  assert.equal((await app.request("GET", dnssec)).body.result.status, "pending-disabled");

  await app.request("DELETE", `${records}/${signer.body.result.id}`);
  await page.getByRole("button", { name: "Look now" }).click();
  await page.getByRole("button", { name: "Delete the keys" }).click();
  await dialog.getByLabel("Type shop.example.com to continue").fill("shop.example.com");
  await page.keyboard.press("Enter");
  await page.getByText("This zone is not signed", { exact: true }).waitFor();
  assert.equal((await app.request("GET", dnssec)).body.result.ds, null);
});

test("a zone that others serve cannot be signed here, and says why", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const body = { name: "example.com", type: "partial" };
  const zoneId: string = (await app.request("POST", "/zones", { body })).body.result.id;
  await open(`/zones/${zoneId}/dns/dnssec`);
  await page.getByText("Others serve a zone of this type, and sign it.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Turn DNSSEC on" }).count(), 0);
});

test("a secondary zone is served with the signatures of its primary, and says so until these come", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const body = { name: "example.com", type: "secondary" };
  const zoneId: string = (await app.request("POST", "/zones", { body })).body.result.id;
  const read = async () => (await app.request("GET", `/zones/${zoneId}/dnssec`)).body.result;
  await open(`/zones/${zoneId}/dns/dnssec`);
  await page.getByRole("button", { name: "Turn DNSSEC on" }).press("Enter");
  const presigned = page.getByRole("switch", { name: "Signed by its primary" });
  await presigned.press("Space");
  await page.getByText("Waiting for the signatures of the primary", { exact: true }).waitFor();
  assert.equal((await read()).dnssec_presigned, true);
  assert.equal(await page.getByRole("switch", { name: "Several signers" }).isDisabled(), true);
  await assertAccessible(page);
  await presigned.press("Space");
  await page.getByText("Signed, and waiting for the DS record", { exact: true }).waitFor();
  assert.equal((await read()).dnssec_presigned, false);
});
