import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { hashEngine } from "../../../engines/engines.ts";
import { compileExpression, type Engines } from "./compile.ts";
import { ContextError, createContext } from "../context.ts";
import { fields } from "../fields.ts";
import { functions } from "../functions.ts";
import { findImplementation } from "./functions/implementations.ts";
import { parseExpression } from "../parse.ts";
import { phases, planOrder } from "../phases.ts";
import type { Regex } from "../engines.ts";

/** Compiles nothing, and counts what was not freed. */
function countingEngines(): Engines & { readonly held: () => number } {
  let held = 0;
  const regex: Regex = {
    isMatch: () => true,
    replaceFirst: (bytes) => bytes,
    octets: 0,
    free: () => {
      held -= 1;
    },
  };
  const compile = (): Regex => {
    held += 1;
    return regex;
  };
  return { regexes: { compile }, hashes: hashEngine, held: () => held };
}

describe("a compiled expression", () => {
  test("decodes a field once for all expressions of a request", () => {
    const context = createContext({ "http.request.uri.query": "a%2Fb" });
    const evaluate = (source: string): boolean =>
      compileExpression(source, countingEngines()).evaluate(context);
    context.resultOf("url_decode(http.request.uri.query)", () => "made before");
    assert.ok(evaluate('url_decode(http.request.uri.query) eq "made before"'));
    assert.ok(evaluate('lower(url_decode(http.request.uri.query)) eq "made before"'));
    assert.ok(evaluate('url_decode(http.request.uri.query, "r") eq "a/b"'));
  });

  test("compiles each pattern once and frees it once", () => {
    const engines = countingEngines();
    const compiled = compileExpression('http.host ~ "a" or http.host ~ "a" or http.host ~ "b"', engines);
    assert.equal(engines.held(), 2);
    compiled.free();
    compiled.free();
    assert.equal(engines.held(), 0);
  });

  test("that is refused holds nothing", () => {
    const engines = countingEngines();
    assert.throws(() => compileExpression('http.host ~ "a" and nope', engines), /unknown identifier/);
    assert.equal(engines.held(), 0);
  });

  test("says which comparisons decided, and what they looked at", () => {
    const engines = countingEngines();
    const explained = (text: string): unknown => {
      const compiled = compileExpression(text, engines);
      const { value, decidedBy } = compiled.explain(
        createContext({ ssl: true, "http.host": "a", "http.request.headers": { x: ["y"] } }),
      );
      compiled.free();
      return [value, decidedBy.map((decision) => [decision.text, decision.value, decision.looked[0]?.found])];
    };
    assert.deepEqual(explained('ssl and http.host eq "b" and true'), [
      false,
      [['http.host eq "b"', false, "a"]],
    ]);
    assert.deepEqual(explained('http.host eq "b" or ssl or cf.client.bot'), [true, [["ssl", true, true]]]);
    assert.deepEqual(explained("ssl and not cf.client.bot"), [
      true,
      [["ssl", true, true], ["cf.client.bot", false, undefined]],
    ]); // prettier-ignore
    assert.deepEqual(explained("ssl xor true"), [false, [["ssl", true, true], ["true", true, undefined]]]); // prettier-ignore
    assert.deepEqual(explained('any(http.request.headers["x"][*] eq "y")'), [
      true,
      [['any(http.request.headers["x"][*] eq "y")', true, ["y"]]],
    ]);
  });
});

describe("a request context", () => {
  test("refuses what a field cannot hold, with the place of it", async (t) => {
    const refusals: readonly (readonly [object, string])[] = [
      [{ nope: 1 }, "nope: unknown field"],
      [{ ssl: "true" }, "ssl: must be true or false"],
      [{ "http.host": 1 }, "http.host: must be a string"],
      [{ "cf.threat_score": 1.5 }, "cf.threat_score: must be an integer"],
      [{ "cf.threat_score": 2 ** 53 }, "cf.threat_score: must be an integer"],
      [{ "ip.src": "1.2.3" }, "ip.src: must be an IP address"],
      [{ "http.request.headers.names": "a" }, "http.request.headers.names: must be an array"],
      [{ "http.request.headers": [] }, "http.request.headers: must be an object"],
      [{ "http.request.headers": { a: ["b", 1] } }, 'http.request.headers["a"][1]: must be a string'],
      [{ $list: "a" }, "$list: must be an array"],
      [{ $list: [true] }, "$list: must hold strings or integers"],
    ];
    for (const [data, message] of refusals)
      await t.test(message, () => {
        assert.throws(
          () => createContext(data as Readonly<Record<string, unknown>>),
          (error) => error instanceof ContextError && error.message === message,
          message,
        );
      });
  });
});

describe("the scheme", () => {
  test("has every field and function once, each with an implementation", () => {
    const names = [...fields, ...functions].map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(names, [
      ...fields.map(({ name }) => name).toSorted(),
      ...functions.map(({ name }) => name).toSorted(),
    ]);
    for (const { name } of functions) findImplementation(name);
    assert.ok(fields.length >= 173 && functions.length >= 25);
  });

  test("names for each deprecated field one of the same type", () => {
    for (const { type, replacedBy } of fields) {
      if (replacedBy !== undefined) assert.equal(fields.find(({ name }) => name === replacedBy)?.type, type);
    }
  });

  test("allows in each phase and plan what is not restricted, and the same without either", () => {
    for (const phase of phases)
      for (const plan of planOrder) parseExpression('http.host eq "a"', { phase, plan });
    const field = 'http.response.code in {200} and http.request.body.raw contains "a"';
    parseExpression(field);
    parseExpression(field, { phase: "http_custom_errors", plan: "enterprise" });
  });
});
