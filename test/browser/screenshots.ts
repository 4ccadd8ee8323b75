import { mkdirSync } from "node:fs";
import { test } from "node:test";

import { startOfTime, until } from "../support/harness.ts";
import { openDashboard } from "./dashboard-page.ts";
import { furnish, pages } from "./pages.ts";

const directory = "docs/dashboard";
const issuanceTimeMs = 60_000;

/** Run by `npm run docs:screenshots`: the pictures of docs/dashboard.md. */
for (const colorScheme of ["light", "dark"] as const)
  test(`every page has its picture in ${colorScheme} colours`, async (t) => {
    mkdirSync(directory, { recursive: true });
    const { app, page, open } = await openDashboard(t, { colorScheme });
    await page.clock.setFixedTime(new Date(startOfTime.getTime() + issuanceTimeMs));
    const placed = await furnish(t, app);
    const packs = placed("/zones/ZONE/ssl/certificate_packs");
    await until("the pack has certificates", async () => {
      const { body } = await app.request("GET", packs);
      return body.result.length > 0;
    });
    for (const { name, path, heading } of pages) {
      await open(placed(path));
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await page.screenshot({ path: `${directory}/${name}-${colorScheme}.png` });
    }
  });
