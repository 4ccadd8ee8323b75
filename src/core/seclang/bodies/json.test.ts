import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { encodeText } from "../../expression/byte-string.ts";
import type { Entry } from "./url-encoded.ts";
import { readJson } from "./json.ts";

/** The values without a path below them, by the names that `readJson` gives them. */
function leavesOf(value: unknown, path: string): Entry[] {
  if (typeof value !== "object" || value === null) {
    return [{ name: path, value: value === null ? "" : encodeText(JSON.stringify(value)) }];
  }
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, `${path}.${encodeText(name)}`));
}

/** The paths of lists, from the outermost to the innermost. */
function listsIn(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.entries(value).flatMap(([name, each]) => listsIn(each, `${path}.${encodeText(name)}`));
  return Array.isArray(value) ? [path, ...below] : below;
}

const asRead = (value: unknown): Entry[] =>
  leavesOf(value, "json").map(({ name, value: text }) => ({
    name,
    value: text.startsWith('"')
      ? encodeText(JSON.parse(Buffer.from(text, "latin1").toString()) as string)
      : text,
  }));

// Names that are numbers would stand in another order in an object of JavaScript.
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: "small" }, tie("leaf"), tie("list"), tie("object")),
  leaf: fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean(), fc.constant(null)),
  list: fc.array(tie("tree"), { maxLength: 4 }),
  object: fc.dictionary(fc.stringMatching(/^[a-zé"\\]{1,4}$/), tie("tree"), { maxKeys: 4 }),
}));

describe("readJson", () => {
  test("reads every value of JSON by its path, however it is spaced", () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, "\t", 2), (value, space) => {
        const read = readJson(encodeText(JSON.stringify(value, null, space)));
        assert.deepEqual(read, { values: asRead(value), lists: listsIn(value, "json"), isWellFormed: true });
      }),
    );
  });

  test("reads of JSON that is cut off what it reads of the whole, but for the last value", () => {
    fc.assert(
      fc.property(tree, fc.nat(200), (value, octets) => {
        const text = encodeText(JSON.stringify({ value }));
        const { values, isWellFormed } = readJson(text.slice(0, octets));
        assert.equal(isWellFormed, octets >= text.length);
        const whole = asRead({ value });
        assert.deepEqual(values.slice(0, -1), whole.slice(0, Math.max(values.length - 1, 0)));
      }),
    );
  });

  test("takes nothing for JSON that JSON.parse refuses, but for signs that stand in texts", () => {
    const piece = fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', "1", "null", "-", " ", "e5", ".5");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        assert.equal(readJson(text).isWellFormed, isJson, text);
      }),
      { numRuns: 2_000 },
    );
  });
});
