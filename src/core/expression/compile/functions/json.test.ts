import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { createEngines } from "../../../../engines/engines.ts";
import { encodeText } from "../../byte-string.ts";
import { compileValueExpression } from "../compile.ts";
import { RequestContext } from "../../context.ts";
import { quoteBytes } from "../../print.ts";

const engines = createEngines();

/** A request whose body is a text. `reads` counts how often it is parsed as JSON. */
function lookingUp(document: string) {
  const bytes = encodeText(document);
  const context = new RequestContext(new Map(), () => bytes);
  return (name: string, path: readonly (string | number)[]) => {
    const keys = path.map((key) => (typeof key === "number" ? String(key) : quoteBytes(encodeText(key))));
    const source = `${name}(http.request.body.raw, ${keys.join(", ")})`;
    const { evaluate, free } = compileValueExpression(source, engines);
    const found = evaluate(context);
    free();
    return found;
  };
}

describe("a look-up in JSON", () => {
  test("finds the integers of any document by their paths, and takes no other number for one", () => {
    const leaf = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.constant(null));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie("tree"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 1, "\t"), (value, space) => {
        const text = JSON.stringify({ value }, undefined, space);
        const look = lookingUp(text);
        for (const [path, found] of leavesOf({ value })) {
          if (typeof found === "string") assert.equal(look("lookup_json_string", path), encodeText(found));
          const isInteger = typeof found === "number" && /^-?[0-9]+$/.test(JSON.stringify(found));
          if (!Object.is(found, -0))
            assert.equal(
              look("lookup_json_integer", path),
              isInteger && Number.isSafeInteger(found) ? found : undefined,
              text,
            );
        }
      }),
      { numRuns: 200 },
    );
  });

  test("goes by how a number is written, and by the last of members with one name", () => {
    const look = lookingUp(
      '{"a" : [ 1.0, {"b":[]} , 2 ], "b": 3e1, "c": 4, "c" : -5 , "d": 9007199254740993}',
    );
    const integer = (...path: (string | number)[]) => look("lookup_json_integer", path);
    assert.deepEqual(
      [integer("a", 0), integer("a", 2), integer("b"), integer("c"), integer("d")],
      [undefined, 2, undefined, -5, undefined],
    );
  });

  test("parses a document once for all rules of a request", (t) => {
    const parse = t.mock.method(JSON, "parse");
    const text = `{"a":"${"x".repeat(1_000)}","b":"y"}`;
    const look = lookingUp(text);
    for (let rule = 0; rule < 40; rule += 1) assert.equal(look("lookup_json_string", ["b"]), "y");
    assert.equal(parse.mock.calls.filter(({ arguments: [parsed] }) => parsed === text).length, 1);
  });
});

function* leavesOf(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<readonly [readonly (string | number)[], unknown]> {
  if (typeof value !== "object" || value === null) yield [path, value];
  else
    for (const [key, item] of Object.entries(value))
      yield* leavesOf(item, [...path, Array.isArray(value) ? Number(key) : key]);
}
