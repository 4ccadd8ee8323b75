import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`a list is made, filled by paste, searched, emptied and deleted (${colorScheme}, ${width} pixels)`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme, width });
    const { accountId } = app.owner;
    await open(`/accounts/${accountId}/rules/lists`);
    await page.getByText("No lists yet").waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Name").fill("Bad Name");
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByText(/See the marked field/)
      .waitFor();
    await assertAccessible(page);
    await page.getByLabel("Name").fill("offices");
    await page.getByLabel("Description").fill("Where we work");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "$offices" }).waitFor();

    const lines = page.getByLabel("Add items");
    await lines.fill("192.0.2.1, door\nnowhere\n198.51.100.0/24\n2001:db8::/32");
    await page.getByText("A line is no item:").waitFor();
    await page.getByText(/^Line 2: nowhere/).waitFor();
    await assertAccessible(page);
    await lines.fill("192.0.2.1, door\n198.51.100.0/24\n2001:db8::/32");
    await page.getByRole("button", { name: "Add 3 items" }).click();
    await page.getByRole("cell", { name: "2001:db8::/32", exact: true }).waitFor();
    assert.equal(await lines.inputValue(), "");
    await page.getByRole("searchbox", { name: "Search the items" }).fill("198");
    await page.getByRole("cell", { name: "2001:db8::/32", exact: true }).waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: "Select the item 198.51.100.0/24" }).press("Space");
    await assertAccessible(page);
    await page.getByRole("button", { name: "Remove from the list" }).click();
    await page.getByText("No item matches").waitFor();

    await open(`/accounts/${accountId}/rules/lists`);
    await page.getByRole("button", { name: "Delete the list offices" }).click();
    await page.getByLabel("Type offices to continue").fill("offices");
    await page.keyboard.press("Enter");
    await page.getByText("No lists yet").waitFor();
  });

test("a bulk redirect executes a list of redirects that its form offers", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const { accountId } = app.owner;
  await app.request("POST", `/accounts/${accountId}/rules/lists`, {
    body: { name: "moved", kind: "redirect" },
  });
  await open(`/accounts/${accountId}/rules/lists`);
  await page.getByRole("link", { name: "Bulk redirects" }).click();
  await page.getByRole("heading", { level: 1, name: "Bulk redirects" }).waitFor();
  await page.keyboard.press("n");
  await page.getByRole("textbox", { name: "Expression" }).fill("http.request.full_uri in $moved");
  await page.getByRole("combobox", { name: "Name" }).click();
  await page.getByRole("option", { name: "moved" }).click();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Version 1").waitFor();
  const { body } = await app.request(
    "GET",
    `/accounts/${accountId}/rulesets/phases/http_request_redirect/entrypoint`,
  );
  assert.deepEqual(body.result.rules[0].action_parameters, {
    from_list: { name: "moved", key: "http.request.full_uri" },
  });
});
