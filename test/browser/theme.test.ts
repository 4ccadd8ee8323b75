import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { openDashboard } from "./dashboard-page.ts";
import { furnish } from "./pages.ts";

for (const colorScheme of ["light", "dark"] as const)
  test(`fields, buttons, check boxes and cards have borders of 3 to 1 in ${colorScheme} colours`, async (t) => {
    const { app, page, open } = await openDashboard(t, { colorScheme });
    const placed = await furnish(t, app);
    await open(placed("/zones/ZONE/dns"));
    for (const bordered of [
      '[aria-label="Search records"]',
      "#page .mantine-Button-root[data-variant=default]",
      '[aria-label="Select all on this page"]',
      ".mantine-Card-root",
    ]) {
      const ratio = await borderContrast(page, bordered);
      assert.ok(ratio >= 3, `${bordered}: ${ratio}`);
    }
  });

/** The contrast of an element's border with what is inside of it, and with what is around it: the lower one. */
async function borderContrast(page: Page, selector: string): Promise<number> {
  const [border, ...surfaces] = await page.evaluate<string[]>(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const surface = (from) => {
      for (let at = from; at; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor;
      }
      return getComputedStyle(document.body).backgroundColor;
    };
    return [getComputedStyle(element).borderTopColor, surface(element), surface(element.parentElement)];
  })()`);
  return Math.min(...surfaces.map((surface) => contrast(luminance(border ?? ""), luminance(surface))));
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** WCAG 2.2, of a colour as browsers compute it: `rgb(36, 36, 36)`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+(?:\.\d+)?/g) ?? []).map((channel) => {
    const value = Number(channel) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
