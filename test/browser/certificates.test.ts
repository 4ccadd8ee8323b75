import assert from "node:assert/strict";
import { test } from "node:test";

import { createAuthority, createKeyPair, pkcs8, signServerCertificate } from "../../src/tls/local-ca.ts";
import { startOfTime } from "../support/harness.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a pack is ordered, its certificates come onto the timeline once they are issued, and it is deleted", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await app.request("PUT", `/zones/${zoneId}/activation_check`);
  await open(`/zones/${zoneId}/ssl`);
  await page.getByRole("button", { name: "Order a pack" }).click();
  await page.getByRole("button", { name: "Order", exact: true }).click();
  const timeline = page.getByRole("region", { name: "Expiry" });
  await timeline.getByText("Advanced, ECDSA").waitFor();
  await timeline.getByText("Advanced, RSA").waitFor();

  await page.getByRole("button", { name: "Delete the pack of example.com, *.example.com" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await timeline.getByText("Advanced, ECDSA").waitFor({ state: "detached" });
});

test("a certificate without its key is refused at the field, and nothing of it is kept", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/ssl`);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByRole("textbox", { name: "Certificate" }).fill("no certificate");
  await page.getByRole("textbox", { name: "Private key" }).fill("no key");
  await page.getByRole("dialog").getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByRole("alert").getByText("The certificate was not uploaded").waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/custom_certificates`);
  assert.deepEqual(body.result, []);
});

test("the universal pack is turned off after a question, and Total TLS on; the authority can be downloaded", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/ssl`);
  const universal = page.getByRole("switch", { name: "Universal pack" });
  await universal.press("Space");
  await page.getByRole("dialog").getByRole("button", { name: "Turn it off" }).click();
  await page.getByText("The universal pack is turned off.").waitFor();
  const settings = await app.request("GET", `/zones/${zoneId}/ssl/universal/settings`);
  assert.deepEqual(settings.body.result, { enabled: false });

  await page.getByRole("switch", { name: "Total TLS" }).press("Space");
  await page.getByText("Total TLS is on.").waitFor();
  await page.getByRole("combobox", { name: "Authority of its packs from now on" }).click();
  await page.getByRole("option", { name: "Let's Encrypt" }).click();
  await page.getByText("Total TLS is on.").nth(1).waitFor();
  const total = await app.request("GET", `/zones/${zoneId}/acm/total_tls`);
  assert.equal(total.body.result.certificate_authority, "lets_encrypt");
  await assertAccessible(page);

  const download = page.waitForEvent("download");
  await page.mouse.wheel(0, 5_000);
  await page.getByRole("link", { name: "Download the authority" }).click();
  assert.equal((await download).suggestedFilename(), "certificate_authority.pem");
});

test("of two custom certificates the lower one is moved up, and goes first from then on", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const dayMs = 86_400_000;
  const validity = { notBefore: startOfTime, notAfter: new Date(startOfTime.getTime() + 30 * dayMs) };
  const authority = await createAuthority("Some CA", validity, "ecdsa");
  for (const host of ["example.com", "www.example.com"]) {
    const { publicKey, privateKey } = await createKeyPair("ecdsa");
    const certificate = await signServerCertificate(authority, { ...validity, hosts: [host], publicKey });
    const body = { certificate, private_key: pkcs8(privateKey) };
    const { status, text } = await app.request("POST", `/zones/${zoneId}/custom_certificates`, { body });
    assert.equal(status, 200, text);
  }
  const listed = async (): Promise<string[]> =>
    (await app.request("GET", `/zones/${zoneId}/custom_certificates`)).body.result.map(
      ({ hosts }: { hosts: string[] }) => hosts[0],
    );
  const [, second = ""] = await listed();
  await open(`/zones/${zoneId}/ssl`);
  await page.getByRole("button", { name: `Move the certificate of ${second} up` }).press("Enter");
  await page.getByRole("button", { name: `Move the certificate of ${second} up`, disabled: true }).waitFor();
  assert.equal((await listed())[0], second);
});
