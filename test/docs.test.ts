import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";

import { generatedPages } from "../tools/docs/pages.ts";

describe("documents", () => {
  for (const [path, render] of Object.entries(generatedPages)) {
    test(`${path} says what the code does (npm run docs)`, () => {
      assert.equal(readFileSync(path, "utf8"), render());
    });
  }

  test("every link to a file leads somewhere", () => {
    const pages = [...globSync("*.md"), ...globSync("docs/**/*.md")];
    assert.ok(pages.length > 5);
    const broken = pages.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !existsSync(join(dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    );
    assert.deepEqual(broken, []);
  });
});
