import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { startOfTime, type TestApp } from "../support/harness.ts";
import { recordEvents } from "../support/security-event-api.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

const managedRuleset = "efb7b8c949ac4650a09736fc376e9aee";
const entryPoint = "rulesets/phases/http_request_firewall_managed/entrypoint";

async function createZone(app: TestApp, name: string, plan: string): Promise<string> {
  const zoneId = await app.createZone(name);
  await app.request("PATCH", `/zones/${zoneId}`, { body: { plan: { id: plan } } });
  await app.request("PATCH", `/zones/${zoneId}/settings/waf`, { body: { value: "on" } });
  return zoneId;
}

async function migrationState(app: TestApp, zoneId: string): Promise<string> {
  const { body } = await app.request("GET", `/zones/${zoneId}/waf_migration/status`);
  return body.result.migration_state;
}

const pageOf = (zoneId: string): string => `/zones/${zoneId}/security/waf/managed-rules`;

async function confirmTyped(page: Page, name: string, action: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(`Type ${name} to continue`).fill(name);
  await assertAccessible(page);
  await dialog.getByRole("button", { name: action }).click();
}

test("Deploy migrates a Pro zone at once, to the configuration that was shown", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await createZone(app, "pro.example", "pro");
  await app.request("PATCH", `/zones/${zoneId}/firewall/waf/packages/c504870194831cd12c3fc0284f294abb`, {
    body: { sensitivity: "medium", action_mode: "simulate" },
  });
  await open(pageOf(zoneId));
  await page.getByRole("button", { name: "Review the configuration" }).click();
  await page.getByRole("cell", { name: "paranoia level 1, score threshold 25" }).waitFor();
  await assertAccessible(page);

  await page.getByRole("button", { name: "Deploy", exact: true }).click();
  await confirmTyped(page, "pro.example", "Deploy");
  await page.getByRole("heading", { name: "Managed rulesets" }).waitFor();
  await page.getByRole("cell", { name: "Execute Cloudflare OWASP Core Ruleset" }).waitFor();
  await assertAccessible(page);
  assert.equal(await migrationState(app, zoneId), "complete");
  const { body } = await app.request("GET", `/zones/${zoneId}/${entryPoint}`);
  assert.deepEqual(
    body.result.rules.map(({ action, enabled }: { action: string; enabled: boolean }) => [action, enabled]),
    [
      ["execute", true],
      ["execute", true],
    ],
  );
});

test("an Enterprise zone goes through validation mode; Ready to update changes nothing by itself", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await createZone(app, "enterprise.example", "enterprise");
  await open(pageOf(zoneId));
  await page.getByRole("button", { name: "Deploy", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deploy" }).click();
  await page.getByText("Validation: both versions").waitFor();
  assert.equal(await migrationState(app, zoneId), "validation");
  await assertAccessible(page);

  // Both versions can still be changed.
  await page.getByRole("tab", { name: "Previous version" }).click();
  await page.getByRole("switch", { name: "Group Cloudflare Drupal" }).press("Space");
  await page.getByRole("switch", { name: "Group Cloudflare Drupal", checked: false }).waitFor();
  await page.getByRole("tab", { name: "New version" }).click();
  const { body: before } = await app.request("GET", `/zones/${zoneId}/${entryPoint}`);

  await page.getByRole("button", { name: "Ready to update" }).click();
  assert.equal(await migrationState(app, zoneId), "validation");
  await page.getByRole("button", { name: "Not yet" }).click();
  await page.getByRole("button", { name: "Ready to update" }).click();
  await page.getByRole("button", { name: "Turn off previous version" }).click();
  await confirmTyped(page, "enterprise.example", "Turn off previous version");
  // The tab of the same name is there before, and goes with that of the previous version.
  await page.getByRole("tab", { name: "Previous version" }).waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Managed rulesets" }).waitFor();
  assert.equal(await migrationState(app, zoneId), "complete");
  const { body: after } = await app.request("GET", `/zones/${zoneId}/${entryPoint}`);
  assert.deepEqual(after.result.rules, before.result.rules);
});

test("a zone with URI-based overrides is told why it cannot update, and can once they are deleted", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await createZone(app, "api.example", "pro");
  await app.request("POST", `/zones/${zoneId}/firewall/waf/overrides`, {
    body: { urls: ["api.example/v1/*"], rules: { "100015": "disable" } },
  });
  await open(pageOf(zoneId));
  await page.getByRole("heading", { name: "This zone cannot update" }).waitFor();
  await page.getByText("(code 40001)").waitFor();
  assert.equal(await page.getByRole("button", { name: "Deploy", exact: true }).count(), 0);
  await assertAccessible(page);

  await page.getByRole("button", { name: "Delete the override of api.example/v1/*" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "This zone can update" }).waitFor();
  assert.equal(await migrationState(app, zoneId), "start");
});

test("an exception is written with an editor that checks it, comes first, and is switched off and moved", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await createZone(app, "new.example", "enterprise");
  const execute = { action: "execute", expression: "true", action_parameters: { id: managedRuleset } };
  await app.request("PUT", `/zones/${zoneId}/${entryPoint}?waf_migration=pending&phase_two=1`, {
    body: { rules: [execute] },
  });
  await open(pageOf(zoneId));
  await page.getByRole("link", { name: "Add an exception" }).click();
  await page.getByLabel("Description").fill("Uploads");
  const editor = page.getByRole("textbox", { name: "Expression" });
  await editor.fill('http.host eq "new.example" and http.request.uri.pth eq "/"');
  await page.getByText("Column 32: unknown identifier").waitFor();
  await editor.fill('http.request.uri.path matches "(a"');
  await page.getByText(/unclosed group/).waitFor();
  await editor.fill("starts_with(");
  await editor.pressSequentially("http.request.uri.pa");
  await page.getByRole("option", { name: /^http\.request\.uri\.path\s*Bytes/ }).waitFor();
  await assertAccessible(page);
  await editor.press("Enter");
  await editor.pressSequentially(', "/upload/")');
  assert.equal(await editor.inputValue(), 'starts_with(http.request.uri.path, "/upload/")');
  await page.getByRole("button", { name: "Save" }).click();

  await page.getByRole("row", { name: /^1 Uploads/ }).waitFor();
  await page.getByRole("switch", { name: "Rule 1 is enabled" }).press("Space");
  await page.getByRole("switch", { name: "Rule 1 is enabled", checked: false }).waitFor();
  await page.getByRole("button", { name: "Move rule 1 down" }).click();
  await page.getByRole("row", { name: /^2 Uploads/ }).waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/${entryPoint}`);
  assert.deepEqual(
    body.result.rules.map(({ action, enabled }: { action: string; enabled: boolean }) => [action, enabled]),
    [
      ["execute", true],
      ["skip", false],
    ],
  );
  await page.getByRole("button", { name: "Delete rule 2" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("row", { name: /Uploads/ }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("row", { name: /Uploads/ }).waitFor();
  const restored = await app.request(
    "GET",
    `/zones/${zoneId}/rulesets/phases/http_request_firewall_managed/entrypoint`,
  );
  const { id: _deleted, ref: _oldRef, version: _old, last_updated: _before, ...rule } = body.result.rules[1];
  const {
    id: _id,
    ref: _ref,
    version: _version,
    last_updated: _now,
    ...again
  } = restored.body.result.rules[1];
  assert.deepEqual(again, rule);
});

test("an override of a rule of a managed ruleset is made, and what else a rule says stays", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await createZone(app, "new.example", "enterprise");
  const execute = {
    action: "execute",
    expression: "true",
    description: "Everything",
    action_parameters: { id: managedRuleset, version: "1" },
  };
  await app.request("PUT", `/zones/${zoneId}/${entryPoint}?waf_migration=pending&phase_two=1`, {
    body: { rules: [execute] },
  });
  await open(pageOf(zoneId));
  await page.getByRole("link", { name: "Edit rule 1" }).click();
  await page.getByRole("searchbox", { name: "Search by description, category or id" }).fill("Log4j");
  await page.getByText(/^1–\d of \d$/).waitFor();
  await page
    .getByLabel(/^Action of rule .*Log4j/i)
    .first()
    .selectOption("log");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("1 rule changed").waitFor();
  const { body } = await app.request("GET", `/zones/${zoneId}/${entryPoint}`);
  const [rule] = body.result.rules;
  assert.equal(rule.description, "Everything");
  assert.equal(rule.action_parameters.version, "1");
  assert.equal(rule.action_parameters.overrides.rules[0].action, "log");
});

test("what the page may not know, it does not claim", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await createZone(app, "pro.example", "pro");
  const refused = { success: false, errors: [{ code: 10000, message: "Authentication error" }] };
  for (const path of ["settings/waf", "waf_migration/config?*"])
    await page.route(`**/${path}`, (route) => route.fulfill({ status: 403, json: refused }));
  await open(pageOf(zoneId));
  await page.getByText("It is unknown whether the firewall is on").waitFor();
  await page.getByRole("button", { name: "Review the configuration" }).click();
  await page.getByText("The configuration could not be proposed").waitFor();
  await page.getByRole("button", { name: "Deploy", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Nothing can be deployed now").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Deploy" }).count(), 0);
});

test("before the migration the report tells what the previous version alone stops", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await page.clock.setFixedTime(new Date(startOfTime.getTime() + 60_000));
  const zoneId = await createZone(app, "start.example", "pro");
  const on = startOfTime.toISOString();
  await recordEvents(t, app, zoneId, [
    {
      on,
      host: "start.example",
      path: "/feed",
      source: "waf",
      ruleId: "960015",
      message: "Missing Accept header",
    },
  ]);
  await open(pageOf(zoneId));
  await page.getByRole("tab", { name: "Visitors" }).click();
  await page.getByRole("heading", { name: "The previous version stopped 1 request." }).waitFor();
  await page
    .getByRole("table", { name: "Rules of the previous version that stopped requests" })
    .getByRole("row", { name: /Missing Accept header/ })
    .waitFor();
  assert.equal(await page.getByText("Stopped by both").count(), 0);
  await assertAccessible(page);
});

test("a comparison counts the requests of all events, and says of which events its rules are", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await createZone(app, "busy.example", "enterprise");
  const on = new Date(startOfTime.getTime() + 1_000).toISOString();
  await recordEvents(
    t,
    app,
    zoneId,
    Array.from({ length: 10_001 }, (_, request) => ({
      on,
      source: "waf" as const,
      ray: request.toString(16).padStart(16, "0"),
    })),
  );
  await open(`${pageOf(zoneId)}?view=comparison`);
  await page.getByRole("heading", { name: "The previous version stopped 10,001 requests." }).waitFor();
  await page.getByText("below are of the newest 10,000: choose a shorter time").waitFor();
  await assertAccessible(page);
});

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`both versions are compared by visitors, and an exception is made from it (${colorScheme}, ${width} pixels wide)`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme, width });
    // The events of an example are those of the last day by the clock of the page.
    await page.clock.setFixedTime(new Date(startOfTime.getTime() + 60_000));
    const zoneId = await createZone(app, "new.example", "enterprise");
    const execute = { action: "execute", expression: "true", action_parameters: { id: managedRuleset } };
    await app.request("PUT", `/zones/${zoneId}/${entryPoint}?waf_migration=validation&phase_two=1`, {
      body: { rules: [execute] },
    });
    const { body } = await app.request("GET", `/zones/${zoneId}/rulesets/${managedRuleset}`);
    const [rule] = body.result.rules;
    await open(pageOf(zoneId));
    await page.getByRole("link", { name: "how both compare by visitors" }).click();
    await page.getByText("The zone has no security events of this time.").waitFor();
    await page.getByRole("link", { name: "replay recorded requests" }).waitFor();
    await page.getByRole("link", { name: "what the edge is missing" }).waitFor();
    await assertAccessible(page);

    const on = new Date(startOfTime.getTime() + 1_000).toISOString();
    const byNew = { on, host: "new.example", ruleId: rule.id, message: rule.description };
    const byPrevious = {
      on,
      host: "new.example",
      source: "waf",
      rulesetId: "c504870194831cd12c3fc0284f294abb",
      ruleId: "960015",
      message: "Missing Accept header",
    } as const;
    await recordEvents(t, app, zoneId, [
      { ...byNew, ray: "1".repeat(16), path: "/both", metadata: { owasp_scores: "30,45" } },
      { ...byPrevious, ray: "1".repeat(16), path: "/both" },
      { ...byNew, ray: "2".repeat(16), path: "/upload", metadata: { owasp_scores: "25,65" } },
      { ...byPrevious, ray: "3".repeat(16), path: "/feed" },
      { ...byNew, ray: "4".repeat(16), path: "/traced", metadata: { traced: "true" } },
    ]);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page
      .getByRole("heading", {
        name: "The new version let 1 request pass that the previous one stopped. It stopped 1 request that the previous one let pass.",
      })
      .waitFor();
    const rowOf = (table: string, name: RegExp) =>
      page.getByRole("table", { name: table }).getByRole("row", { name });
    await rowOf("Rules of the previous version that alone stopped requests", /Missing Accept header/)
      .getByRole("link", { name: "new.example/feed" })
      .waitFor();
    await rowOf("Rules of the new version that alone stopped requests", new RegExp(rule.id)).waitFor();
    await rowOf("What requests would score", /\b65\b/).waitFor();
    const exception = rowOf("Exceptions that would make both agree", /new\.example\/upload/);
    await exception.getByText("Skip 1 rule of Cloudflare Managed Ruleset").waitFor();
    await assertAccessible(page);
    if (process.env["SCREENSHOTS"] !== undefined)
      await page.screenshot({
        path: `${process.env["SCREENSHOTS"]}/comparison-${width}.png`,
        fullPage: true,
      });

    await exception.getByRole("link", { name: "Make an exception" }).click();
    await page.getByRole("heading", { level: 1, name: "Add an exception" }).waitFor();
    await page.getByTitle(rule.id).getByText(rule.description).waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Passed by the previous version at new\.example\/upload/ }).waitFor();
    const { body: after } = await app.request("GET", `/zones/${zoneId}/${entryPoint}`);
    assert.deepEqual(after.result.rules[0].action_parameters, { rules: { [managedRuleset]: [rule.id] } });
    await page.getByRole("tab", { name: "Compared" }).click();
    await exception.getByText("Made since").waitFor();
    const rules = after.result.rules.toReversed();
    await app.request("PUT", `/zones/${zoneId}/${entryPoint}?waf_migration=validation&phase_two=1`, {
      body: { rules: [rules[0], { ...rules[1], enabled: false }] },
    });
    await page.reload();
    await exception
      .getByText("differs: it is disabled; it comes after the rule that executes them.")
      .waitFor();
    await assertAccessible(page);
    await page.getByRole("link", { name: "new.example/feed" }).click();
    await page.getByRole("heading", { level: 1, name: "Security events" }).waitFor();
    await page.getByRole("button", { name: /^Details of the event/ }).waitFor();
  });
