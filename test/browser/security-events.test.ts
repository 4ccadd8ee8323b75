import assert from "node:assert/strict";
import { test } from "node:test";

import { startOfTime } from "../support/harness.ts";
import { eventsOf } from "../support/replay-api.ts";
import { recordEvents } from "../support/security-event-api.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

/** A HAR 1.2 with a `GET` of each address. */
function harOf(urls: readonly string[]): Buffer {
  const entries = urls.map((url) => ({
    startedDateTime: "2026-01-02T03:04:05Z",
    request: { method: "GET", url, httpVersion: "HTTP/2", headers: [{ name: "User-Agent", value: "test" }] },
  }));
  return Buffer.from(JSON.stringify({ log: { version: "1.2", entries } }));
}

const attack = "/?q=%3Cscript%3Ealert(1)%3C/script%3E";

test("a HAR is replayed; its events are listed, filtered and explained, and both versions compared", async (t) => {
  const { app, page, open } = await openDashboard(t);
  // The page asks for the events of the last day by its own clock.
  await page.clock.setFixedTime(new Date(startOfTime.getTime() + 60_000));
  const zoneId = await app.createZone("example.com");
  await app.request("PATCH", `/zones/${zoneId}/settings/waf`, { body: { value: "on" } });
  await app.request("PATCH", `/zones/${zoneId}/firewall/waf/packages/c504870194831cd12c3fc0284f294abb`, {
    body: { sensitivity: "off" },
  });
  const { body: proposal } = await app.request("GET", `/zones/${zoneId}/waf_migration/config?phase_two=1`);
  const skip = {
    action: "skip",
    action_parameters: { ruleset: "current" },
    expression: 'http.host eq "shop.example.com"',
  };
  await app.request(
    "PUT",
    `/zones/${zoneId}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=validation&phase_two=1`,
    { body: { rules: [skip, ...proposal.result.rules] } },
  );

  await open(`/zones/${zoneId}/security/events`);
  await page.getByText("No events", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Replay requests" }).click();
  await page.locator("input[type=file]").setInputFiles({
    name: "requests.har",
    mimeType: "application/json",
    buffer: harOf([
      "https://example.com/",
      `https://example.com${attack}`,
      `https://shop.example.com${attack}`,
    ]),
  });
  await page.getByRole("button", { name: "Replay requests.har" }).click();
  await page.getByRole("heading", { name: "3 requests judged" }).waitFor();
  await page
    .getByRole("heading", { name: "Passed by the new version, stopped by the previous one (1)" })
    .waitFor();
  await assertAccessible(page);

  await page.getByRole("link", { name: /written$/ }).click();
  await page.getByRole("tab", { name: "Both versions compared" }).click();
  // A replay is about no visitor.
  await page
    .getByRole("heading", { name: "No visitor’s request met a managed rule in this time." })
    .waitFor();
  const passed = page.getByRole("table", { name: "Passed by the new version, stopped by the previous one" });
  await passed.getByRole("button", { name: /shop\.example\.com/ }).waitFor();
  await page
    .getByRole("table", { name: "Stopped by both" })
    .getByRole("button", { name: "GET example.com/?q=" })
    .click();
  await page.getByRole("tab", { name: "Activity log" }).click();
  await page.getByText("1–2 of 2").waitFor();
  assert.equal(await page.getByText(/^Replayed, recorded /).count(), 2);
  await page.getByRole("img", { name: "Events over time. None" }).waitFor();
  await page.getByLabel("Source").selectOption("firewallManaged");
  await page.getByText("1–1 of 1").waitFor();
  await page.getByRole("button", { name: /^Details of the event/ }).click();
  await page.getByRole("group", { name: "Expression of the rule" }).getByText("script").waitFor();
  await assertAccessible(page);
});

test("both versions are compared over all events, also where only some of them are listed", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await page.clock.setFixedTime(new Date(startOfTime.getTime() + 60_000));
  const zoneId = await app.createZone("example.com");
  await app.request("PATCH", `/zones/${zoneId}/settings/waf`, { body: { value: "on" } });
  const { body: proposal } = await app.request("GET", `/zones/${zoneId}/waf_migration/config?phase_two=1`);
  const entryPoint = "rulesets/phases/http_request_firewall_managed/entrypoint";
  await app.request("PUT", `/zones/${zoneId}/${entryPoint}?waf_migration=validation&phase_two=1`, {
    body: { rules: proposal.result.rules },
  });
  const second = (seconds: number): string => new Date(startOfTime.getTime() + seconds * 1_000).toISOString();
  await recordEvents(t, app, zoneId, [
    // The oldest one is the only one that the new version passes.
    { on: second(1), source: "waf", ray: "f".repeat(16) },
    ...Array.from({ length: 1_000 }, (_, request) => ({
      on: second(2),
      ray: request.toString(16).padStart(16, "0"),
    })),
  ]);
  await open(`/zones/${zoneId}/security/events`);
  await page.getByRole("tab", { name: "Both versions compared" }).click();
  await page
    .getByRole("heading", {
      name: "The new version let 1 request pass that the previous one stopped. It stopped 1,000 requests that the previous one let pass.",
    })
    .waitFor();
  await page.getByText("The lists below are of the newest 1,000 events").waitFor();
  await page.getByRole("heading", { name: "stopped by the previous one (0 listed)" }).waitFor();
  assert.equal(await page.getByText("The new version stops everything").count(), 0);
  await assertAccessible(page);
});

/** Lines of an access log in the combined format, a second apart. */
const logOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => {
    const clock = new Date(startOfTime.getTime() + at * 1000).toISOString().slice(11, 19);
    return `192.0.2.1 - - [02/Jan/2026:${clock} +0000] "GET ${attack} HTTP/1.1" 200 1 "-" "test"`;
  }).join("\n");

test("a replay shows how far it is, is cancelled on the server too, and lists the lines that it skipped", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await app.request("PATCH", `/zones/${zoneId}/settings/waf`, { body: { value: "on" } });
  await open(`/zones/${zoneId}/security/events/replay`);
  const replay = async (text: string): Promise<void> => {
    const file = { name: "access.log", mimeType: "text/plain", buffer: Buffer.from(text) };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("button", { name: "Replay access.log" }).click();
  };
  await replay(logOf(9_000));
  await page.getByText(/^[1-9][\d,]* of 9,000 requests judged, recorded until Jan 2, 2026/).waitFor();
  const bar = page.getByRole("progressbar", { name: "Progress of the replay" });
  assert.ok(Number(await bar.getAttribute("aria-valuenow")) > 0);
  await assertAccessible(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText(/^[1-9][\d,]* of 9,000 requests were judged/).waitFor();
  await assertAccessible(page);

  await replay(`no line\n${logOf(1)}`);
  await page.getByRole("heading", { name: "1 request judged" }).waitFor();
  await page
    .getByRole("table", { name: "Skipped lines" })
    .getByRole("row", { name: "1 The line is not in the combined log format" })
    .waitFor();
  await assertAccessible(page);
  const events = await eventsOf(app, zoneId);
  assert.ok(events.length < 9_000, `${events.length} events`);
});

test("leaving the page of a replay that runs asks first, and cancels it", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await app.request("PATCH", `/zones/${zoneId}/settings/waf`, { body: { value: "on" } });
  await open(`/zones/${zoneId}/security/events/replay`);
  const file = { name: "access.log", mimeType: "text/plain", buffer: Buffer.from(logOf(9_000)) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("button", { name: "Replay access.log" }).click();
  await page.getByText(/^[1-9][\d,]* of 9,000 requests judged/).waitFor();

  const question = page.getByRole("dialog", { name: "Leave while the replay runs?" });
  await page.getByRole("link", { name: "DNS", exact: true }).click();
  await question.getByText("Leaving cancels it.").waitFor();
  await question.getByRole("button", { name: "Stay" }).click();
  await question.waitFor({ state: "detached" });
  await page.getByRole("progressbar", { name: "Progress of the replay" }).waitFor();

  await page.getByRole("link", { name: "DNS", exact: true }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { level: 1, name: "DNS records" }).waitFor();
  const events = await eventsOf(app, zoneId);
  assert.ok(events.length < 9_000, `${events.length} events`);
});

test("the question about leaving a replay goes away once the replay has ended", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await app.request("PATCH", `/zones/${zoneId}/settings/waf`, { body: { value: "on" } });
  await open(`/zones/${zoneId}/security/events/replay`);
  let end: (() => void) | undefined;
  const isEnded = new Promise<void>((resolve) => (end = resolve));
  await page.route("**/waf_migration/replay", async (route) => {
    await isEnded;
    await route.continue();
  });
  const file = { name: "access.log", mimeType: "text/plain", buffer: Buffer.from(logOf(1)) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("button", { name: "Replay access.log" }).click();
  await page.getByRole("link", { name: "DNS", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Leave while the replay runs?" });
  await question.waitFor();
  end?.();
  await page.getByRole("heading", { name: "1 request judged" }).waitFor();
  await question.waitFor({ state: "detached" });
});

test("a file without a request for the zone is refused with the API's code", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}/security/events/replay`);
  await page.locator("input[type=file]").setInputFiles({
    name: "requests.har",
    mimeType: "application/json",
    buffer: harOf(["https://elsewhere.example/"]),
  });
  await page.getByRole("button", { name: "Replay requests.har" }).click();
  await page.getByRole("alert").getByText("code 40023").waitFor();
  await assertAccessible(page);
});

test("a filter is kept by the enter key, and brings the log back to the page that there is", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await page.clock.setFixedTime(new Date(startOfTime.getTime() + 60_000));
  const zoneId = await app.createZone("example.com");
  const events = Array.from({ length: 21 }, (_, index) => ({
    on: "2026-01-02T03:04:05Z",
    address: index === 0 ? "192.0.2.1" : "192.0.2.2",
  }));
  await recordEvents(t, app, zoneId, events);
  await open(`/zones/${zoneId}/security/events`);
  await page.getByRole("button", { name: "Page 2" }).click();
  await page.getByText("21–21 of 21").waitFor();
  const address = page.getByRole("textbox", { name: "Client address" });
  await address.fill("192.0.2.1");
  await address.press("Enter");
  await page.getByText("1–1 of 1").waitFor();
  await address.and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "Clear: Client address" }).click();
  await page.getByText("21–21 of 21").waitFor();
  assert.equal(await address.inputValue(), "");
});
