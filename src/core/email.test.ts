import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { foldEmail } from "./email.ts";

test("addresses are equal in any case of A to Z, and in nothing else", () => {
  assert.equal(foldEmail("Ann.Kim@Example.COM"), "ann.kim@example.com");
  for (const other of ["an\u212aim@example.com", "\u0130@example.com", "\u00c9@example.com"]) {
    assert.equal(foldEmail(other), other);
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.equal(foldEmail(text).length, text.length);
      assert.equal(foldEmail(foldEmail(text)), foldEmail(text));
    }),
  );
});
