import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";

import { publicRateQuotas } from "../src/config/setting-kinds.ts";
import {
  authFailureLimitOf,
  wrongPasswordLimitOf,
  settings,
  type SettingName,
} from "../src/config/settings.ts";
import { errorCodes } from "../src/core/error-codes.ts";
import { staleReasons } from "../tools/docs/coverage.ts";
import { generatedPages } from "../tools/docs/pages.ts";

const pages = [...globSync("*.md"), ...globSync("{docs,test,deploy}/**/*.md")];
const sources = globSync("{src,dashboard/src,test,tools,bench,deploy}/**/*.{js,ts,tsx,yaml,service}");

describe("documents", () => {
  for (const [path, render] of Object.entries(generatedPages)) {
    test(`${path} says what the code does (npm run docs)`, () => {
      assert.equal(readFileSync(path, "utf8"), render());
    });
  }

  test("every reason for what is not served is one of an operation that is not", () => {
    assert.deepEqual(staleReasons(), []);
  });

  test("every link leads to a file, and to a heading of it", () => {
    assert.ok(pages.length > 50);
    const broken = pages.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
        .filter(
          ([, path = "", heading]) =>
            !leadsSomewhere(path === "" ? page : join(dirname(page), path), heading),
        )
        .map(([link]) => `${page}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  test("every page that code names exists, with the heading", () => {
    assert.ok(sources.length > 500);
    const broken = sources.flatMap((source) =>
      [...readFileSync(source, "utf8").matchAll(/\b(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g)]
        .filter(([, path = "", heading]) => !leadsSomewhere(path, heading))
        .map(([name]) => `${source}: ${name}`),
    );
    assert.deepEqual(broken, []);
  });

  test("every file of the sources, script and metric that pages name exists", () => {
    const files = [
      ...sources,
      ...globSync(["{catalogues,bin,runtime}/**/*", "dashboard/*.ts"], { exclude: ["**/node_modules"] }),
    ];
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly scripts: object };
    const code = globSync("src/**/*.ts").map((file) => readFileSync(file, "utf8"));
    const metrics = new Set(code.flatMap((text) => text.match(/\bzoneward_[a-z_]+/g) ?? []));
    // The configuration of nginx has names like those of metrics.
    const namedMetrics = /(?<!\$)\bzoneward_[a-z_]+_(?:total|seconds|bytes|stale|unread|ready)\b/g;
    const absent = pages
      .filter((page) => page !== "CHANGELOG.md")
      .flatMap((page) => {
        const text = readFileSync(page, "utf8");
        const named = [...text.matchAll(/`([\w-][\w./-]*\.(?:ts|tsx))`/g)].map(([, file = ""]) => file);
        const run = [...text.matchAll(/\bnpm run (?:-s |--silent )?([\w:-]*\w)/g)].map(
          ([, name = ""]) => name,
        );
        return [
          ...named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`))),
          ...run.filter((name) => !Object.hasOwn(scripts, name)),
          ...(text.match(namedMetrics) ?? []).filter((name) => !metrics.has(name)),
        ].map((name) => `${page}: ${name}`);
      });
    assert.deepEqual(absent, []);
  });

  // Changes made side by side are joined line by line, so that one may come in twice.
  test("nothing is said twice in the lists of changes, divergences and choices", () => {
    for (const page of ["CHANGELOG.md", "docs/divergences.md", "docs/implementation-choices.md"]) {
      const entries: readonly string[] = readFileSync(page, "utf8").match(/^(?:\| [^|]+\||- .+$)/gm) ?? [];
      assert.ok(entries.length > 50, page);
      assert.deepEqual(
        entries.filter((entry, index) => entries.indexOf(entry) !== index),
        [],
        page,
      );
    }
  });

  test("nothing cites pages that a reader does not have", () => {
    const citation =
      /\b(?:decisions?|wire contract|client habits?|specifications?(?: endpoint)?)\s+(?:(?:\*|\/\/)\s+)?\d/gi;
    const citing = [...sources, ...pages].flatMap((file) => {
      // Links have a text, which may be the number of a record.
      const text = readFileSync(file, "utf8").replaceAll(/\[[^\]]*\]\([^)]*\)/g, "");
      return [...text.matchAll(citation)].map(([words]) => `${file}: ${words}`);
    });
    assert.deepEqual(citing, []);
  });

  test("SECURITY.md gives the defaults of the settings that limit, and names every test by its file", () => {
    const fallback = (name: SettingName) => Number(settings[name].fallback);
    const grouped = (number: number) => number.toLocaleString("en-US");
    const mebibytes = (name: SettingName) => `${fallback(name) / 1024 / 1024} MiB`;
    const guesses = { auth_failure_limit: "auto", host: "192.0.2.1" } as const;
    const { user, address } = publicRateQuotas;
    const page = readFileSync("SECURITY.md", "utf8");
    for (const limit of [
      `${wrongPasswordLimitOf(guesses)} a minute from an address, 100 an hour`,
      `${fallback("session_idle_minutes")} minutes unused, ${fallback("session_hours")} hours in use`,
      `| ${authFailureLimitOf(guesses)} a minute from an address; any number on loopback`,
      `${grouped(user)} of a user in five minutes, ${address} of an address in a second`,
      `${fallback("user_token_quota")} of a user, ${fallback("account_token_quota")} of an account`,
      `| Open connections | ${grouped(fallback("connections_max"))} |`,
      `| ${fallback("connections_per_address_percent")} % of them`,
      `${mebibytes("edge_ready_bytes_max")}, of the zones that were used last`,
      `30 seconds, ${mebibytes("unread_bytes_max")} in all`,
      `${mebibytes("gateway_body_bytes_max")} and ${grouped(fallback("gateway_batch_calls_max"))} calls in a body`,
      `${mebibytes("gateway_response_bytes_max")} in an answer`,
    ]) {
      assert.ok(page.includes(limit), limit);
    }
    const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| What"));
    assert.ok(rows.length > 15);
    for (const row of rows.filter((line) => !line.startsWith("| ---"))) assert.match(row, /\.test\.ts\)/);
  });

  test("docs/contract/errors.md names every code of an error", () => {
    const page = readFileSync("docs/contract/errors.md", "utf8");
    const ranges = [...page.matchAll(/\b(\d+) to (\d+)\b/g)].map(([, from, to]) => [
      Number(from),
      Number(to),
    ]);
    const isNamed = (code: number): boolean =>
      new RegExp(`\\b${code}\\b`).test(page) ||
      ranges.some(([from = Infinity, to = 0]) => from <= code && code <= to);
    const codes = Object.values(errorCodes).flatMap((area) => Object.values<number>(area));
    assert.deepEqual(
      codes.filter((code) => !isNamed(code)),
      [],
    );
  });

  test("every record and every page of the contract and of operating is in its index", () => {
    for (const folder of ["docs/decisions", "docs/contract", "docs/operating"]) {
      const index = readFileSync(`${folder}/README.md`, "utf8");
      const files = globSync("*.md", { cwd: folder }).filter((file) => file !== "README.md");
      assert.deepEqual(
        files.filter((file) => !index.includes(`](${file})`)),
        [],
      );
    }
  });
});

function leadsSomewhere(path: string, heading: string | undefined): boolean {
  if (!existsSync(path)) return false;
  return heading === undefined || headingsOf(normalize(path)).has(heading);
}

const headingsByPage = new Map<string, ReadonlySet<string>>();

function headingsOf(page: string): ReadonlySet<string> {
  const known = headingsByPage.get(page);
  if (known !== undefined) return known;
  const prose = readFileSync(page, "utf8").replaceAll(/^```.*?^```/gms, "");
  const headings = new Set([...prose.matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => anchorOf(text)));
  headingsByPage.set(page, headings);
  return headings;
}

/** The anchor of a heading, as forges that render Markdown make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}
