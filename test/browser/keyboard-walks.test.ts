import assert from "node:assert/strict";
import { test } from "node:test";

import type { Locator, Page } from "playwright-core";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

const tabsMax = 120;

/** Moves the focus by Tab until it is at the element, as somebody does who has no mouse. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    if (await target.evaluate((element) => element.matches(":focus"))) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${String(target)} has not got the focus`);
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

test("a zone is added by keys alone", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await open("/");
  await page.getByRole("heading", { level: 1, name: "Zones" }).waitFor();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "Add a zone" });
  await dialog.waitFor();
  await typeInto(page, dialog.getByLabel("Domain"), "example.com");
  await assertAccessible(page);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "example.com" }).waitFor();
  const { body } = await app.request("GET", "/zones");
  assert.deepEqual(
    body.result.map(({ name }: { readonly name: string }) => name),
    ["example.com"],
  );
});

test("the focus returns to what had it when a dialog closes, and goes to the title of a new page", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const focused = page.locator(":focus");
  await open("/");
  const add = page.getByRole("button", { name: "Add a zone" }).first();
  await press(page, add);
  const domain = page.getByRole("dialog", { name: "Add a zone" }).getByLabel("Domain");
  await domain.waitFor();
  await page.keyboard.type("example.com");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Discard what you typed?" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Discard what you typed?" }).waitFor({ state: "detached" });
  await focused.and(domain).waitFor();
  await page.keyboard.press("Escape");
  await press(page, page.getByRole("button", { name: "Discard" }));
  await domain.waitFor({ state: "detached" });
  await focused.and(add).waitFor();
  await page.keyboard.press("n");
  await domain.waitFor();
  await page.keyboard.type("example.com");
  await page.keyboard.press("Enter");
  await focused.and(page.getByRole("heading", { level: 1, name: "example.com" })).waitFor();
  assert.equal((await app.request("GET", "/zones")).body.result.length, 1);
});

test("the keys of a page work from a check box, and not behind a dialog", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const body = { type: "A", name: "www", content: "192.0.2.1" };
  await app.request("POST", `/zones/${zoneId}/dns_records`, { body });
  await open(`/zones/${zoneId}/dns`);
  await tabTo(page, page.getByRole("checkbox", { name: "Select the A record www.example.com" }));
  await page.keyboard.press("/");
  await page.locator(":focus").and(page.getByRole("searchbox")).waitFor();
  await press(page, page.getByRole("button", { name: "Keyboard shortcuts" }));
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "detached" });
  assert.equal(await page.getByRole("form", { name: "Add a record" }).count(), 0);
});

test("ten records are added by keys alone, one after the other", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("heading", { level: 1, name: "DNS records" }).waitFor();
  await page.keyboard.press("n");
  const form = page.getByRole("form", { name: "Add a record" });
  await form.waitFor();
  for (let number = 1; number <= 10; number += 1) {
    await typeInto(page, form.getByLabel("Name"), `host-${number}`);
    await typeInto(page, form.getByLabel("IPv4 address"), `192.0.2.${number}`);
    if (number < 10) await press(page, form.getByRole("button", { name: "Add another" }));
    else await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: `192.0.2.${number}`, exact: true }).waitFor();
  }
  await form.waitFor({ state: "detached" });
  const { body } = await app.request("GET", `/zones/${zoneId}/dns_records?per_page=50`);
  assert.equal(body.result.length, 10);
});

test("a token is made by keys alone", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await app.createZone("example.com");
  await open("/profile/tokens");
  await page.getByRole("heading", { level: 1, name: "API tokens" }).waitFor();
  await page.keyboard.press("n");
  await press(page, page.getByRole("link", { name: "Edit zone DNS" }));
  await typeInto(page, page.getByLabel("Name"), "certbot");
  await tabTo(page, page.getByRole("combobox", { name: "Zones" }));
  await page.keyboard.type("exam");
  await page.getByRole("option", { name: "example.com" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("listitem").getByText("May use DNS Write and Zone Read on example.com").waitFor();
  await press(page, page.getByRole("button", { name: "Create the token" }));
  await page.getByTestId("token-secret").waitFor();
  await assertAccessible(page);
  await press(page, page.getByRole("link", { name: "I have saved it" }));
  await page.getByRole("link", { name: "certbot" }).waitFor();
  const { body } = await app.request("GET", "/user/tokens");
  assert.ok(body.result.some(({ name }: { readonly name: string }) => name === "certbot"));
});

test("the WAF is migrated by keys alone", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("pro.example");
  await app.request("PATCH", `/zones/${zoneId}`, { body: { plan: { id: "pro" } } });
  await app.request("PATCH", `/zones/${zoneId}/settings/waf`, { body: { value: "on" } });
  await open(`/zones/${zoneId}/security/waf/managed-rules`);
  await press(page, page.getByRole("button", { name: "Review the configuration" }));
  await page.getByRole("button", { name: "Hide the configuration" }).waitFor();
  await press(page, page.getByRole("button", { name: "Deploy", exact: true }));
  const dialog = page.getByRole("dialog");
  await typeInto(page, dialog.getByLabel("Type pro.example to continue"), "pro.example");
  await press(page, dialog.getByRole("button", { name: "Deploy" }));
  await page.getByRole("cell", { name: "Execute Cloudflare OWASP Core Ruleset" }).waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/waf_migration/status`);
  assert.equal(body.result.migration_state, "complete");
});
