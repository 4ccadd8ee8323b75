import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { until } from "../support/harness.ts";
import { openDashboard } from "./dashboard-page.ts";

test("a zone is added, found by its name and deleted by typing it", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await open("/");
  await page.getByRole("button", { name: "Add a zone" }).first().click();
  await page.getByLabel("Domain").fill("Example.com");
  await page.getByRole("button", { name: "Add the zone" }).click();
  await page.getByRole("heading", { name: "example.com" }).waitFor();

  await app.createZone("other.example");
  await open("/");
  await page.getByRole("searchbox", { name: "Search zones by name" }).fill("exam");
  await page.getByText("1–2 of 2").waitFor();
  await page.getByRole("searchbox", { name: "Search zones by name" }).fill("other");
  await page.getByText("1–1 of 1").waitFor();
  await page.getByRole("link", { name: "other.example" }).click();

  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByLabel("Type other.example to continue").fill("other.example");
  await page.getByRole("button", { name: "Delete the zone" }).click();
  await page.getByRole("heading", { name: "Zones" }).waitFor();
  await page.getByText("other.example was deleted.").waitFor();
  await page.goBack();
  await page.getByText("This zone could not be shown").waitFor();
  const { body } = await app.request("GET", "/zones");
  assert.deepEqual(
    body.result.map(({ name }: { name: string }) => name),
    ["example.com"],
  );
});

test("a record is added, edited, deleted and brought back in the table, and a refusal shows at its field", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Add a record" }).click();
  const form = page.getByRole("form", { name: "Add a record" });
  await form.getByLabel("Name").fill("www");
  await form.getByLabel("IPv4 address").fill("192.0.2.999");
  await form.getByRole("button", { name: "Add the record" }).click();
  await form.getByText("code 9005").waitFor();
  assert.equal(await form.getByText("code 9005").count(), 1);
  await form.getByLabel("IPv4 address").fill("192.0.2.1");
  await form.getByRole("button", { name: "Add the record" }).click();

  await page.getByRole("button", { name: "Edit the A record www.example.com" }).click();
  const edit = page.getByRole("form", { name: "Edit the A record www.example.com" });
  await edit.getByLabel("IPv4 address").fill("192.0.2.2");
  await edit.getByLabel("Comment").fill("the second");
  await edit.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: "192.0.2.2" }).waitFor();
  await page.getByRole("cell", { name: "the second" }).waitFor();
  const listed = await app.request("GET", `/zones/${zoneId}/dns_records`);
  assert.equal(listed.body.result[0].content, "192.0.2.2");

  await page.getByRole("button", { name: "Delete the A record www.example.com" }).click();
  await page.getByText("No records yet").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("cell", { name: "192.0.2.2" }).waitFor();
  const restored = await app.request("GET", `/zones/${zoneId}/dns_records`);
  assert.equal(restored.body.result[0].comment, "the second");
  assert.notEqual(restored.body.result[0].id, listed.body.result[0].id);
});

test("selected records get a TTL together and are deleted together, and all of them are brought back", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  for (const body of [
    { type: "A", name: "a", content: "192.0.2.1" },
    { type: "TXT", name: "b", content: '"kept"' },
    { type: "MX", name: "c", content: "mx.example.net", priority: 7 },
    { type: "SRV", name: "_sip._udp", data: { priority: 1, weight: 2, port: 3, target: "sip.example.com" } },
  ])
    assert.equal((await app.request("POST", `/zones/${zoneId}/dns_records`, { body })).status, 200);
  const recordsNow = async () => {
    const { body } = await app.request("GET", `/zones/${zoneId}/dns_records?order=name`);
    return body.result.map(({ name, content, priority, ttl }: Record<string, unknown>) => ({
      name,
      content,
      priority,
      ttl,
    }));
  };
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).click();
  const bar = page.getByRole("region", { name: "Selected records" });
  await bar.getByText("4 selected").waitFor();
  await page.getByRole("checkbox", { name: "Select the TXT record b.example.com" }).click();
  await bar.getByText("3 selected").waitFor();
  await bar.getByLabel("TTL of the selected records").click();
  await page.getByRole("option", { name: "5 min", exact: true }).click();
  await page.getByText("3 records were changed.").waitFor();
  const before = await recordsNow();
  assert.deepEqual(
    before.map(({ ttl }: { ttl: unknown }) => ttl),
    [300, 300, 1, 300],
  );

  await page.getByRole("checkbox", { name: "Select all on this page" }).click();
  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No records yet").waitFor();
  assert.deepEqual(await recordsNow(), []);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("4 records were restored.").waitFor();
  assert.deepEqual(await recordsNow(), before);
});

test("twenty records fit on a screen of 1280 by 800, and five on a phone", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const posts = Array.from({ length: 30 }, (_, index) => ({
    type: "A",
    name: `host-${index + 10}`,
    content: "192.0.2.1",
    comment: "One of many",
  }));
  posts.push({ type: "TXT", name: "a", content: `"${"long ".repeat(50)}"`, comment: "c".repeat(400) });
  await app.request("POST", `/zones/${zoneId}/dns_records/batch`, { body: { posts } });
  for (const [width, height, count] of [
    [1280, 800, 20],
    [390, 844, 5],
  ] as const) {
    await page.setViewportSize({ width, height });
    await open(`/zones/${zoneId}/dns`);
    const last = page.getByRole("row").nth(count);
    await last.waitFor();
    const box = await last.boundingBox();
    assert.ok(box !== null && box.y + box.height <= height, `row ${count} ends at ${box?.y}`);
    const button = page.getByRole("button", { name: "Delete the TXT record a.example.com" });
    const end = await button.boundingBox();
    assert.ok(end !== null && end.x + end.width <= width, `the last button ends at ${end?.x}`);
  }
});

test("a second editor leaves the first one open", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  for (const name of ["one", "two"])
    await app.request("POST", `/zones/${zoneId}/dns_records`, {
      body: { type: "A", name, content: "192.0.2.1" },
    });
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Edit the A record one.example.com" }).click();
  const first = page.getByRole("form", { name: "Edit the A record one.example.com" });
  await first.getByLabel("Comment").fill("half written");
  await page.getByRole("button", { name: "Edit the A record two.example.com" }).click();
  await page.getByRole("form", { name: "Edit the A record two.example.com" }).waitFor();
  assert.equal(await first.getByLabel("Comment").inputValue(), "half written");
});

test("pausing a zone asks first, and says that it happened", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}`);
  await page.getByRole("button", { name: "Pause" }).click();
  const question = page.getByRole("dialog", { name: "Pause example.com" });
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.equal((await app.request("GET", `/zones/${zoneId}`)).body.result.paused, false);
  await page.getByRole("button", { name: "Pause" }).click();
  await question.getByRole("button", { name: "Pause" }).click();
  await page.getByText("example.com is paused.").waitFor();
  assert.equal((await app.request("GET", `/zones/${zoneId}`)).body.result.paused, true);
});

test("a zone file is imported after a preview of what it adds, and exported", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const body = { type: "A", name: "www", content: "192.0.2.1" };
  await app.request("POST", `/zones/${zoneId}/dns_records`, { body });
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Import" }).click();
  const file = page.getByRole("textbox", { name: "Zone file" });
  await file.fill("www 300 IN A 192.0.2.1\nftp 300 IN A nonsense\n");
  await page.getByText("1 line is not valid").waitFor();
  await file.fill("www 300 IN A 192.0.2.1\nftp 300 IN A 192.0.2.9\n");
  await page.getByText("1 to add").waitFor();
  await page.getByText("1 already there").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
  await page.getByText("1 record was added, 1 left out.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("cell", { name: "192.0.2.9" }).waitFor();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const saved = await download;
  assert.equal(saved.suggestedFilename(), "example.com.txt");
  assert.match(await readFile(await saved.path(), "utf8"), /^ftp\.example\.com\.\t300\tIN\tA\t192\.0\.2\.9/m);
});

test("of 10,000 records a page is asked for and shown, also the last one", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  for (let first = 0; first < 10_000; first += 2_000) {
    const posts = Array.from({ length: 2_000 }, (_, index) => ({
      type: "A",
      name: `host-${String(first + index).padStart(5, "0")}`,
      content: "192.0.2.1",
    }));
    const { status } = await app.request("POST", `/zones/${zoneId}/dns_records/batch`, { body: { posts } });
    assert.equal(status, 200);
  }
  await open(`/zones/${zoneId}/dns`);
  await page.getByText("1–50 of 10,000").waitFor();
  await page.getByRole("button", { name: "Page 200" }).click();
  await page.getByText("9,951–10,000 of 10,000").waitFor();
  assert.equal(await page.getByRole("row").count(), 51);
  await page.getByRole("searchbox", { name: "Search records" }).fill("host-04242");
  await page.getByText("1–1 of 1").waitFor();
});

test("a page shows the call of the API that it made, as a curl command to be copied", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns?type=A`);
  await page.getByRole("button", { name: "API" }).click();
  await page.getByRole("button", { name: "Copy the curl command" }).first().click();
  let command = "";
  await until("it is copied", async () => {
    command = await page.evaluate<string>("navigator.clipboard.readText()");
    return command !== "";
  });
  assert.match(
    command,
    new RegExp(`^curl 'http://[^']*/client/v4/zones/${zoneId}/dns_records\\?page=1[^']*&type=A'`),
  );
});

test("a search is emptied with the address that it stands in", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  const search = page.getByRole("searchbox", { name: "Search records" });
  await search.pressSequentially("nowhere");
  await page.getByRole("link", { name: "Show all records" }).click();
  await page.getByText("No records yet").waitFor();
  assert.equal(await search.inputValue(), "");
  await page.goBack();
  await page.getByText("No record matches").waitFor();
  assert.equal(await search.inputValue(), "nowhere");
});

test("the form of a record takes the focus, and gives it back to the button that opened it", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Add a record" }).press("Enter");
  await page.getByLabel("Name").and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await page.getByRole("button", { name: "Add a record" }).and(page.locator(":focus")).waitFor();
});

test("the records of a zone are asked for once while a zone file is typed", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("button", { name: "Import" }).click();
  let lists = 0;
  page.on("request", (request) => (lists += request.url().includes("/dns_records?") ? 1 : 0));
  await page.getByRole("textbox", { name: "Zone file" }).pressSequentially("www 300 IN A 192.0.2.1");
  await page.getByText("1 to add").waitFor();
  assert.equal(lists, 1);
});

test("a list that cannot be had says so, and is asked for again", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await page.route("**/dns_records?*", (route) => route.fulfill({ status: 503, body: "<html>busy</html>" }));
  await open(`/zones/${zoneId}/dns`);
  await page.getByRole("alert").getByText("The server answered with HTTP status 503").waitFor();
  await page.unroute("**/dns_records?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No records yet").waitFor();
});

test("something is shown while the first answer takes its time", async (t) => {
  const { app, page } = await openDashboard(t);
  let answer: (() => void) | undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/session", async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto(new URL(app.baseUrl).origin);
  await page.getByRole("status", { name: "Loading" }).waitFor();
  answer?.();
  await page.getByRole("heading", { name: "Zones" }).waitFor();
});
