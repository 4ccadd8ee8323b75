import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, type TestContext } from "node:test";

import axe from "axe-core";
import { chromium, type Browser, type Page, type Request } from "playwright-core";

import type { Config } from "../../src/config/settings.ts";
import { firstSignIn } from "../support/browser.ts";
import { startTestApp, type TestApp } from "../support/harness.ts";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** For a machine with much other work. */
const patienceMs = 120_000;

export interface PageOptions {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  /** Names that lead to this machine, `*.example.com`; certificates are not checked then. */
  readonly localNames?: string;
  /** Whether the console may say that something could not be loaded. */
  readonly mayFailToLoad?: boolean;
}

export interface DashboardOptions extends PageOptions {
  /** Whether the owner has set its password, and is signed in. */
  readonly isSignedIn?: boolean;
  readonly settings?: Partial<Config>;
}

export interface DashboardPage {
  readonly app: TestApp;
  readonly page: Page;
  /** Opens a page of the dashboard, and waits until it has what it asked for. */
  open(path: string): Promise<void>;
}

/** A browser at a server of its own. The test fails for anything that the page complains of in its console. */
export async function openDashboard(t: TestContext, options: DashboardOptions = {}): Promise<DashboardPage> {
  const { isSignedIn = true, settings = {} } = options;
  const page = await openPage(t, options);
  const pending = pendingRequests(page);
  const app = await startTestApp(t, "sqlite", settings);
  const { origin, hostname } = new URL(app.baseUrl);
  if (isSignedIn) {
    const [name = "", value = ""] = (await firstSignIn(app)).cookie.split("=", 2);
    await page.context().addCookies([{ name, value, domain: hostname, path: "/" }]);
  }
  return {
    app,
    page,
    open: async (path) => {
      await page.goto(origin + path);
      await page.locator("h1:not(.opening h1)").first().waitFor();
      await settled(page, pending);
    },
  };
}

/** The requests of a page that are not answered yet. */
function pendingRequests(page: Page): ReadonlySet<Request> {
  const pending = new Set<Request>();
  page.on("request", (request) => pending.add(request));
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (request) => pending.delete(request));
  return pending;
}

/** Waits until every request is answered, and the page has drawn what came and asked for nothing more. */
async function settled(page: Page, pending: ReadonlySet<Request>): Promise<void> {
  const drawn = `new Promise((resolve) =>
    requestIdleCallback(() => setTimeout(() => requestIdleCallback(resolve))))`;
  do {
    await Promise.all(
      Array.from(pending, (request) => request.response().then((response) => response?.finished())),
    );
    await page.evaluate(drawn);
  } while (pending.size > 0);
}

/** One browser for all the pages of a test file that need the same arguments. */
const browsers = new Map<string, Promise<Browser>>();

after(async () => {
  for (const browser of browsers.values()) await (await browser).close();
});

function browserWith(args: readonly string[]): Promise<Browser> {
  const key = args.join(" ");
  const browser =
    browsers.get(key) ?? chromium.launch({ executablePath, timeout: patienceMs, args: [...args] });
  browsers.set(key, browser);
  return browser;
}

/**
 * A page with cookies and a cache of its own. The test fails for anything that it complains of in its console. To be
 * opened before its server is started: what is opened first is closed first, and a page without its server complains.
 */
export async function openPage(
  t: TestContext,
  { colorScheme = "light", width = 1280, localNames, mayFailToLoad = false }: PageOptions,
): Promise<Page> {
  assert.ok(
    existsSync(executablePath),
    `no browser at ${executablePath}: install Debian's chromium, or set CHROMIUM`,
  );
  const args = [
    "--no-sandbox",
    ...(localNames === undefined ? [] : [`--host-resolver-rules=MAP ${localNames} 127.0.0.1`]),
  ];
  const browser = await browserWith(args);
  const context = await browser.newContext({
    colorScheme,
    reducedMotion: "reduce",
    ignoreHTTPSErrors: localNames !== undefined,
    viewport: { width, height: 800 },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    // The browser notes refusals too; tests check the page's reaction to them.
    const isRefusal = /^Failed to load resource: .* status of (?:4\d\d|503)/.test(message.text());
    if (
      mayFailToLoad &&
      /Failed to (?:load resource|fetch dynamically)|code could not be loaded/.test(message.text())
    )
      return;
    if (["error", "warning"].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  return page;
}

/** Turns a page to other colours, and waits until it has them. */
export async function showIn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(`Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished))`);
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Fails for whatever axe-core finds wrong with the page as it stands, and for one that is wider than its window. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const violations: readonly Violation[] = await page.evaluate(
    "axe.run(document).then(({ violations }) => violations)",
  );
  assert.deepEqual(
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
    [],
  );
  assert.equal(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth"), 0);
}
