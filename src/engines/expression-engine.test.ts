import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ExpressionError } from "../core/expression/expression-error.ts";
import { createExpressionEngine, createEngines } from "./engines.ts";

function createCountingEngine() {
  const engines = createEngines();
  const compiled: string[] = [];
  const compile = (pattern: string) => {
    compiled.push(pattern);
    return engines.regexes.compile(pattern);
  };
  const engine = createExpressionEngine({ ...engines, regexes: { compile } });
  return { engine, compiled };
}

const matching = (pattern: string): string => `http.request.uri.path matches "${pattern}"`;
const ruleOf = (expression: string) => ({ action: "block", expression });

describe("checks of expressions", () => {
  test("compile the regular expressions of a body one in a turn, and none again", async () => {
    const { engine, compiled } = createCountingEngine();
    const patterns = Array.from({ length: 20 }, (_, index) => `^/path-${index}/[a-z]+`);
    const replace = `regex_replace(http.request.uri.path, "^/old/", "/new/")`;
    const body = {
      rules: [
        ...patterns.map((pattern) => ruleOf(matching(pattern))),
        { action: "rewrite", action_parameters: { uri: { path: { expression: replace } } } },
      ],
    };
    let turns = 0;
    let isPrepared = false;
    const nextTurn = () => {
      turns += 1;
      if (!isPrepared) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    await engine.prepareChecks(body);
    isPrepared = true;
    assert.ok(turns >= patterns.length, `${turns} turns`);
    assert.deepEqual(compiled.toSorted(), [...patterns, "^/old/"].toSorted());

    for (const pattern of patterns) assert.equal(engine.issueInFilter(matching(pattern)), undefined);
    assert.equal(engine.issueInValue(replace), undefined);
    await engine.prepareChecks(body);
    assert.equal(compiled.length, patterns.length + 1);
  });

  test("say the same as compiling does, prepared or not", async () => {
    const { engine } = createCountingEngine();
    const sources = ["(", "a{1,60000}", "[z-a]", "a{10,2}", "ok"].map(matching);
    const said = (source: string): string | undefined => {
      try {
        engine.compileFilter(source).free();
        return undefined;
      } catch (error) {
        assert.ok(error instanceof ExpressionError);
        return error.message;
      }
    };
    const unprepared = sources.map((source) => engine.issueInFilter(source));
    assert.deepEqual(unprepared, sources.map(said));
    assert.equal(unprepared.filter((issue) => issue === undefined).length, 1);
    const { engine: other } = createCountingEngine();
    await other.prepareChecks(sources);
    assert.deepEqual(
      sources.map((source) => other.issueInFilter(source)),
      unprepared,
    );
  });

  test("are prepared for a body of any form and depth", async () => {
    const { engine, compiled } = createCountingEngine();
    let deep: unknown = ruleOf(matching("^/deep$"));
    for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
    for (const body of [undefined, null, 7, "", "matches", [{ expression: 1 }], deep]) {
      await engine.prepareChecks(body);
    }
    assert.deepEqual(compiled, ["^/deep$"]);
  });
});
