import assert from "node:assert/strict";
import { test } from "node:test";

import { Ajv } from "ajv";

import { operations } from "../src/operations.ts";

// The server compiles them unchecked, which makes its start shorter.
test("what operations check requests with is valid JSON Schema", () => {
  const ajv = new Ajv({ strict: false });
  for (const { method, path, schemas } of operations) {
    for (const schema of [schemas.query, schemas.body]) {
      if (schema === undefined) continue;
      assert.equal(ajv.validateSchema(schema), true, `${method} ${path}: ${ajv.errorsText()}`);
    }
  }
});
