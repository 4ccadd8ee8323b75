import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import type { Expression } from "./ast.ts";
import { compileExpression } from "./compile/compile.ts";
import { createContext } from "./context.ts";
import { ExpressionError } from "./expression-error.ts";
import { expressionText, fragments } from "../../../test/support/arbitraries/expressions.ts";
import { parseExpression } from "./parse.ts";
import { printExpression } from "./print.ts";
import { createEngines } from "../../engines/engines.ts";

const engines = createEngines();
const limits = {
  octetsMax: 100_000,
  nestingMax: 128,
  regexesMax: 64,
  regexPartsMax: 10_000,
  unitsMax: Infinity,
  wildcardStarsMax: 64,
};

/** A tree without the places of its nodes. */
function shapeOf(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) => {
      if (key === "span") return undefined;
      return typeof value === "bigint" ? `${value}n` : value;
    }),
  );
}

describe("a filter expression", () => {
  test("that is printed is read back as the same tree, and printed as the same text", () => {
    fc.assert(
      fc.property(expressionText, (text) => {
        const expression = parseExpression(text, { limits });
        const printed = printExpression(expression);
        const again = parseExpression(printed, { limits });
        assert.deepEqual(shapeOf(again), shapeOf(expression), printed);
        assert.equal(printExpression(again), printed);
      }),
      { numRuns: 3000 },
    );
  });

  test("means the same when it is printed, and is explained as it is evaluated", () => {
    const request = createContext({
      ssl: true,
      "http.host": "a.com",
      "ip.src": "192.0.2.1",
      "http.request.headers": { a: ["a", "b"] },
      "http.request.headers.names": ["a", "é"],
      "cf.threat_score": 3,
    });
    fc.assert(
      fc.property(expressionText, (text) => {
        const compiled = compileExpression(text, engines, { limits });
        const printed = compileExpression(printExpression(compiled.expression), engines, { limits });
        const value = compiled.evaluate(request);
        assert.equal(printed.evaluate(request), value);
        assert.equal(compiled.explain(request).value, value);
        compiled.free();
        printed.free();
      }),
      { numRuns: 2000 },
    );
  });

  test("that is broken in 20,000 ways gives a tree or a place in the text, and nothing else is thrown", () => {
    const valid = fc.sample(expressionText, 2000);
    const mutation = fc.record({
      at: fc.nat(),
      deleted: fc.constantFrom(0, 0, 1, 2, 9, 80),
      inserted: fc.constantFrom(...fragments),
    });
    const text = fc.oneof(
      { weight: 9, arbitrary: fc.tuple(fc.constantFrom(...valid), fc.array(mutation, { maxLength: 3 })) },
      {
        weight: 1,
        arbitrary: fc.tuple(
          fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => parts.join("")),
          fc.constant([]),
        ),
      },
    );
    const counts = { read: 0, refused: 0 };
    fc.assert(
      fc.property(text, ([base, mutations]) => {
        const source = mutations.reduce((current, { at, deleted, inserted }) => {
          const start = at % (current.length + 1);
          return current.slice(0, start) + inserted + current.slice(start + deleted);
        }, base);
        try {
          compileExpression(source, engines).free();
          counts.read += 1;
        } catch (error) {
          assert.ok(error instanceof ExpressionError, String(error));
          assert.match(error.message, /^Filter parsing error \(\d+:\d+\):\n|^expression size \d+/);
          assert.ok(error.span.start >= 0 && error.span.start <= error.span.end, error.message);
          assert.ok(error.span.end <= source.length, error.message);
          assert.notEqual(error.reason, "");
          counts.refused += 1;
        }
      }),
      { numRuns: 20_000 },
    );
    assert.ok(counts.read > 2000 && counts.refused > 2000, JSON.stringify(counts));
  });
});
