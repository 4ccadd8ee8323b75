import assert from "node:assert/strict";
import { test } from "node:test";

import { freePort } from "../support/fixed-port.ts";
import { until } from "../support/harness.ts";
import { startPrimary } from "../support/primary.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`a key that the browser made, a peer with it and an ACL come and go (${colorScheme}, ${width} pixels)`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme, width });
    const account = `/accounts/${app.owner.accountId}`;
    const listed = async (what: string) =>
      (await app.request("GET", `${account}/secondary_dns/${what}`)).body.result;
    const dialog = page.getByRole("dialog");

    await open(`${account}/zone-transfers/keys`);
    await page.keyboard.press("n");
    await dialog.getByLabel("Name").fill("xfr.example.com.");
    await dialog.getByLabel("Secret").fill("no base64");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Secret").and(page.locator("[aria-invalid=true]")).waitFor();
    assert.deepEqual(await listed("tsigs"), []);
    await dialog.getByRole("button", { name: "Generate" }).press("Enter");
    const secret = await dialog.getByLabel("Secret").inputValue();
    assert.equal(Buffer.from(secret, "base64").length, 64);
    await assertAccessible(page);
    await dialog.getByRole("button", { name: "Add", exact: true }).press("Enter");
    await page.getByRole("row", { name: /xfr\.example\.com\./ }).waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
    await page.getByRole("button", { name: "Show the secret of xfr.example.com." }).press("Enter");
    await page.getByText(secret).waitFor();
    await assertAccessible(page);
    const [key] = await listed("tsigs");
    assert.deepEqual(key, { id: key.id, name: "xfr.example.com.", algo: "hmac-sha256.", secret });

    await open(`${account}/zone-transfers/peers`);
    await page.keyboard.press("n");
    await dialog.getByLabel("Name").fill("knot");
    await dialog.getByLabel("Address").fill("192.0.2.256");
    await dialog.getByLabel("Port").fill("5353");
    await dialog.getByRole("combobox", { name: "TSIG key" }).press("Enter");
    await page.getByRole("option", { name: "xfr.example.com." }).click();
    await dialog.getByRole("button", { name: "Add", exact: true }).press("Enter");
    await dialog.getByLabel("Address").and(page.locator("[aria-invalid=true]")).waitFor();
    await dialog.getByLabel("Address").fill("192.0.2.53");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /knot.*192\.0\.2\.53, port 5353.*xfr\.example\.com\./ }).waitFor();
    await assertAccessible(page);
    const [peer] = await listed("peers");
    const wanted = { name: "knot", ip: "192.0.2.53", port: 5353, ixfr_enable: true, tsig_id: key.id };
    assert.deepEqual(peer, { id: peer.id, ...wanted });
    await page.getByText(`${peer.id}.catalog.invalid`).waitFor();
    await page.getByRole("button", { name: "Change the transfer peer knot" }).press("Enter");
    await dialog.getByLabel("Port").fill("");
    await page.keyboard.press("Enter");
    await page.getByText("The transfer peer knot was changed.").waitFor();
    const { port: _, ...withoutPort } = wanted;
    assert.deepEqual(await listed("peers"), [{ id: peer.id, ...withoutPort }]);

    await open(`${account}/zone-transfers/keys`);
    await page.getByRole("button", { name: "Delete the TSIG key xfr.example.com." }).press("Enter");
    await dialog.getByLabel("Type xfr.example.com. to continue").fill("xfr.example.com.");
    await page.keyboard.press("Enter");
    await dialog.getByText(/in use by the peer knot/).waitFor();
    assert.equal((await listed("tsigs")).length, 1);

    await open(`${account}/zone-transfers/acls`);
    await page.keyboard.press("n");
    await dialog.getByLabel("Name").fill("office");
    await dialog.getByLabel("Addresses").fill("198.51.100.0/24");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /office/ }).waitFor();
    await page.getByRole("button", { name: "Delete the transfer ACL office" }).press("Enter");
    await dialog.getByLabel("Type office to continue").fill("office");
    await page.keyboard.press("Enter");
    await page.getByText("No ACLs").waitFor();
    assert.deepEqual(await listed("acls"), []);
  });

test("a zone goes to the peers that were chosen, once that is turned on", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const outgoing = `/zones/${zoneId}/secondary_dns/outgoing`;
  await open(`/zones/${zoneId}/dns/transfers`);
  await page.getByText("The account has no transfer peers yet.").waitFor();
  const peers = `/accounts/${app.owner.accountId}/secondary_dns/peers`;
  const peer = (await app.request("POST", peers, { body: { name: "knot", ip: "192.0.2.53" } })).body.result;

  await open(`/zones/${zoneId}/dns/transfers`);
  await page.getByRole("button", { name: "Choose the peers" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add an outgoing transfer" });
  await dialog.getByRole("combobox", { name: "Peers" }).press("ArrowDown");
  await page.getByRole("option", { name: "knot (192.0.2.53)" }).click();
  await dialog.getByRole("button", { name: "Add", exact: true }).press("Enter");
  await page.getByText("Nothing is transferred until the zone is active.").waitFor();
  await page.getByText("Disabled", { exact: true }).waitFor();
  await page.getByRole("row", { name: "knot (192.0.2.53) – not notified" }).waitFor();
  await page.getByRole("button", { name: "Turn on" }).press("Enter");
  await page.getByText("Enabled", { exact: true }).waitFor();
  assert.deepEqual((await app.request("GET", outgoing)).body.result.peers, [peer.id]);
  assert.equal((await app.request("GET", `${outgoing}/status`)).body.result, "Enabled");
  await page.getByRole("button", { name: "Notify the peers" }).press("Enter");
  await page.getByText("The peers are being notified.").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Turn off" }).press("Enter");
  await page.getByText("Disabled", { exact: true }).waitFor();
  assert.equal((await app.request("GET", `${outgoing}/status`)).body.result, "Disabled");
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByLabel("Type example.com to continue").fill("example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Choose the peers" }).waitFor();
  assert.equal((await app.request("GET", outgoing)).status, 404);
});

test("a secondary zone is added, fetched from its primary, and its records can only be read", async (t) => {
  const primary = await startPrimary(t, "sqlite");
  const zoneId = await primary.createZone("example.com", [await primary.createPeer(await freePort())]);
  await primary.createRecord(zoneId, { type: "A", name: "www", content: "192.0.2.1" });
  const { app, page, open } = await openDashboard(t, { settings: { dns_listen: ["127.0.0.1:0"] } });
  const body = { name: "primary", ip: "127.0.0.1", port: Number(primary.port) };
  await app.request("POST", `/accounts/${app.owner.accountId}/secondary_dns/peers`, { body });

  await open("/?add=true");
  await page.getByLabel("Domain").fill("example.com");
  await page.getByRole("radio", { name: "Secondary" }).press("Space");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Add the zone" }).press("Enter");
  await page.getByRole("button", { name: "Choose the primary servers" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add an incoming transfer" });
  await dialog.getByRole("combobox", { name: "Primary servers" }).press("ArrowDown");
  await page.getByRole("option", { name: /^primary/ }).click();
  await dialog.getByLabel(/^Seconds between/).fill("10");
  await dialog.getByRole("button", { name: "Add", exact: true }).press("Enter");
  await dialog
    .getByLabel(/^Seconds between/)
    .and(page.locator("[aria-invalid=true]"))
    .waitFor();
  await dialog.getByLabel(/^Seconds between/).fill("300");
  await page.keyboard.press("Enter");
  await page.getByText("5 minutes", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Fetch all of it now" }).press("Enter");
  await page.getByText("The zone is being fetched.").waitFor();
  const [secondary] = (await app.request("GET", "/zones")).body.result;
  assert.equal(secondary.type, "secondary");
  const incoming = `/zones/${secondary.id}/secondary_dns/incoming`;
  await until("it was fetched", async () => {
    const { result } = (await app.request("GET", incoming)).body;
    return result.soa_serial !== undefined;
  });
  const { soa_serial } = (await app.request("GET", incoming)).body.result;
  await page.getByText(String(soa_serial), { exact: true }).waitFor();
  await assertAccessible(page);

  await open(`/zones/${secondary.id}/dns?add=true`);
  await page.getByText("These records can only be read").waitFor();
  await page.getByRole("cell", { name: "192.0.2.1" }).waitFor();
  assert.equal(
    await page.getByRole("button", { name: /Add a record|Import|^(?:Edit|Delete) the/ }).count(),
    0,
  );
  assert.equal(await page.getByRole("checkbox").count(), 0);
  await assertAccessible(page);
});
