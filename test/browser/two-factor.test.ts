import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import type { Page } from "playwright-core";

import { totpCode } from "../../src/resources/two-factor/totp.ts";
import { password } from "../support/browser.ts";
import { onFixedPort } from "../support/fixed-port.ts";
import { ownerEmail, startOfTime } from "../support/harness.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

const minute = 60_000;

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("E-mail").fill(ownerEmail);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account of the signed-in user" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

/** Sets up an authenticator app, and answers its secret and the recovery codes. */
async function setUpTotp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole("button", { name: "Set up an app" }).click();
  await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("img", { name: /as a QR code/ }).waitFor();
  await assertAccessible(page);
  const secret = (await page.getByTestId("totp-secret").innerText()).replaceAll(" ", "");
  await page.getByLabel("Code that the app shows").fill(totpCode(secret, startOfTime));
  await page.keyboard.press("Enter");
  const codes = (await page.getByTestId("recovery-codes").innerText()).split(/\s+/);
  await assertAccessible(page);
  await page.getByRole("button", { name: "I have saved it" }).click();
  return { secret, codes };
}

test("an authenticator app is set up, asked for at sign-in and in place, and a recovery code stands in", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await open("/profile/two-factor");
  const { secret, codes } = await setUpTotp(page);
  await page.getByText("10 codes are left", { exact: false }).waitFor();
  await signOut(page);
  await signIn(page);
  await page.getByRole("heading", { name: "Second factor" }).waitFor();
  await assertAccessible(page);
  const field = page.getByLabel("Code of your authenticator app");
  await field.fill("12");
  await page.keyboard.press("Enter");
  await page.getByText("code 10417").waitFor();
  app.advance(minute);
  await field.fill(totpCode(secret, new Date(startOfTime.getTime() + minute)));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Zones" }).waitFor();

  await open("/profile/details");
  await page.getByLabel("First name").fill("Dora");
  app.advance(13 * 60 * minute);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.getByLabel(`Password of ${ownerEmail}`).fill(password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.getByRole("button", { name: "Use a recovery code" }).click();
  await dialog.getByLabel("Recovery code").fill(codes[0] ?? "");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("First name").inputValue(), "Dora");

  await open("/profile/two-factor");
  await page.getByText("9 codes are left", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Remove the app" }).click();
  await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("The authenticator app was removed.").waitFor();
  assert.equal((await app.request("GET", "/user")).body.result.two_factor_authentication_enabled, false);
});

/** A dashboard at `localhost`, in a browser with an authenticator of its own. */
async function withAuthenticator(t: TestContext) {
  const dashboard = await onFixedPort((port) => openDashboard(t, { settings: { host: "localhost", port } }));
  const session = await dashboard.page.context().newCDPSession(dashboard.page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return dashboard;
}

test("a passkey is added, signs in, and is removed", async (t) => {
  const { app, page, open } = await withAuthenticator(t);
  await open("/profile/two-factor");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Laptop");
  await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByTestId("recovery-codes").waitFor();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("cell", { name: "Laptop", exact: true }).waitFor();
  await assertAccessible(page);
  await signOut(page);
  await signIn(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Zones" }).waitFor();
  await open("/profile/two-factor");
  await page.getByRole("button", { name: "Remove the passkey Laptop" }).click();
  await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("The passkey was removed.").waitFor();
  assert.equal((await app.request("GET", "/user")).body.result.two_factor_authentication_enabled, false);
});

test("where a second factor is required, every page leads to setting it up, and opens once it is", async (t) => {
  const { page, open } = await openDashboard(t, { settings: { two_factor: "required" } });
  await open("/networks");
  await page.getByRole("heading", { name: "Two-factor sign-in" }).waitFor();
  await page.getByText("Set up a second factor").waitFor();
  await assertAccessible(page);
  await setUpTotp(page);
  await open("/networks");
  await page.getByRole("heading", { name: "Gateway" }).waitFor();
});
