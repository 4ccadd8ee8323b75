import { test } from "node:test";
import { assertAccessible, openDashboard } from "./dashboard-page.ts";
import { furnish, pages } from "./pages.ts";
test("dark", async (t) => {
  const { app, page, open } = await openDashboard(t, { colorScheme: "dark" });
  const placed = await furnish(t, app);
  for (const { path } of pages.slice(0, 12)) {
    await open(placed(path));
    await assertAccessible(page);
  }
});
