import assert from "node:assert/strict";
import { test } from "node:test";

import type { TestApp } from "../support/harness.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

const rulesOf = (zoneId: string, phase: string): string => `/zones/${zoneId}/rules/${phase}`;

async function storedRules(app: TestApp, zoneId: string, phase: string) {
  const { body } = await app.request("GET", `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`);
  return body.result.rules;
}

const custom = "http_request_firewall_custom";

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`a rule is built, logs first, and then acts (${colorScheme}, ${width} pixels)`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme, width });
    const zoneId = await app.createZone("example.com");
    await open(`/zones/${zoneId}/rules`);
    await assertAccessible(page);
    await page.getByRole("link", { name: /^Custom rules/ }).click();
    await page.getByRole("heading", { level: 1, name: "Custom rules" }).waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Description").fill("Admin from abroad");
    await page.getByLabel("Value of condition 1").fill("example.com");
    await page.getByRole("button", { name: "And", exact: true }).click();
    await page.getByRole("combobox", { name: "Field of condition 2" }).click();
    await page.getByRole("combobox", { name: "Field of condition 2" }).fill("country");
    await page.getByRole("option", { name: "Country (ip.src.country)" }).click();
    await page.getByLabel("Operator of condition 2").selectOption("is not in");
    await page.locator("input[aria-label='Values of condition 2']").fill("DE");
    await page.keyboard.press("Enter");
    const text = page.getByRole("textbox", { name: "Expression" });
    assert.equal(await text.inputValue(), 'http.host eq "example.com" and not ip.src.country in {"DE"}');
    await assertAccessible(page);

    await text.fill('(http.host eq "a" and ssl) or starts_with(http.request.uri.path, "/x")');
    await page.getByRole("group", { name: "Alternative 2" }).waitFor();
    assert.equal(
      await page
        .getByRole("group", { name: "Alternative 2" })
        .getByLabel("Value of condition 1")
        .inputValue(),
      "/x",
    );
    await text.fill("len(http.host) bitwise_and 4");
    await page.getByText("The builder cannot show this expression").waitFor();
    await text.fill('starts_with(http.request.uri.path, "/admin")');
    await page.getByRole("button", { name: "Save, and only log first" }).click();
    await page.getByRole("row", { name: /Admin from abroad/ }).waitFor();
    await page.getByText("Version 1").waitFor();
    await assertAccessible(page);

    await page.getByRole("button", { name: "Actions for rule 1" }).press("Enter");
    await page.getByRole("menuitem", { name: "Act instead of logging…" }).click();
    await page.getByRole("dialog").getByLabel("Action").selectOption("managed_challenge");
    await assertAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Act", exact: true }).click();
    await page.getByRole("cell", { name: "Managed challenge" }).waitFor();
    const [rule] = await storedRules(app, zoneId, custom);
    assert.equal(rule.action, "managed_challenge");
    assert.equal(rule.expression, 'starts_with(http.request.uri.path, "/admin")');
  });

test("rules are moved by keys and by dragging, turned off, and deleted after a question", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const rules = ["First", "Second", "Third"].map((description) => ({
    description,
    action: "block",
    expression: "ssl",
  }));
  await app.request("PUT", `/zones/${zoneId}/rulesets/phases/${custom}/entrypoint`, { body: { rules } });
  const order = async (): Promise<string[]> =>
    (await storedRules(app, zoneId, custom)).map(({ description }: { description: string }) => description);
  await open(rulesOf(zoneId, custom));

  const handle = (place: number) => page.getByRole("button", { name: `Move rule ${place}: arrow keys` });
  await handle(1).press("ArrowDown");
  await page.getByText("Version 2").waitFor();
  assert.deepEqual(await order(), ["Second", "First", "Third"]);
  await handle(2).and(page.locator(":focus")).waitFor();

  const [from, to] = await Promise.all([handle(3).boundingBox(), handle(1).boundingBox()]);
  assert.ok(from && to);
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y + 5, { steps: 4 });
  await page.locator("tr[data-drop=before]").waitFor();
  await page.mouse.up();
  await page.getByText("Version 3").waitFor();
  assert.deepEqual(await order(), ["Third", "Second", "First"]);

  await page.getByRole("switch", { name: "Rule 1 is enabled" }).press("Space");
  await page.getByText("Version 4").waitFor();
  await page.getByRole("button", { name: "Actions for rule 1" }).press("Enter");
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await assertAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Version 5").waitFor();
  assert.deepEqual(await order(), ["Second", "First"]);
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await page.getByText("The rule was restored.").waitFor();
  await page.getByText("Version 6").waitFor();
  assert.deepEqual(await order(), ["Third", "Second", "First"]);
  await page.getByRole("switch", { name: "Rule 1 is enabled", checked: false }).waitFor();
});

test("what the server refuses is said at its field, and what was typed stays", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`${rulesOf(zoneId, "http_ratelimit")}/new`);
  await page.getByLabel("Description").fill("Sign-in");
  await page.getByRole("radio", { name: "All requests" }).check();
  await page.getByLabel("Period (seconds)").fill("5");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/it is not an integer between 10 and 86400/).waitFor();
  await page.getByText("See the marked field.").waitFor();
  await assertAccessible(page);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await page.getByLabel("Period (seconds)").fill("60");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page
    .getByRole("row", { name: /Sign-in.*100 requests in 60 s, counted by: Address, Data center/ })
    .waitFor();
  const [rule] = await storedRules(app, zoneId, "http_ratelimit");
  assert.deepEqual(rule.ratelimit, {
    characteristics: ["ip.src", "cf.colo.id"],
    period: 60,
    requests_per_period: 100,
    mitigation_timeout: 60,
  });
});

test("the palette leads to the rules of a phase", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  await open(`/zones/${zoneId}`);
  await page.keyboard.press("Control+k");
  await page.getByLabel("Search zones, records, pages and actions").fill("cache rules");
  await page.getByRole("button", { name: "Cache rules example.com" }).click();
  await page.getByRole("heading", { level: 1, name: "Cache rules" }).waitFor();
});

test("each phase has its forms: redirects, rewrites, headers, settings, origins, errors, caching and skips", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const zoneId = await app.createZone("example.com");
  const add =
    (setting: string, to = "parameters") =>
    async () => {
      await page.getByRole("combobox", { name: `Add to ${to}` }).click();
      await page.getByRole("option", { name: setting, exact: true }).click();
    };
  const made: readonly (readonly [phase: string, fill: () => Promise<unknown>, parameters: object])[] = [
    [
      "http_request_dynamic_redirect",
      () => page.getByLabel("Value", { exact: true }).fill("https://www.example.com/"),
      { from_value: { status_code: 301, target_url: { value: "https://www.example.com/" } } },
    ],
    [
      "http_request_transform",
      () => page.getByLabel("Value", { exact: true }).fill("/new"),
      { uri: { path: { value: "/new" } } },
    ],
    [
      "http_request_late_transform",
      async () => {
        await page.getByLabel("Name to add to headers").fill("X-From");
        await page.keyboard.press("Enter");
        await page.getByLabel("Value", { exact: true }).fill("edge");
      },
      { headers: { "X-From": { operation: "set", value: "edge" } } },
    ],
    [
      "http_config_settings",
      async () => {
        await add("SSL mode")();
        await page.getByLabel("SSL mode", { exact: true }).selectOption("Strict");
      },
      { ssl: "strict" },
    ],
    [
      "http_request_origin",
      async () => {
        await add("Origin")();
        await page.getByLabel("Port", { exact: true }).fill("8443");
      },
      { origin: { port: 8443 } },
    ],
    [
      "http_custom_errors",
      () => page.getByLabel("Content", { exact: true }).fill("<h1>Sorry</h1>"),
      { content: "<h1>Sorry</h1>" },
    ],
    [
      "http_request_cache_settings",
      async () => {
        await add("Cache")();
      },
      { cache: true },
    ],
  ];
  for (const [phase, fill, parameters] of made) {
    await open(`${rulesOf(zoneId, phase)}/new`);
    await page.getByRole("radio", { name: "All requests" }).check();
    await fill();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Version 1").waitFor();
    const [rule] = await storedRules(app, zoneId, phase);
    assert.deepEqual(rule.action_parameters, parameters);
  }
  await open(`${rulesOf(zoneId, custom)}/new`);
  await page.getByRole("radio", { name: "All requests" }).check();
  await page.getByLabel("Action").selectOption("skip");
  await page.getByLabel("Rules of this ruleset").selectOption("All that follow");
  await page.getByRole("combobox", { name: "Products" }).press("ArrowDown");
  await page.getByRole("option", { name: "Zone lockdowns" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("switch", { name: "Log the requests that skip" }).press("Space");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Version 1").waitFor();
  const [rule] = await storedRules(app, zoneId, custom);
  assert.deepEqual(rule.action_parameters, { ruleset: "current", products: ["zoneLockdown"] });
  assert.deepEqual(rule.logging, { enabled: false });
});
