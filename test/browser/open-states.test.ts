import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { assertAccessible, openDashboard, showIn } from "./dashboard-page.ts";
import { furnish, pages } from "./pages.ts";

/** The first words of buttons that open something, a form, a menu, a dialog or a detail, in the order of the alphabet. */
const openers = [
  "Actions for",
  "Add",
  "Change",
  "Columns",
  "Delete",
  "Deploy",
  "Details of",
  "Duplicate",
  "Edit",
  "Import",
  "Invite",
  "Leave",
  "Link of",
  "Order",
  "Pause",
  "Remove",
  "Set up",
  "Show all",
  "Turn DNSSEC off",
  "Upload",
  "View",
];

/** What they open looks the same on every page. */
const alike = new Set(["Delete", "Remove"]);

test("axe-core finds no violation in what the buttons of a page open, for each kind in either colours", async (t) => {
  const { app, page, open } = await openDashboard(t, { settings: { invite_links: "owner" } });
  const placed = await furnish(t, app);
  const seen = new Set<string>();
  const names = new Set<string>();
  for (const { path } of pages) {
    await open(placed(path));
    let isFresh = true;
    for (const [opener, name] of firstByOpener(await enabledButtons(page))) {
      if (names.has(name) || (alike.has(opener) && seen.has(opener))) continue;
      if (!isFresh) await open(placed(path));
      isFresh = false;
      await openBy(page, name);
      for (const colorScheme of seen.has(opener) ? (["light"] as const) : (["dark", "light"] as const)) {
        await showIn(page, colorScheme);
        await assertAccessible(page).catch((error: unknown) => {
          throw new Error(`${path}, ${name}, ${colorScheme}`, { cause: error });
        });
      }
      seen.add(opener);
      names.add(name);
    }
  }
  assert.deepEqual([...seen].toSorted(), openers);
});

async function enabledButtons(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`Array.from(document.querySelectorAll("main button:enabled"))
    .filter((button) => button.checkVisibility())
    .map((button) => button.ariaLabel ?? button.innerText.trim())`);
}

/** Rows of a table have the same buttons. */
function firstByOpener(names: readonly string[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const name of names) {
    const opener = openers.find((words) => name.startsWith(words));
    if (opener !== undefined && !first.has(opener)) first.set(opener, name);
  }
  return first;
}

/** Clicks a button of that name, and waits until the page has other elements. */
async function openBy(page: Page, name: string): Promise<void> {
  const size = "document.querySelectorAll('*').length";
  const before = await page.evaluate<number>(size);
  await page.getByRole("main").getByRole("button", { name, exact: true }).first().click({ timeout: 20_000 });
  await page.waitForFunction(`${size} !== ${before}`, undefined, { timeout: 20_000 });
}
