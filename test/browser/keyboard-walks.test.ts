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

test("the focus goes to the next row where keys delete one, after the last to the one before, and without rows to the empty list", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  for (const name of ["a", "b", "c", "d"])
    await app.request("POST", `/zones/${zoneId}/dns_records`, {
      body: { type: "A", name, content: "192.0.2.1" },
    });
  const namesLeft = async (): Promise<readonly string[]> =>
    (await app.request("GET", `/zones/${zoneId}/dns_records`)).body.result.map(
      ({ name }: { readonly name: string }) => name,
    );
  const focused = page.locator(":focus");
  const deletion = (name: string): Locator =>
    page.getByRole("button", { name: `Delete the A record ${name}.example.com` });
  await open(`/zones/${zoneId}/dns`);
  await tabTo(page, deletion("b"));
  await page.keyboard.down("Enter");
  await focused.and(deletion("c")).waitFor();
  // Held, it comes again.
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.keyboard.press("Tab");
  await press(page, deletion("d"));
  await focused.and(deletion("c")).waitFor();
  assert.deepEqual(await namesLeft(), ["a.example.com", "c.example.com"]);
  await page.keyboard.press("Enter");
  await focused.and(deletion("a")).waitFor();
  await page.keyboard.press("Enter");
  await focused.getByText("No records yet").waitFor();
  await assertAccessible(page);
  assert.deepEqual(await namesLeft(), []);
});

test("the focus stays where it was taken while a row goes", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  for (const name of ["a", "b"])
    await app.request("POST", `/zones/${zoneId}/dns_records`, {
      body: { type: "A", name, content: "192.0.2.1" },
    });
  await open(`/zones/${zoneId}/dns`);
  const { promise: isTyping, resolve: typing } = Promise.withResolvers<void>();
  await page.route("**/dns_records/batch", async (route) => {
    await isTyping;
    await route.continue();
  });
  const row = page.getByRole("row", { name: "a.example.com" });
  await press(page, row.getByRole("button", { name: "Delete" }));
  await page.keyboard.press("/");
  typing();
  await row.waitFor({ state: "detached" });
  await page.getByText("A record a.example.com was deleted.").waitFor();
  await page.locator(":focus").and(page.getByRole("searchbox")).waitFor();
});

test("the focus stays at a row whose menu asks and is refused, and goes to the next where it is confirmed, or its name typed", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const focused = page.locator(":focus");
  const dialog = page.getByRole("dialog");
  const { body: groups } = await app.request("GET", "/user/tokens/permission_groups?name=Zone%20Read");
  for (const name of ["first", "second"]) {
    const permissions = [{ id: groups.result[0].id }];
    const resources = { [`com.cloudflare.api.account.zone.${zoneId}`]: "*" };
    await app.request("POST", "/user/tokens", {
      body: { name, policies: [{ effect: "allow", resources, permission_groups: permissions }] },
    });
    await app.request("POST", `/zones/${zoneId}/firewall/access_rules/rules`, {
      body: {
        mode: "block",
        configuration: { target: "ip", value: name === "first" ? "192.0.2.1" : "192.0.2.2" },
      },
    });
  }

  await open("/profile/tokens");
  const actions = page.getByRole("button", { name: /^Actions for the token/ });
  const [kept = "", gone = ""] = await Promise.all(
    [1, 0].map(async (index) => (await actions.nth(index).getAttribute("aria-label")) ?? ""),
  );
  const actionsNamed = (name: string): Locator => page.getByRole("button", { name, exact: true });
  for (const answer of ["Cancel", "Delete"]) {
    await press(page, actionsNamed(gone));
    await focused.and(page.getByRole("menuitem", { name: "Edit" })).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await press(page, dialog.getByRole("button", { name: answer }));
    await dialog.waitFor({ state: "detached" });
    if (answer === "Cancel") await focused.and(actionsNamed(gone)).waitFor();
  }
  await actionsNamed(gone).waitFor({ state: "detached" });
  await focused.and(actionsNamed(kept)).waitFor();

  await open(`/zones/${zoneId}/security/access-rules`);
  const deletions = page.getByRole("button", { name: /^Delete the rule/ });
  await press(page, deletions.first());
  const address = (await dialog.getByText(/^Delete the rule/).innerText()).replace("Delete the rule ", "");
  await page.keyboard.type(address);
  await page.keyboard.press("Enter");
  await page.getByText(`The rule ${address} was deleted.`).waitFor();
  await focused.and(deletions).waitFor();
  assert.equal(await deletions.count(), 1);
});

test("the focus goes to the first control of the list where keys delete all that is selected, or give the selection up", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  for (const name of ["a", "b", "c"])
    await app.request("POST", `/zones/${zoneId}/dns_records`, {
      body: { type: "A", name, content: "192.0.2.1" },
    });
  await open(`/zones/${zoneId}/dns`);
  const bar = page.getByRole("region", { name: "Selected records" });
  const selectAll = page.locator(":focus").and(page.getByRole("checkbox", { name: "Select all" }));
  for (const [action, left] of [
    ["Clear the selection", 3],
    ["Delete", 2],
  ] as const) {
    await tabTo(page, page.getByRole("checkbox", { name: "Select the A record b.example.com" }));
    await page.keyboard.press("Space");
    const button = bar.getByRole("button", { name: action });
    await button.waitFor();
    for (let tabs = 0; !(await button.evaluate((element) => element.matches(":focus"))); tabs += 1) {
      assert.ok(tabs < tabsMax);
      await page.keyboard.press("Shift+Tab");
    }
    await page.keyboard.press("Enter");
    await bar.waitFor({ state: "detached" });
    await selectAll.waitFor();
    assert.equal((await app.request("GET", `/zones/${zoneId}/dns_records`)).body.result.length, left);
  }
});
