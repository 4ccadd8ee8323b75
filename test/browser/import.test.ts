import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

async function openImport(page: Page) {
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a zone file" });
  return { dialog, file: dialog.getByRole("textbox", { name: "Zone file" }) };
}

test("all bad lines are shown at once, are corrected in place or skipped, and what was left out is said after", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  const { dialog, file } = await openImport(page);
  await file.fill(
    [
      "@ 3600 IN SOA ns.example. host.example. 1 2 3 4 5",
      "one 300 IN A 192.0.2.999",
      "two 300 IN NOTHING 1",
      "    300 IN A 192.0.2.2",
      'three 300 IN TXT "open',
      "far.example.net. 300 IN A 192.0.2.3",
      "good 300 IN MX 10 mx.example.net.",
    ].join("\n"),
  );
  await dialog.getByText("4 lines are not valid").waitFor();
  await dialog.getByText("The name is outside of the zone example.com.").waitFor();
  await dialog.getByText("1 bad line to correct or skip").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Import", exact: true }).isDisabled(), true);
  await assertAccessible(page);

  await dialog.getByRole("textbox", { name: "Line 2" }).fill("one 300 IN A 192.0.2.99");
  await dialog.getByRole("textbox", { name: "Line 2" }).press("Enter");
  await dialog.getByText("3 lines are not valid").waitFor();
  assert.match(await file.inputValue(), /^one 300 IN A 192\.0\.2\.99$/m);
  await dialog.getByRole("button", { name: "Skip line 3" }).click();
  await dialog.getByRole("button", { name: "Skip all 2" }).click();
  await dialog.getByText("3 skipped").waitFor();
  await dialog.getByRole("button", { name: "Import", exact: true }).click();

  await dialog.getByText("3 records were added, 3 left out.").waitFor();
  await dialog.getByText("1 SOA or NS record of the zone’s own name").waitFor();
  await dialog.getByRole("cell", { name: "two.example.com: DNS record type is invalid." }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const { body } = await app.request("GET", `/zones/${zoneId}/dns_records?order=name`);
  assert.deepEqual(
    body.result.map(({ name, content }: Record<string, unknown>) => [name, content]),
    [
      ["good.example.com", "mx.example.net"],
      ["one.example.com", "192.0.2.99"],
      ["two.example.com", "192.0.2.2"],
    ],
  );
});

test("records that cannot stand beside those of the zone are found before, and replace them where one says so", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  for (const name of ["one", "two"])
    await app.request("POST", `/zones/${zoneId}/dns_records`, {
      body: { type: "A", name, content: "192.0.2.1" },
    });
  await open(`/zones/${zoneId}/dns`);
  const { dialog, file } = await openImport(page);
  await file.fill("one 300 IN CNAME example.net.\ntwo 300 IN CNAME example.net.\nnew 300 IN A 192.0.2.3\n");
  await dialog.getByText("2 cannot stand beside what the zone has").waitFor();
  await dialog.getByText("Line 1; the zone has A 192.0.2.1").waitFor();
  await dialog.getByRole("radiogroup", { name: "What to do with line 1" }).getByText("Replace").click();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Import and replace" }).click();
  await dialog.getByText("2 records were added, 1 replaced, 1 left out.").waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/dns_records?order=name`);
  assert.deepEqual(
    body.result.map(({ name, type }: Record<string, unknown>) => [name, type]),
    [
      ["new.example.com", "A"],
      ["one.example.com", "CNAME"],
      ["two.example.com", "A"],
    ],
  );
});

test("what is typed while 5,000 lines are read is in the field and in the preview", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  const { dialog, file } = await openImport(page);
  const lines = Array.from({ length: 5_000 }, (_, index) =>
    index % 100 === 0 ? `bad-${index} 300 IN A nowhere` : `host-${index} 300 IN A 192.0.2.1`,
  ).join("\n");
  const typed = "\nmore 300 IN A 192.0.2.1";
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines)})`);
  await file.press("Control+v");
  await file.pressSequentially(typed);
  // A search for text would read the whole field again and again.
  await dialog.locator("[role=status]").filter({ hasText: "4951 to add" }).waitFor();
  assert.equal(await file.inputValue(), lines + typed);
});
