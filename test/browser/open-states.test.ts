import assert from "node:assert/strict";
import { test } from "node:test";

import type { Locator, Page } from "playwright-core";

import { assertAccessible, openDashboard, showIn } from "./dashboard-page.ts";
import { furnish, pages } from "./pages.ts";

/**
 * The first words of buttons that open something, a form, a menu, a dialog or a detail, in the order of the alphabet.
 */
const openers = [
  "API",
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

/** Buttons whose opened states look the same on every page. */
const alike = new Set(["API", "Delete", "Remove"]);

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

test("axe-core finds none in the open lists of fields, of pages and of dialogs, in one colours or the other", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const placed = await furnish(t, app);
  const seen = new Set<string>();
  const checkLists = async (path: string, within: Locator): Promise<void> => {
    for (const field of await within.locator("input[aria-haspopup=listbox]:enabled").all()) {
      if (!(await field.isVisible())) continue;
      const label = page.locator(`label[for="${await field.getAttribute("id")}"]`);
      const name = (await field.getAttribute("aria-label")) ?? (await label.innerText());
      if (seen.has(name)) continue;
      seen.add(name);
      await field.click();
      await page.waitForFunction("document.activeElement.ariaExpanded === 'true'");
      await assertAccessibleIn(page, seen.size % 2 === 0 ? ["light"] : ["dark"], `${path}, list of ${name}`);
      await field.press("Escape");
    }
  };
  for (const { path } of pages) {
    await open(placed(path));
    await checkLists(path, page.getByRole("main"));
  }
  for (const [path, opener] of [
    ["/accounts/ACCOUNT/members", "Invite a member"],
    ["/zones/ZONE/ssl", "Order a pack"],
    ["/zones/ZONE/dns/transfers", "Change the peers"],
    ["/zones/ZONE/security/firewall-rules", "Add a firewall rule"],
  ] as const) {
    await open(placed(path));
    await openBy(page, opener);
    await checkLists(path, page.getByRole("dialog"));
  }
  assert.ok(seen.size >= 10, [...seen].join(", "));
});

test("axe-core finds none in the palette, with and without what was found, and in the list of keys", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const placed = await furnish(t, app);
  await open(placed("/zones/ZONE"));
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Find anything" }).waitFor();
  await assertAccessibleInBoth(page, "palette");
  await page.keyboard.type("www");
  await page.getByRole("dialog").getByText("CNAME www.example.com").waitFor();
  await assertAccessibleInBoth(page, "palette with a record");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await assertAccessibleInBoth(page, "keys");
});

const assertAccessibleInBoth = async (page: Page, what: string): Promise<void> =>
  assertAccessibleIn(page, ["light", "dark"], what);

async function assertAccessibleIn(
  page: Page,
  colorSchemes: readonly ("light" | "dark")[],
  what: string,
): Promise<void> {
  for (const colorScheme of colorSchemes) {
    await showIn(page, colorScheme);
    await assertAccessible(page).catch((error: unknown) => {
      throw new Error(`${what}, ${colorScheme}`, { cause: error });
    });
  }
}

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
