import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a page rule is added with its settings, moved above another one, and deleted by its pattern", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const rules = `/zones/${zoneId}/pagerules`;
  const urls = async (): Promise<string[]> =>
    (await app.request("GET", rules)).body.result.map(
      ({ targets }: { targets: { constraint: { value: string } }[] }) => targets[0]?.constraint.value,
    );
  const first = { target: "url", constraint: { operator: "matches", value: "example.com/first/*" } };
  const body = { targets: [first], actions: [{ id: "disable_apps" }], priority: 5, status: "active" };
  await app.request("POST", rules, { body });
  await open(`/zones/${zoneId}/page-rules`);
  await page.getByRole("row", { name: /first/ }).waitFor();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URLs").fill("example.com/second/*");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("Fill this in").waitFor();
  await dialog.getByRole("button", { name: "Add a setting" }).click();
  await dialog.getByRole("combobox", { name: "Setting 1" }).fill("Forwarding");
  await page.getByRole("option", { name: "Forwarding URL" }).click();
  await dialog.getByLabel("To", { exact: true }).fill("https://www.example.com/$1");
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("row", { name: /second/ }).waitFor();
  assert.deepEqual(await urls(), ["example.com/first/*", "example.com/second/*"]);

  await page.getByRole("button", { name: "Move the page rule example.com/second/* up" }).press("Enter");
  await page
    .getByRole("button", { name: "Move the page rule example.com/second/* up", disabled: true })
    .waitFor();
  assert.deepEqual(await urls(), ["example.com/second/*", "example.com/first/*"]);

  await page.getByRole("button", { name: "Delete the page rule example.com/second/*" }).click();
  await dialog.getByLabel("Type example.com/second/* to continue").fill("example.com/second/*");
  await page.keyboard.press("Enter");
  await page.getByText("The page rule example.com/second/* was deleted.").waitFor();
  assert.deepEqual(await urls(), ["example.com/first/*"]);
});
