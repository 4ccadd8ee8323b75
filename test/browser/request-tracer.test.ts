import assert from "node:assert/strict";
import { test } from "node:test";

import { startOfTime } from "../support/harness.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

const custom = "http_request_firewall_custom";

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`a request is traced; its event explains itself, is traced again and excepted (${colorScheme}, ${width} pixels)`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme, width });
    await page.clock.setFixedTime(new Date(startOfTime.getTime() + 60_000));
    const zoneId = await app.createZone("example.com");
    const rules = [
      { description: "Uploads", action: "log", expression: 'starts_with(http.request.uri.path, "/upload")' },
      {
        description: "Admin",
        action: "block",
        expression: 'ip.src.country eq "DE" and (ssl or http.host eq "x") and http.user_agent contains "bot"',
      },
    ];
    await app.request("PUT", `/zones/${zoneId}/rulesets/phases/${custom}/entrypoint`, { body: { rules } });
    await open(`/zones/${zoneId}/trace`);
    await page.getByRole("button", { name: "Trace", exact: true }).click();
    await page.getByText("The request reaches the origin").waitFor();
    await page.getByText("It met no rule.").waitFor();
    await assertAccessible(page);

    await page.getByLabel("Headers").fill("User-Agent: a bot\nnothing");
    await page.getByText("Line 2: expected a name, a colon and a value").waitFor();
    await page.getByLabel("Headers").fill("User-Agent: a bot");
    await page.getByLabel("Country").fill("de");
    await page.keyboard.press("Enter");
    await page.getByText("A rule answers with status 403").waitFor();
    const stage = page.getByRole("region", { name: "Custom rules" });
    await stage.getByRole("link", { name: "Admin" }).waitFor();
    const marked = stage.locator("mark");
    await marked.first().waitFor();
    assert.deepEqual(await marked.allTextContents(), [
      'ip.src.country eq "DE"',
      "ssl",
      'http.user_agent contains "bot"',
    ]);
    await page.getByText("http.user_agent: a bot").waitFor();
    assert.equal(await stage.getByText("Uploads").count(), 0);
    await page.getByRole("switch", { name: "Show rules that did not match" }).press("Space");
    await stage.getByText("Uploads").waitFor();
    await assertAccessible(page);

    await open(`/zones/${zoneId}/security/events`);
    await page.getByRole("button", { name: /^Details of the event .*Admin/ }).click();
    await page.locator("mark").getByText('ip.src.country eq "DE"').waitFor();
    await assertAccessible(page);
    await page.getByRole("link", { name: "Trace this request" }).click();
    assert.equal(await page.getByLabel("URL").inputValue(), "https://example.com/");
    assert.equal(await page.getByLabel("Headers").inputValue(), "User-Agent: a bot");
    await page.goBack();
    await page.getByRole("button", { name: /^Details of the event .*Admin/ }).click();
    await page.getByRole("link", { name: "Make an exception" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("row", { name: /Exception: Admin/ }).waitFor();
    const { body } = await app.request("GET", `/zones/${zoneId}/rulesets/phases/${custom}/entrypoint`);
    const [first] = body.result.rules;
    assert.equal(first.action, "skip");
    assert.equal(first.expression, 'http.host eq "example.com" and http.request.uri.path eq "/"');
  });
