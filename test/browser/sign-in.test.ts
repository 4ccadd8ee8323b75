import assert from "node:assert/strict";
import { test } from "node:test";

import { password } from "../support/browser.ts";
import { ownerEmail } from "../support/harness.ts";
import { openDashboard } from "./dashboard-page.ts";

test("the one-time link sets the first password, and the session that it begins ends by signing out", async (t) => {
  const { app, page, open } = await openDashboard(t, { isSignedIn: false });
  const { pathname, hash } = new URL(app.signInLink ?? "");
  await open(pathname + hash);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password, again").fill(password);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await page.getByRole("heading", { name: "Zones" }).waitFor();

  await page.getByRole("button", { name: "Account of the signed-in user" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await open("/");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

test("a wrong password is refused with the message and the code of the server", async (t) => {
  const { page, open } = await openDashboard(t, { isSignedIn: false });
  await open("/sign-in");
  await page.getByLabel("E-mail").fill(ownerEmail);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("code 10411").waitFor();
  assert.deepEqual(await page.context().cookies(), []);
});

test("a session that has ended is begun again in place: what was typed is still there, what was refused for it is not", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Add a record" }).click();
  const form = page.getByRole("form", { name: "Add a record" });
  await form.getByLabel("Name").fill("www");
  await form.getByLabel("IPv4 address").fill("192.0.2.1");
  app.advance(13 * 60 * 60_000);
  await form.getByRole("button", { name: "Add the record" }).click();
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.getByLabel(`Password of ${ownerEmail}`).fill("not the password");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.getByText("code 10411").waitFor();
  await dialog.getByLabel(`Password of ${ownerEmail}`).fill(password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(await form.getByRole("alert").count(), 0);
  await form.getByRole("button", { name: "Add the record" }).click();
  await page.getByRole("cell", { name: "192.0.2.1" }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/zones/${zoneId}/dns`);
});
