import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";
import { furnish, pages } from "./pages.ts";

const nowhere = { path: "/nowhere", heading: "Page not found" };

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1280, 360])
    describe(`in ${colorScheme} colours and ${width} pixels wide`, () => {
      test("axe-core finds no violation on any page, and none is wider than the window", async (t) => {
        const { app, page, open } = await openDashboard(t, { colorScheme, width });
        const placed = await furnish(t, app);
        for (const { path, heading } of [...pages, nowhere]) {
          await open(placed(path));
          await page.getByRole("heading", { level: 1, name: heading }).waitFor();
          await assertAccessible(page);
        }
      });

      test("axe-core finds none while a menu is open, in which the keyboard has the focus and gives it back", async (t) => {
        const { app, page, open } = await openDashboard(t, { colorScheme, width });
        await furnish(t, app);
        await open("/profile/tokens");
        for (const name of [/^Account of/, /^Actions for/]) {
          const opener = page.getByRole("button", { name }).first();
          await opener.press("Enter");
          await page.locator("[role=menuitem]:focus").waitFor();
          await assertAccessible(page);
          await page.keyboard.press("Escape");
          await page.getByRole("menu").waitFor({ state: "detached" });
          assert.equal(await opener.evaluate((element) => element.matches(":focus")), true);
        }
      });

      test("axe-core finds no violation where one signs in", async (t) => {
        const { page, open } = await openDashboard(t, { colorScheme, width, isSignedIn: false });
        for (const [path, heading] of [
          ["/sign-in", "Sign in"],
          ["/first-sign-in#token", "First sign-in"],
        ] as const) {
          await open(path);
          await page.getByRole("heading", { level: 1, name: heading }).waitFor();
          await assertAccessible(page);
        }
      });
    });
