import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("Ctrl-K finds a zone, a record of the zone at hand, a page and an action", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const otherId = await app.createZone("other.example");
  const body = { type: "A", name: "www", content: "192.0.2.1" };
  await app.request("POST", `/zones/${zoneId}/dns_records`, { body });
  await open("/");
  const find = async (text: string, found: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.getByLabel("Search zones, records, pages and actions").fill(text);
    await page.getByRole("button", { name: found }).click();
  };
  await find("other", "other.example");
  await page.waitForURL(`**/zones/${otherId}`);
  await find("exa", "example.com");
  await page.waitForURL(`**/zones/${zoneId}`);
  await page.keyboard.press("Control+k");
  await page.getByLabel("Search zones, records, pages and actions").fill("dns rec");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/zones/${zoneId}/dns`);
  await find("192.0.2", "A www.example.com");
  await page.getByRole("cell", { name: "192.0.2.1" }).waitFor();
  await page.getByText("1–1 of 1").waitFor();
  await find("certif", "Certificates");
  await page.getByRole("heading", { name: "Certificates", exact: true }).waitFor();
  await find("add a rec", "Add a record");
  await page.getByRole("form", { name: "Add a record" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByLabel("Search zones, records, pages and actions").waitFor();
  await assertAccessible(page);
});

test("Enter in the palette opens the first that the server found, never what it had found for fewer letters", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await app.createZone("other.example");
  const zoneId = await app.createZone("far.example");
  await open("/");
  await page.keyboard.press("Control+k");
  await page.getByRole("button", { name: "other.example" }).waitFor();
  await page.keyboard.type("far");
  await page.getByRole("button", { name: "other.example" }).waitFor({ state: "detached" });
  await page.locator("[data-selected]", { hasText: "far.example" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/zones/${zoneId}`);
  await page.getByRole("heading", { level: 1, name: "far.example" }).waitFor();
});

test("a record is added with the keyboard alone, and Esc asks before it closes a form that was filled in", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("heading", { name: "DNS records" }).waitFor();
  await page.keyboard.press("n");
  const form = page.getByRole("form", { name: "Add a record" });
  await form.waitFor();
  await page.keyboard.type("www");
  await page.keyboard.press("Tab");
  await page.keyboard.type("192.0.2.1");
  await page.keyboard.press("Enter");
  await page.getByRole("cell", { name: "192.0.2.1" }).waitFor();
  await form.waitFor({ state: "detached" });

  await page.keyboard.press("n");
  await form.waitFor();
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await page.keyboard.press("n");
  await form.waitFor();
  await page.keyboard.type("half");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await form.waitFor({ state: "detached" });
  const { body } = await app.request("GET", `/zones/${zoneId}/dns_records`);
  assert.equal(body.result.length, 1);

  await page.keyboard.press("/");
  await page.keyboard.type("nowhere");
  await page.getByText("No record matches").waitFor();
  assert.equal(await page.getByRole("searchbox").inputValue(), "nowhere");
});

test("a question mark lists the keys", async (t) => {
  const { page, open } = await openDashboard(t);
  await open("/");
  await page.getByRole("heading", { name: "Zones" }).waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByText("Search the list of the page").waitFor();
  await assertAccessible(page);
});
