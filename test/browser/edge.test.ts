import assert from "node:assert/strict";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../support/edge-app.ts";
import { untilAllIssued } from "../support/certificates.ts";
import { assertAccessible, openPage } from "./dashboard-page.ts";

const at = (path: string) => `http.request.uri.path eq "${path}"`;

for (const width of [1280, 360])
  test(`a browser passes challenges, over HTTP and HTTPS, and shows blocks (${width} pixels wide)`, async (t) => {
    const page = await openPage(t, { width, localNames: "*.example.com" });
    const originPort = await startOrigin(t, (request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<!DOCTYPE html><html lang="en"><title>a</title><h1>${request.method} ${request.url}</h1>
        <link rel="icon" href="data:,"><form method="post" action="/managed?form"><button>Send</button></form></html>`);
    });
    const edge = await startEdgeApp(t, "sqlite", originPort);
    await untilAllIssued(edge.app);
    await edge.change("PATCH", "/settings/ssl", { value: "flexible" });
    await edge.rules("http_request_firewall_custom", [
      { action: "managed_challenge", expression: at("/managed") },
      { action: "challenge", expression: at("/interactive") },
      { action: "block", expression: at("/blocked") },
    ]);
    await edge.untilStatus("/managed", 403);
    const atOrigin = (text: string) => page.getByRole("heading", { name: text, exact: true }).waitFor();
    for (const base of [
      `http://www.example.com:${new URL(edge.url).port}`,
      `https://www.example.com:${edge.securePort}`,
    ]) {
      await page.goto(`${base}/managed?q=1#part`);
      await atOrigin("GET /managed?q=1");
      assert.equal(page.url(), `${base}/managed?q=1#part`);
      assert.equal(await page.evaluate("document.cookie"), "", "no script can read the cookie");

      await page.goto(`${base}/interactive`);
      const person = page.getByRole("button", { name: "I am a person" });
      await person.waitFor();
      await assertAccessible(page);
      if (process.env["SCREENSHOTS"] !== undefined)
        await page.screenshot({ path: `${process.env["SCREENSHOTS"]}/challenge-${width}.png` });
      await person.press("Enter");
      await atOrigin("GET /interactive");
      await page.goto(`${base}/managed`);
      await atOrigin("GET /managed");

      // The body of a form is not sent again.
      await page.context().clearCookies();
      await page.goto(`${base}/`);
      await page.getByRole("button", { name: "Send" }).click();
      await person.or(page.getByRole("heading", { name: "GET /managed?form" })).waitFor();
      if (await person.isVisible()) await person.click();
      await atOrigin("GET /managed?form");

      await page.goto(`${base}/blocked`);
      await page.getByRole("heading", { name: "Your request has been blocked" }).waitFor();
      await assertAccessible(page);
      if (process.env["SCREENSHOTS"] !== undefined)
        await page.screenshot({ path: `${process.env["SCREENSHOTS"]}/block-${width}.png` });
    }
  });

test("a browser whose answer is refused is told so, and may try again", async (t) => {
  const page = await openPage(t, { localNames: "*.example.com" });
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await edge.rules("http_request_firewall_custom", [{ action: "js_challenge", expression: "true" }]);
  await edge.untilStatus("/", 403);
  const answers = "**/cdn-cgi/challenge-platform/answer";
  await page.route(answers, (route) => route.fulfill({ status: 403, body: "" }));
  await page.goto(`http://www.example.com:${new URL(edge.url).port}/`);
  await page.getByText("The check did not succeed.").waitFor();
  await assertAccessible(page);
  await page.unroute(answers);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("rawHeaders").waitFor();
});
