import assert from "node:assert/strict";
import { test } from "node:test";

import { Ajv } from "ajv";

import { patternRule } from "../src/api/validation.ts";
import { operations } from "../src/server/operations.ts";

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

// An error would show the pattern itself, which is no help to whoever typed the value.
test("every pattern says in words what it asks for", () => {
  const silent = operations.flatMap(({ method, path, schemas }) =>
    patternsOf([schemas.query, schemas.body])
      .filter((schema) => typeof schema[patternRule] !== "string")
      .map(({ pattern }) => `${method} ${path}: ${String(pattern)}`),
  );
  assert.deepEqual(silent, []);
});

type Schema = Readonly<Record<string, unknown>>;

function patternsOf(part: unknown): Schema[] {
  if (typeof part !== "object" || part === null) return [];
  const own = "pattern" in part && typeof part.pattern === "string" ? [part as Schema] : [];
  return [...own, ...Object.values(part).flatMap(patternsOf)];
}
