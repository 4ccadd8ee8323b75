import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openDashboard } from "./dashboard-page.ts";
import { furnish, pages } from "./pages.ts";

for (const colorScheme of ["light", "dark"] as const)
  test(`before any script there is a page to read, in ${colorScheme} colours`, async (t) => {
    const { app, page } = await openDashboard(t, { colorScheme });
    let release: (() => void) | undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/*.js", async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.goto(new URL(app.baseUrl).origin, { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1, name: "Opening the dashboard" }).waitFor();
    await page.getByRole("status", { name: "Loading" }).waitFor();
    assert.equal(await page.title(), "Zoneward");
    await assertAccessible(page);
    release?.();
    await page.getByRole("heading", { level: 1, name: "Zones" }).waitFor();
  });

const requestsMax = 14;

test("a page is asked for in fewer than 15 requests on the first visit", async (t) => {
  const { app, page, open } = await openDashboard(t);
  const placed = await furnish(t, app);
  for (const { path } of pages) {
    // Else the page before might ask once more.
    await page.goto("about:blank");
    const urls: string[] = [];
    const note = (request: { url(): string }): number => urls.push(new URL(request.url()).pathname);
    page.on("request", note);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.clearBrowserCache");
    await open(placed(path));
    page.off("request", note);
    assert.ok(urls.length <= requestsMax, `${path}: ${urls.length}\n${urls.join("\n")}`);
  }
});

test("over a slow link something can be read long before the dashboard is there", async (t) => {
  for (const path of ["/", "/zones/ZONE/dns"]) {
    const { app, page } = await openDashboard(t);
    const zoneId = await app.createZone("example.com");
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.enable");
    const link = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
    await cdp.send("Network.emulateNetworkConditions", { offline: false, ...link });
    let requests = 0;
    let bytes = 0;
    cdp.on(
      "Network.requestWillBeSent",
      ({ request }) => (requests += request.url.startsWith("data:") ? 0 : 1),
    );
    cdp.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(new URL(app.baseUrl).origin + path.replace("ZONE", zoneId), { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1, name: "Opening the dashboard" }).waitFor();
    await page.getByRole("heading", { level: 1, name: /^(?:Zones|DNS records)$/ }).waitFor();
    const whole = Math.round(await page.evaluate<number>("performance.now()"));
    const first = Math.round(
      await page.evaluate<number>('performance.getEntriesByName("first-contentful-paint")[0].startTime'),
    );
    await page.waitForLoadState("networkidle");
    t.diagnostic(
      `${path}: read after ${first} ms, there after ${whole} ms; ${requests} requests, ${bytes} bytes`,
    );
    assert.ok(first < whole / 2, `${first} ms of ${whole} ms`);
  }
});
