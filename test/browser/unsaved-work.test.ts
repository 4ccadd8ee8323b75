import assert from "node:assert/strict";
import { test } from "node:test";

import type { Locator } from "playwright-core";

import { openDashboard } from "./dashboard-page.ts";

test("leaving a page asks where something was typed, and stays or goes as answered", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Add a record" }).click();
  const form = page.getByRole("form", { name: "Add a record" });
  await form.getByLabel("Name").fill("half");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.getByRole("link", { name: "Certificates" }).click();
  await question.getByRole("button", { name: "Keep editing" }).click();
  assert.equal(await form.getByLabel("Name").inputValue(), "half");
  await page.getByRole("link", { name: "Certificates" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { name: "Certificates", exact: true }).waitFor();
});

test("Back asks before it closes a form in which something was typed", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const keeps = async (field: Locator): Promise<void> => {
    await field.fill("half");
    await page.goBack();
    await question.getByRole("button", { name: "Keep editing" }).click();
    assert.equal(await field.inputValue(), "half");
    await page.goBack();
    await question.getByRole("button", { name: "Leave" }).click();
    await field.waitFor({ state: "detached" });
  };
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Add a record" }).click();
  await keeps(page.getByRole("form", { name: "Add a record" }).getByLabel("Name"));
  await open("/");
  await page.getByRole("button", { name: "Add a zone" }).first().click();
  await keeps(page.getByRole("dialog", { name: "Add a zone" }).getByLabel("Domain"));
});

test("an edit of a record is there again after its row was searched away, and is saved as it was typed", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const records = `/zones/${zoneId}/dns_records`;
  for (const name of ["one", "two"])
    await app.request("POST", records, { body: { type: "A", name, content: "192.0.2.1" } });
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: /^Edit the A record one/ }).click();
  const form = page.getByRole("form", { name: "Edit the A record one.example.com" });
  const address = form.getByLabel("IPv4 address");
  await address.fill("192.0.2.99");
  const search = page.getByLabel("Search records");
  await search.fill("two");
  await form.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Certificates" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await search.fill("");
  assert.equal(await address.inputValue(), "192.0.2.99");
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "detached" });
  const listed = await app.request("GET", `${records}?name=one.example.com`);
  assert.equal(listed.body.result[0].content, "192.0.2.99");
  await page.getByRole("link", { name: "Certificates" }).click();
  await page.getByRole("heading", { name: "Certificates", exact: true }).waitFor();
});

test("a dialog with a form stays open for a click beside it, and asks before Esc loses what was typed", async (t) => {
  const { page, open } = await openDashboard(t);
  await open("/");
  await page.getByRole("button", { name: "Add a zone" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a zone" });
  await dialog.getByLabel("Domain").fill("example.com");
  await page.mouse.click(5, 400);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keep editing" }).click();
  assert.equal(await dialog.getByLabel("Domain").inputValue(), "example.com");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await dialog.waitFor({ state: "detached" });
});

test("a name that is typed to confirm, and a password, stay for a click beside their dialog", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const confirmation = page.getByLabel("Type example.com to continue");
  await confirmation.fill("example.com");
  await page.mouse.click(5, 400);
  assert.equal(await confirmation.inputValue(), "example.com");
  await page.getByRole("button", { name: "Delete the zone" }).click();
  await page.getByText("example.com was deleted.").waitFor();

  await open("/profile/sign-in");
  await page.getByRole("button", { name: "View", exact: true }).click();
  const password = page.getByRole("dialog").getByLabel("Password", { exact: true });
  await password.fill("half a password");
  await page.mouse.click(5, 400);
  assert.equal(await password.inputValue(), "half a password");
});

test("offline, a change fails at once, says so, and is never sent later", async (t) => {
  const { app, page, open } = await openDashboard(t, { mayFailToLoad: true });
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Add a record" }).click();
  const form = page.getByRole("form", { name: "Add a record" });
  await form.getByLabel("Name").fill("www");
  await form.getByLabel("IPv4 address").fill("192.0.2.1");
  await page.context().setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await form.getByRole("button", { name: "Add the record" }).click();
  await form.getByRole("alert").waitFor();
  await page.context().setOffline(false);
  await page.getByText("You are offline.").waitFor({ state: "detached" });
  assert.equal(await form.getByLabel("Name").inputValue(), "www");
  const listed = await app.request("GET", `/zones/${zoneId}/dns_records`);
  assert.deepEqual(listed.body.result, []);
});

test("a page whose code cannot be loaded says so in its place, and is shown once it can be", async (t) => {
  const { app, page, open } = await openDashboard(t, { mayFailToLoad: true });
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}`);
  const members = page.getByRole("link", { name: "Members", exact: true });
  await members.waitFor();
  await page.context().setOffline(true);
  await members.click();
  await page.getByText("This page could not be shown").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Members" }).waitFor();
});
