import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { chromium, type Page } from "playwright-core";

import { createRecords, createZone, withDirectory, withZoneward } from "./fixture.ts";
import type { ServerProcess } from "./process.ts";
import type { Finding } from "./report.ts";

const rounds = 5;
const records = 10_000;
const recordsPerBatch = 1_000;
const zones = 1_000;
const importedLines = 5_000;
const ownerEmail = "owner@zoneward.local";
const password = "a password of the benchmarks";
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Runs in the page: tasks of 50 ms and more, as the browser tells of them. */
const observeLongTasks = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    longTasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: "longtask", buffered: true });`;

const firstPaint = `performance.getEntriesByName("first-contentful-paint")[0]?.startTime`;

/**
 * The time for which the dashboard keeps a browser from answering its user, with a large zone and a large account.
 */
export async function dashboard(): Promise<Finding[]> {
  return withDirectory(async (data) =>
    withZoneward(data, async (server) => {
      const zoneId = await createZone(server, "large.example");
      for (let made = 0; made < records; made += recordsPerBatch) {
        await createRecords(server, zoneId, recordsPerBatch, made);
      }
      for (let n = 0; n < zones; n += 1) await createZone(server, `zone-${n}.example`);
      const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
      try {
        const page = await browser.newPage({
          viewport: { width: 1280, height: 800 },
          permissions: ["clipboard-read", "clipboard-write"],
        });
        await signIn(page, server, data);
        return await measure(page, server, zoneId);
      } finally {
        await browser.close();
      }
    }),
  );
}

async function signIn(page: Page, { port }: ServerProcess, data: string): Promise<void> {
  const command = ["bin/zoneward.js", "user", "sign-in-link", "--email", ownerEmail, "--data", data];
  const said = execFileSync(process.execPath, command, {
    cwd: join(import.meta.dirname, ".."),
    encoding: "utf8",
  });
  const [link = ""] = /\/first-sign-in#\S+/.exec(said) ?? [];
  await page.goto(`http://127.0.0.1:${port}${link}`);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password, again").fill(password);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await page.getByRole("heading", { name: "Zones" }).waitFor();
}

const zoneFile = Array.from({ length: importedLines }, (_, n) => `imported-${n} 300 IN A 192.0.2.1`).join(
  "\n",
);

/** A search for text would read the whole field again and again, in tasks of its own. */
async function saysThat(page: Page, text: string): Promise<void> {
  await page.locator("[role=dialog] [role=status]").filter({ hasText: text }).waitFor();
}

async function measure(page: Page, { port }: ServerProcess, zoneId: string): Promise<Finding[]> {
  const origin = `http://127.0.0.1:${port}`;
  const firstPaints: number[] = [];
  const longest = {
    loading: [] as number[],
    home: [] as number[],
    paging: [] as number[],
    searching: [] as number[],
    pasting: [] as number[],
    typing: [] as number[],
  };
  await page.addInitScript({ content: observeLongTasks });
  /** The longest task since it was last asked; 0 where each took less than 50 ms. */
  const longestTask = async (): Promise<number> => page.evaluate("Math.max(0, ...longTasks.splice(0))");
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`${origin}/`);
    await page.getByText(/1–\d+ of/).waitFor();
    await page.waitForFunction(firstPaint);
    firstPaints.push(await page.evaluate(firstPaint));
    await longestTask();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText(/2\d–\d+ of/).waitFor();
    await page.getByRole("searchbox", { name: "Search zones by name" }).fill(`zone-${round + 1}7`);
    await page.getByText(/1–\d+ of \d{1,2}$/).waitFor();
    longest.home.push(await longestTask());

    await page.goto(`${origin}/zones/${zoneId}/dns`);
    await page.getByText(/1–\d+ of/).waitFor();
    longest.loading.push(await longestTask());
    for (let turned = 0; turned < 3; turned += 1) {
      await page.getByRole("button", { name: "Next page" }).click();
      await page.waitForLoadState("networkidle");
    }
    longest.paging.push(await longestTask());
    await page.getByRole("searchbox", { name: "Search records" }).fill(`host-${round + 1}77`);
    await page.getByText(/1–\d+ of \d{1,2}$/).waitFor();
    longest.searching.push(await longestTask());

    await page.goto(`${origin}/zones/${zoneId}/dns`);
    await page.getByRole("button", { name: "Import" }).click();
    const file = page.getByRole("textbox", { name: "Zone file" });
    // Loads what reads the file, and the records of the zone.
    await file.fill("first 300 IN A 192.0.2.1");
    await saysThat(page, "1 to add");
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(zoneFile)})`);
    await longestTask();
    await file.press("Control+a");
    await file.press("Control+v");
    await saysThat(page, `${importedLines} to add`);
    longest.pasting.push(await longestTask());
    await file.pressSequentially("\nlast 300 IN A 192.0.2.1");
    await saysThat(page, `${importedLines + 1} to add`);
    longest.typing.push(await longestTask());
  }
  const budget = { most: 100 };
  return [
    { what: "dashboard, first contentful paint", values: firstPaints, unit: "ms", budget: { most: 1000 } },
    { what: "longest task, a page of 10,000 records loaded", values: longest.loading, unit: "ms", budget },
    { what: "longest task, 1,000 zones paged and searched", values: longest.home, unit: "ms", budget },
    { what: "longest task, 10,000 records paged", values: longest.paging, unit: "ms", budget },
    { what: "longest task, 10,000 records searched", values: longest.searching, unit: "ms", budget },
    // The browser itself takes most of it to put the lines into the field.
    { what: "longest task, 5,000 lines of an import pasted", values: longest.pasting, unit: "ms" },
    { what: "longest task, typed into 5,000 lines", values: longest.typing, unit: "ms", budget },
  ];
}
