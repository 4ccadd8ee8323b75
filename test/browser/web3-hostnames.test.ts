import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a hostname of a gateway to IPFS is added, and content is blocked there", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/web3`);
  await page.getByRole("button", { name: "Add a hostname" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Hostname" }).fill("ipfs.elsewhere.example");
  await dialog.getByRole("combobox", { name: "Gateway" }).click();
  await page.getByRole("option", { name: "IPFS, any path" }).click();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByRole("textbox", { name: "Hostname" }).and(page.locator("[aria-invalid=true]")).waitFor();
  await dialog.getByRole("textbox", { name: "Hostname" }).fill("ipfs.example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "What ipfs.example.com blocks" }).click();

  await page.getByText("Nothing is blocked").waitFor();
  await page.getByRole("button", { name: "Add an entry" }).click();
  await dialog.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Path" }).click();
  await dialog
    .getByLabel("Content")
    .fill("/ipfs/bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/a");
  await page.keyboard.press("Enter");
  await page.getByText("The entry was added.").waitFor();
  await assertAccessible(page);
  const [{ id }] = (await app.request("GET", `/zones/${zoneId}/web3/hostnames`)).body.result;
  const list = `/zones/${zoneId}/web3/hostnames/${id}/ipfs_universal_path/content_list/entries`;
  assert.equal((await app.request("GET", list)).body.result.entries.length, 1);
});
