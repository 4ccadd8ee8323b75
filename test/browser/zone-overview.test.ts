import assert from "node:assert/strict";
import { test } from "node:test";

import { recordEvents } from "../support/security-event-api.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("a new zone leads to its first record, and each step ticks itself", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}`);
  await page.getByRole("heading", { name: "Next steps" }).waitFor();
  const step = (name: string, state: string) => page.getByRole("listitem", { name: `${name}: ${state}` });
  await step("Deploy managed rules", "to do").waitFor();
  await step("Make an API token", "done").waitFor();
  await assertAccessible(page);
  await step("Add a record", "to do").getByRole("link", { name: "Add a record" }).click();
  const form = page.getByRole("form", { name: "Add a record" });
  await form.getByLabel("Name").fill("www");
  await form.getByLabel("IPv4 address").fill("192.0.2.1");
  await form.getByRole("button", { name: "Add the record" }).click();
  await form.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Overview" }).click();
  await step("Add a record", "done").getByText("1 record").waitFor();
  assert.equal(await step("Deploy managed rules", "to do").count(), 1);
});

test("the events of the last day are drawn by hour, and lead to their page", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const event = { path: "/.env", query: "", message: "Information disclosure" } as const;
  const on = new Date(Date.now() - 90 * 60_000).toISOString();
  await recordEvents(t, app, zoneId, [
    { ...event, colo: "ZWD", on },
    { ...event, colo: "ZWD", on },
    // Traced or replayed.
    { ...event, on },
  ]);
  await open(`/zones/${zoneId}`);
  await page.getByRole("img", { name: "2 events of visitors in the last 24 hours, by hour" }).waitFor();
  await page.getByRole("listitem", { name: "Activate the zone: to do" }).waitFor();
  await app.request("PUT", `/zones/${zoneId}/activation_check`);
  await page.reload();
  await page.getByRole("listitem", { name: "Activate the zone: done" }).waitFor();
  await page.getByRole("link", { name: "Show them" }).click();
  await page.getByRole("heading", { name: "Security events", level: 1 }).waitFor();
});

test("whoever waits for the activation of a zone is told what helps here, and what a check found", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}`);
  const notice = page.getByRole("alert", { name: "This zone is waiting for activation" });
  await notice.getByText("Check now to activate it. If this server looks up delegations,").waitFor();
  await notice.getByRole("button", { name: "Check now" }).click();
  await page.getByText("The zone is active.", { exact: true }).waitFor();
  await page.getByRole("listitem", { name: "Activate the zone: done" }).waitFor();
  await notice.waitFor({ state: "detached" });
});

test("what serves a zone is told once it is in sight: edges, and the name servers to which it goes", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const account = `/accounts/${app.owner.accountId}/secondary_dns`;
  await open(`/zones/${zoneId}`);
  const heading = page.getByRole("heading", { name: "In service" });
  await heading.scrollIntoViewIfNeeded();
  await page.getByRole("link", { name: "None runs: no visitor meets the rules" }).waitFor();
  await page.getByRole("link", { name: "No other name server" }).waitFor();
  await assertAccessible(page);

  const peer = await app.request("POST", `${account}/peers`, { body: { name: "Knot", ip: "192.0.2.53" } });
  const body = { name: "example.com", peers: [peer.body.result.id] };
  await app.request("POST", `/zones/${zoneId}/secondary_dns/outgoing`, { body });
  await page.reload();
  await heading.scrollIntoViewIfNeeded();
  await page.getByRole("link", { name: "1 name server" }).click();
  await page.getByRole("heading", { level: 1, name: "Zone transfers" }).waitFor();
});
