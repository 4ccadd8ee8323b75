import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";

import { generatedPages } from "../tools/docs/pages.ts";

const pages = [...globSync("*.md"), ...globSync("{docs,test,deploy}/**/*.md")];
const sources = globSync("{src,dashboard/src,test,tools,bench,deploy}/**/*.{js,ts,tsx,yaml,service}");

describe("documents", () => {
  for (const [path, render] of Object.entries(generatedPages)) {
    test(`${path} says what the code does (npm run docs)`, () => {
      assert.equal(readFileSync(path, "utf8"), render());
    });
  }

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

  test("every record and every page of the contract is in its index", () => {
    for (const folder of ["docs/decisions", "docs/contract"]) {
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
