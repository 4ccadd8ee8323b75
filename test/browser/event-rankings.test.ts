import assert from "node:assert/strict";
import { test } from "node:test";

import { startOfTime } from "../support/harness.ts";
import { recordEvents } from "../support/security-event-api.ts";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 360],
] as const)
  test(`events are ranked, and filtered by a rank and by a part of the chart (${colorScheme}, ${width} pixels)`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme, width });
    await page.clock.setFixedTime(new Date(startOfTime.getTime() + 60_000));
    const zoneId = await app.createZone("example.com");
    const at = (hoursAgo: number): string =>
      new Date(startOfTime.getTime() - hoursAgo * 3_600_000).toISOString();
    const colo = "ZWD";
    await recordEvents(t, app, zoneId, [
      // A traced or replayed request is counted only where that was chosen.
      { on: at(6), path: "/tested", country: "FR", address: "192.0.2.9" },
      { on: at(2), path: "/login", colo, country: "BR", address: "192.0.2.1" },
      { on: at(2), path: "/login", colo, country: "DE", address: "192.0.2.2" },
      { on: at(5), path: "/login", colo, country: "BR", address: "192.0.2.1" },
      { on: at(5), path: "/other", colo, country: "BR", address: "192.0.2.1" },
    ]);
    await open(`/zones/${zoneId}/security/events`);
    const paths = page.getByRole("region", { name: "Top paths" });
    await paths.getByRole("button", { name: "/login" }).waitFor();
    assert.match((await paths.textContent()) ?? "", /\/login3.*\/other1/);
    const counting = page.getByLabel("Count traced and replayed requests");
    await counting.press("Space");
    await paths.getByRole("button", { name: "/tested" }).waitFor();
    await counting.press("Space");
    await paths.getByRole("button", { name: "/tested" }).waitFor({ state: "detached" });
    await assertAccessible(page);
    await page.screenshot({ path: `/tmp/shots/tops-${colorScheme}.png`, fullPage: true });
    await page
      .getByRole("region", { name: "Top countries" })
      .getByRole("button", { name: "BR" })
      .press("Enter");
    await page.getByText("1–3 of 3").waitFor();

    await page.getByLabel("Show the events of").selectOption({ index: 1 });
    await page.getByText("1–2 of 2").waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Show all: Time" }).press("Enter");
    await page.getByText("1–3 of 3").waitFor();

    const chart = page.getByRole("img", { name: /^Events over time/ });
    const box = await chart.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width - 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.85, box.y + 20, { steps: 3 });
    await page.mouse.up();
    await page.getByText("1–1 of 1").waitFor();
    await page.getByRole("button", { name: "Show all: Country" }).press("Enter");
    await page.getByText("1–2 of 2").waitFor();
  });
