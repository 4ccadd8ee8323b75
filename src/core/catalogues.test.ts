import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";

const ajv = new Ajv2020({ allErrors: true });
const files = globSync("catalogues/*.json").concat(globSync("catalogues/managed-rulesets/*.json"));

describe("the catalogues", () => {
  test("are there: a check of nothing would always pass", () => assert.ok(files.length >= 13));

  for (const file of files) {
    test(`${file} is what its schema says`, () => {
      const content = readJson(file);
      const validate = ajv.compile(readJson(join(dirname(file), String(content["$schema"]))));
      validate(content);
      assert.deepEqual(validate.errors ?? [], []);
    });
  }
});

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}
