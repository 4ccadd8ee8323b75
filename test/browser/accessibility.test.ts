import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { assertAccessible, openDashboard, showIn } from "./dashboard-page.ts";
import { furnish, pages } from "./pages.ts";

const nowhere = { path: "/nowhere", heading: "Page not found" };
const widths = [1280, 360];

test("axe-core finds no violation on any page in either colours, and none is wider than a window or a phone", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const placed = await furnish(t, app);
  for (const { path, heading } of [...pages, nowhere]) {
    await open(placed(path));
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    for (const width of widths) await assertAccessibleAt(page, width);
  }
});

for (const width of widths)
  test(`axe-core finds none while a menu is open, in which the keyboard has the focus and gives it back, ${width} pixels wide`, async (t) => {
    const { app, page, open } = await openDashboard(t, { width });
    await furnish(t, app);
    await open("/profile/tokens");
    for (const name of [/^Account of/, /^Actions for/]) {
      const opener = page.getByRole("button", { name }).first();
      await opener.press("Enter");
      await page.locator("[role=menuitem]:focus").waitFor();
      await assertAccessibleAt(page, width);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      assert.equal(await opener.evaluate((element) => element.matches(":focus")), true);
    }
  });

test("the navigation shows the link of the page at hand, also one that is far down", async (t) => {
  const { page, open } = await openDashboard(t);
  await open("/profile/permission-groups");
  const link = page.getByRole("link", { name: "Permission groups" });
  assert.equal(await link.getAttribute("aria-current"), "page");
  const below = await page.evaluate<number>(
    "document.querySelector('nav [aria-current=page]').getBoundingClientRect().bottom - innerHeight",
  );
  assert.ok(below < 1, `${below} pixels`);
});

test("axe-core finds no violation where one signs in", async (t) => {
  const { page, open } = await openDashboard(t, { isSignedIn: false });
  for (const [path, heading] of [
    ["/sign-in", "Sign in"],
    ["/first-sign-in#token", "First sign-in"],
  ] as const) {
    await open(path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    for (const width of widths) await assertAccessibleAt(page, width);
  }
});

/** In light and in dark colours. */
async function assertAccessibleAt(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  for (const colorScheme of ["light", "dark"] as const) {
    await showIn(page, colorScheme);
    await assertAccessible(page);
  }
}
