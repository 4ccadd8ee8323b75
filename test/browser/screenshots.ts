import { readFileSync } from "node:fs";
import { test } from "node:test";

import { startOfTime, until } from "../support/harness.ts";
import { openDashboard, showIn } from "./dashboard-page.ts";
import { furnish, pages } from "./pages.ts";

const directory = "docs/dashboard";
const document = readFileSync("docs/dashboard.md", "utf8");
const issuanceTimeMs = 60_000;

/** Run by `npm run docs:screenshots`: the pictures that docs/dashboard.md shows. */
test("every page that is shown has its pictures in light and dark colours", async (t) => {
  const { app, page, open } = await openDashboard(t);
  await page.clock.setFixedTime(new Date(startOfTime.getTime() + issuanceTimeMs));
  const placed = await furnish(t, app);
  const packs = placed("/zones/ZONE/ssl/certificate_packs");
  await until("the pack has certificates", async () => {
    const { body } = await app.request("GET", packs);
    return body.result.length > 0;
  });
  for (const { name, path, heading } of pages) {
    if (!document.includes(`(dashboard/${name}-light.png)`)) continue;
    await open(placed(path));
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    // A long list is drawn in portions, and some are asked for once they are scrolled to.
    await page.waitForFunction(
      `[...document.querySelectorAll('[aria-label^="Loading: "]')].every((list) => list.getBoundingClientRect().top >= innerHeight)`,
    );
    for (const colorScheme of ["light", "dark"] as const) {
      await showIn(page, colorScheme);
      await page.screenshot({ path: `${directory}/${name}-${colorScheme}.png` });
    }
  }
});
