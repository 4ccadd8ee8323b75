import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare from "cloudflare";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("the first token is made by a template, shown once, and used by the official SDK", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await app.createZone("example.com");
  await open("/profile/tokens");
  await page.getByRole("link", { name: "Create a token" }).first().click();
  await page.getByRole("link", { name: "Edit zone DNS" }).click();
  await page.getByLabel("Name").fill("certbot");
  await page.getByText("Every policy needs resources.").waitFor();
  await page.getByRole("combobox", { name: "Zones" }).click();
  await page.getByRole("option", { name: "example.com" }).click();
  await page.getByRole("listitem").getByText("May use DNS Write and Zone Read on example.com").waitFor();
  await page.getByRole("button", { name: "Create the token" }).click();
  const secret = await page.getByTestId("token-secret").innerText();

  const client = new Cloudflare({ apiToken: secret, baseURL: app.baseUrl });
  const names = [];
  for await (const { name } of client.zones.list()) names.push(name);
  assert.deepEqual(names, ["example.com"]);

  await page.getByRole("link", { name: "I have saved it" }).click();
  await page.getByRole("link", { name: "certbot" }).waitFor();
  assert.ok(!(await page.content()).includes(secret));
});

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`permission groups are found by what they let do, from the tokens and the palette (${colorScheme}, ${width} pixels)`, async (t) => {
    const { page, open } = await openDashboard(t, { colorScheme, width });
    await open("/profile/tokens");
    await page.getByRole("link", { name: "What each permission lets do" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Permission groups" }).waitFor();
    await page.getByRole("row", { name: /Zone / }).first().waitFor();
    assert.equal(await page.getByRole("row", { name: /^Access: Apps/ }).count(), 0);
    await page.getByRole("searchbox").fill("peers of a zone were notified");
    const row = (name: string) =>
      page.getByRole("row", { name: new RegExp(`^(Name )?${name} (Scope )?Zone `) });
    await row("DNS Read").waitFor();
    await row("DNS Write").waitFor();
    await page.getByText("1–2 of 2").waitFor();
    await row("DNS Read")
      .getByRole("button", { name: /^Show all/ })
      .press("Enter");
    await row("DNS Read").getByText("Tell what the peers of a zone were notified of").waitFor();
    assert.equal(await row("DNS Read").getByText("Delete a DNS record", { exact: true }).count(), 0);
    await row("DNS Write")
      .getByRole("button", { name: /^Show all/ })
      .press("Enter");
    await row("DNS Write").getByText("Delete a DNS record", { exact: true }).waitFor();
    await assertAccessible(page);
    await page.getByRole("searchbox").fill("access: apps read");
    await page.getByText("No permission group matches").waitFor();
    await page.getByRole("switch").press("Space");
    await page.getByText("do nothing on this server").first().waitFor();

    await open("/profile/tokens/new?template=edit-dns");
    await page.getByRole("link", { name: "What each permission lets do" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Zones, records, pages").fill("permission groups");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Permission groups" }).waitFor();
  });

test("a token that can create tokens and do other things is warned of", async (t) => {
  const { page, open } = await openDashboard(t);
  await open("/profile/tokens/new?template=create-tokens");
  await page.getByText("It can create any token for you").waitFor();
  await page.getByRole("button", { name: "Add a policy" }).click();
  const second = page.getByRole("group", { name: "Policy 2" });
  await second.getByRole("combobox", { name: "Permissions" }).fill("DNS Wr");
  await page.getByRole("option", { name: "DNS Write", exact: true }).click();
  await page.getByText("It should carry no other permissions").waitFor();
});

test("a token is disabled, enabled, rolled and deleted", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await open("/profile/tokens/new?template=read-all");
  await page.getByRole("button", { name: "Create the token" }).click();
  const secret = await page.getByTestId("token-secret").innerText();
  const statusOf = async (token: string): Promise<number> =>
    (await app.request("GET", "/user/tokens/verify", { headers: { authorization: `Bearer ${token}` } }))
      .status;
  const act = async (action: string): Promise<void> => {
    await page.getByRole("button", { name: "Actions for the token Read everything" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await page.getByRole("link", { name: "I have saved it" }).click();
  assert.equal(await statusOf(secret), 200);

  await act("Disable");
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await page.getByRole("cell", { name: "disabled" }).waitFor();
  await act("Enable");
  await page.getByText("Read everything was enabled again").waitFor();
  assert.equal(await statusOf(secret), 200);

  await act("Roll the secret");
  await page.getByRole("dialog").getByRole("button", { name: "Roll" }).click();
  const rolled = await page.getByTestId("token-secret").innerText();
  assert.equal(await statusOf(secret), 401);
  assert.equal(await statusOf(rolled), 200);
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 400);
  assert.equal(await page.getByTestId("token-secret").innerText(), rolled);
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByTestId("token-secret").waitFor({ state: "detached" });

  await act("Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("link", { name: "Read everything" }).waitFor({ state: "detached" });
  assert.equal(await statusOf(rolled), 401);
});

test("the time at which a token expires is typed; a year that does not exist is not sent", async (t) => {
  const { page, open } = await openDashboard(t);
  await open("/profile/tokens/new?template=read-all");
  const expires = page.getByLabel("Expires");
  await expires.focus();
  await page.keyboard.type("010220300304AM", { delay: 30 });
  assert.equal(await expires.inputValue(), "2030-01-02T03:04");
  await page.getByText("Expires on January 2, 2030").waitFor();
  await expires.fill("12030-01-02T03:04");
  await page.getByRole("button", { name: "Create the token" }).click();
  await expires.and(page.locator(":out-of-range")).waitFor();
  await page.getByRole("button", { name: "Create the token" }).waitFor();
});

test("a wrong address is refused as it is typed, and an address becomes a range; the expiry is chosen", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await open("/profile/tokens/new?template=read-all");
  const from = page.getByRole("combobox", { name: "Only from" }).or(page.getByLabel("Only from")).first();
  await from.fill("192.0.2.256");
  await page.keyboard.press("Enter");
  await page.getByText("192.0.2.256 is no address or range").waitFor();
  await from.fill("192.0.2.1");
  await page.keyboard.press("Enter");
  await page.getByText("Valid only from 192.0.2.1/32.").waitFor();
  await page.getByRole("button", { name: "In 30 days" }).press("Enter");
  await page.getByText(/^Expires on/).waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Create the token" }).click();
  await page.getByTestId("token-secret").waitFor();
  const { body } = await app.request("GET", "/user/tokens");
  const made = body.result.find(({ name }: { name: string }) => name === "Read everything");
  assert.deepEqual(made.condition, { "request.ip": { in: ["192.0.2.1/32"] } });
  const days = (Date.parse(made.expires_on) - Date.now()) / 86_400_000;
  assert.ok(days > 29 && days <= 30, String(days));
});

test("an address that is none keeps a token from being made or saved, and stays as it was typed", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const tokens = async (): Promise<{ id: string; name: string; condition?: object }[]> =>
    (await app.request("GET", "/user/tokens")).body.result;
  const from = page.getByLabel("Only from").first();
  const refused = page.getByText("10.0.0.0/33 is no address or range");

  await open("/profile/tokens/new?template=read-all");
  const before = await tokens();
  await from.fill("10.0.0.0/33");
  await page.getByRole("button", { name: "Create the token" }).click();
  await refused.waitFor();
  assert.equal(await from.inputValue(), "10.0.0.0/33");
  assert.deepEqual(await tokens(), before);

  await from.fill("192.0.2.0/24");
  await from.press("Enter");
  await page.getByRole("button", { name: "Create the token" }).click();
  await page.getByTestId("token-secret").waitFor();
  const made = (await tokens()).find(({ name }) => name === "Read everything");
  assert.deepEqual(made?.condition, { "request.ip": { in: ["192.0.2.0/24"] } });

  await page.getByRole("link", { name: "I have saved it" }).click();
  await open(`/profile/tokens/${made.id}`);
  await page.getByText("Valid only from 192.0.2.0/24.").waitFor();
  await from.fill("10.0.0.0/33");
  await page.getByRole("button", { name: "Save" }).click();
  await refused.waitFor();
  assert.deepEqual((await tokens()).find(({ id }) => id === made.id)?.condition, made.condition);
});
