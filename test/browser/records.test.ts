import assert from "node:assert/strict";
import { test } from "node:test";

import type { Locator } from "playwright-core";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a type with parts has a field for each, and the record that they make is shown while they are typed", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns?add=true`);
  const form = page.getByRole("form", { name: "Add a record" });
  const choose = async (label: string, option: string): Promise<void> => {
    await form.getByRole("combobox", { name: label, exact: true }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };
  await choose("Type", "SRV");
  await form.getByLabel("Name").fill("_sip._udp");
  await form.getByLabel("Port").fill("70000");
  await form.getByLabel("Target").fill("sip.example.com");
  await form.getByText("_sip._udp.example.com SRV …").waitFor();
  await form.getByRole("button", { name: "Add the record" }).click();
  await form.getByText("port must be a whole number from 0 to 65535").waitFor();
  assert.equal(await form.getByText("port must be").count(), 1);
  await form.getByLabel("Port").fill("5060");
  await form.getByText("_sip._udp.example.com SRV 10 5 5060 sip.example.com").waitFor();
  await assertAccessible(page);
  await form.getByRole("button", { name: "Add another" }).click();

  await page.getByRole("cell", { name: "10 5 5060 sip.example.com" }).waitFor();
  assert.equal(await form.getByLabel("Name").inputValue(), "");
  await form.getByLabel("Name").and(page.locator(":focus")).waitFor();
  await choose("Type", "TLSA");
  await form.getByLabel("Name").fill("_443._tcp");
  await choose("Selector", "0 · whole certificate");
  await form.getByLabel("Certificate (hexadecimal)").fill("ab".repeat(32));
  await form.getByLabel("Certificate (hexadecimal)").press("Control+Enter");
  await page.getByRole("cell", { name: `3 0 1 ${"ab".repeat(32)}` }).waitFor();
  await choose("Type", "CAA");
  await form.getByLabel("Name").fill("@");
  await form.getByLabel("Value").fill("ca.example");
  await form.getByText('example.com CAA 0 issue "ca.example"').waitFor();
  await form.getByRole("button", { name: "Add the record" }).click();
  await form.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Edit the CAA record example.com" }).click();
  const edit = page.getByRole("form", { name: "Edit the CAA record example.com" });
  await edit.getByLabel("Value").fill("other.example");
  await edit.getByLabel("Value").press("Enter");
  await page.getByRole("cell", { name: '0 issue "other.example"' }).waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/dns_records?order=type`);
  assert.deepEqual(
    body.result.map(({ data }: { data: unknown }) => data),
    [
      { flags: 0, tag: "issue", value: "other.example" },
      { port: 5060, priority: 10, target: "sip.example.com", weight: 5 },
      { certificate: "AB".repeat(32), matching_type: 1, selector: 0, usage: 3 },
    ],
  );
});

test("every type has its fields, and axe-core finds no violation in them", async (t) => {
  const { app, page, open } = await openDashboard(t, { width: 360 });
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns?add=true`);
  const form = page.getByRole("form", { name: "Add a record" });
  for (const [type, label] of [
    ["MX", "Mail server"],
    ["LOC", "Latitude °"],
    ["NAPTR", "Regular expression"],
    ["HTTPS", "Parameters"],
    ["DS", "Digest type"],
    ["SSHFP", "Fingerprint type"],
    ["URI", "Priority"],
  ] as const) {
    await form.getByRole("combobox", { name: "Type", exact: true }).fill(type);
    await page.getByRole("option", { name: type, exact: true }).click();
    await form.getByLabel(label).first().waitFor();
    await assertAccessible(page);
  }
});

test("a record has two lines on a phone: its name with its buttons, then its content", async (t) => {
  const { app, page, open } = await openDashboard(t, { width: 390 });
  const zoneId = await app.createZone("example.com");
  const text = "a text that is far longer than a phone is wide ".repeat(4).trim();
  for (const record of [
    { type: "TXT", name: "long", content: `"${text}"` },
    { type: "A", name: "www", content: "192.0.2.1", proxied: true },
  ])
    await app.request("POST", `/zones/${zoneId}/dns_records`, { body: record });
  await open(`/zones/${zoneId}/dns`);
  for (const [name, content] of [
    ["long", text],
    ["www", "192.0.2.1"],
  ] as const) {
    const row = page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
    const middleOf = async (part: Locator): Promise<number> => {
      const box = (await part.boundingBox()) ?? assert.fail(`${name} is not shown whole`);
      return Math.round(box.y + box.height / 2);
    };
    const line = await middleOf(row.getByText(name, { exact: true }));
    for (const part of [row.getByRole("checkbox"), row.getByRole("button", { name: /^Delete/ })])
      assert.ok(
        Math.abs((await middleOf(part)) - line) <= 2,
        `${name}: a part of its first line is elsewhere`,
      );
    const below = await middleOf(row.getByText(content));
    assert.ok(below > line + 10, `${name}: its content is not below it`);
    assert.ok(
      Math.abs((await middleOf(row.getByText("Auto"))) - below) <= 3,
      `${name}: its TTL is elsewhere`,
    );
    assert.ok(((await row.boundingBox())?.height ?? 0) < 64, `${name} has more than two lines`);
  }
  await assertAccessible(page);
});

test("a whole content that is pasted fills the fields, and several lines open the import", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns?add=true`);
  const form = page.getByRole("form", { name: "Add a record" });
  const paste = async (label: string, text: string): Promise<void> => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await form.getByLabel(label).press("Control+v");
  };
  await form.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "MX", exact: true }).click();
  await paste("Mail server", "20 mx.example.net.");
  assert.equal(await form.getByLabel("Mail server").inputValue(), "mx.example.net");
  assert.equal(await form.getByLabel("Priority").inputValue(), "20");

  await paste("Name", "one 300 IN A 192.0.2.1\ntwo 300 IN A 192.0.2.2\n");
  const dialog = page.getByRole("dialog", { name: "Import a zone file" });
  await dialog.getByText("2 to add").waitFor();
  await dialog.getByRole("button", { name: "Import" }).click();
  await page.getByRole("cell", { name: "192.0.2.2" }).waitFor();
  assert.equal(await form.getByLabel("Mail server").inputValue(), "mx.example.net");
});

test("a record is duplicated below itself, with what was changed", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const body = { type: "A", name: "one", content: "192.0.2.1", comment: "kept", ttl: 300 };
  await app.request("POST", `/zones/${zoneId}/dns_records`, { body });
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Duplicate the A record one.example.com" }).click();
  const form = page.getByRole("form", { name: "Duplicate the A record one.example.com" });
  await form.getByLabel("Name").fill("two");
  await form.getByRole("button", { name: "Add the record" }).click();
  await form.waitFor({ state: "detached" });
  await page.getByText("A record two.example.com was added.").waitFor();
  const listed = await app.request("GET", `/zones/${zoneId}/dns_records?order=name`);
  const kept = { content: "192.0.2.1", comment: "kept", ttl: 300 };
  assert.deepEqual(
    listed.body.result.map(({ name, content, comment, ttl }: Record<string, unknown>) => ({
      name,
      content,
      comment,
      ttl,
    })),
    [
      { name: "one.example.com", ...kept },
      { name: "two.example.com", ...kept },
    ],
  );
});

test("columns are shown and hidden, and stay so", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const body = { type: "A", name: "one", content: "192.0.2.1", comment: "the first", tags: ["team:web"] };
  await app.request("POST", `/zones/${zoneId}/dns_records`, { body });
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("cell", { name: "the first" }).waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Tags" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Comment" }).click();
  await assertAccessible(page);
  await page.getByRole("columnheader", { name: "Comment" }).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("cell", { name: "team:web" }).waitFor();
  assert.equal(await page.getByRole("columnheader", { name: "Comment" }).count(), 0);
});
