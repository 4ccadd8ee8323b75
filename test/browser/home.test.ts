import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 390],
] as const)
  test(`whoever begins sees what is next, and each step ticks itself (${colorScheme}, ${width} px)`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme, width });
    const step = (name: string, state: string) => page.getByRole("listitem", { name: `${name}: ${state}` });
    await open("/");
    await step("Protect your sign-in", "to do").waitFor();
    await assertAccessible(page);
    await step("Add a zone", "to do").getByRole("link", { name: "Add a zone" }).click();
    await page.getByRole("dialog", { name: "Add a zone" }).waitFor();
    await app.createZone("example.com");
    await open("/");
    await step("Add a zone", "done").getByText("1 zone").waitFor();
    await step("Make an API token", "done").waitFor();
    await step("Protect your sign-in", "to do").getByRole("link", { name: "Set it up" }).click();
    await page.getByRole("heading", { name: "Two-factor sign-in" }).waitFor();
  });

test("zones are narrowed by their status", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const active = await app.createZone("active.example");
  await app.createZone("waiting.example");
  await app.request("PUT", `/zones/${active}/activation_check`);
  await open("/");
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "pending" }).click();
  await page.getByRole("link", { name: "active.example" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "waiting.example" }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("status"), "pending");
});
