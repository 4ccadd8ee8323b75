import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";

test("faults are added, switched and removed beside the requests that come", async (t) => {
  const { app, page } = await openDashboard(t, { settings: { test_controls: true } });
  await page.goto(new URL("/", app.baseUrl).href);
  await page.getByRole("link", { name: "Faults and requests" }).click();
  const faults = page.getByRole("region", { name: "Faults" });
  const requests = page.getByRole("region", { name: "Requests" });
  await faults.getByText("No faults").waitFor();
  await requests.getByText("live", { exact: true }).waitFor();

  await faults.getByRole("button", { name: "Add a fault" }).click();
  const rule = page.getByRole("textbox", { name: "Rule" });
  await rule.fill('{"match": {"path": "nowhere"}, "effect": {"type": "close"}}');
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("must be a path that begins with a slash").waitFor();
  await page.getByText(/effect\/when.*: is required/).waitFor();
  await rule.fill(
    '{"name": "No addresses", "match": {"path": "/client/v4/ips"}, "effect": {"type": "error"}}',
  );
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await faults.getByText("No addresses").waitFor();

  await fetch(`${app.baseUrl}/ips?by=test`);
  const row = requests.getByRole("row").filter({ hasText: "GET /client/v4/ips?by=test" });
  await row.getByText("fault 1").waitFor();
  await row.getByText("500").waitFor();
  await faults.getByText("1 of 1").waitFor();

  await faults.getByRole("switch", { name: "Fault 1 acts" }).click({ force: true });
  await faults.getByRole("switch", { name: "Fault 1 acts", checked: false }).waitFor();
  await faults.getByRole("button", { name: "Add a preset" }).click();
  await page.getByRole("menuitem", { name: "lost-answers" }).click();
  await faults.getByText("lost-answers", { exact: true }).waitFor();
  await assertAccessible(page);
  await faults.getByRole("button", { name: "Remove fault 1" }).click();
  await faults.getByText("No addresses").waitFor({ state: "detached" });
});
