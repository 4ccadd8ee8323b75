import assert from "node:assert/strict";
import { test } from "node:test";

import { onFixedPort } from "../support/fixed-port.ts";
import { ownerEmail } from "../support/harness.ts";
import { startProvider } from "../support/openid-provider.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("the button leads to the provider, and back to the page that was asked for", async (t) => {
  const { page, open, provider } = await onFixedPort(async (port) => {
    const started = await startProvider(t, `http://127.0.0.1:${port}/single-sign-on`);
    const settings = {
      port,
      oidc_issuer: started.issuer,
      oidc_client_id: started.clientId,
      oidc_client_secret: started.clientSecret,
      oidc_label: "Example Ltd",
    };
    const dashboard = await openDashboard(t, {
      isSignedIn: false,
      settings,
      // The provider's own pages ask for a font of another site.
      mayFailToLoad: true,
    });
    return { ...dashboard, provider: started };
  });
  provider.users.set("owner", { email: ownerEmail, email_verified: true });
  provider.users.set("stranger", { email: "stranger@example.com", email_verified: true });

  const signInAs = async (login: string): Promise<void> => {
    await page.context().clearCookies();
    await open("/networks");
    await page.getByRole("button", { name: "Example Ltd" }).waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Example Ltd" }).click();
    await page.locator("input[name=login]").fill(login);
    await page.locator("input[name=password]").fill("any");
    await page.locator("button[type=submit]").click();
    await page.locator("button[type=submit]", { hasText: "Continue" }).click();
  };
  await signInAs("stranger");
  await page.getByText("code 10428").waitFor();
  await assertAccessible(page);
  await signInAs("owner");
  await page.getByRole("heading", { name: "Gateway" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/networks");
  await open("/single-sign-on?code=x&state=y");
  await page.getByText("This browser has not begun to sign in.").waitFor();
});
