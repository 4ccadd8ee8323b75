import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, describe, test } from "node:test";

import { compileExpression, compileValueExpression, type CompileOptions } from "./compile/compile.ts";
import { createContext, toData, type RequestContext } from "./context.ts";
import { ExpressionError } from "./expression-error.ts";
import { parseExpression } from "./parse.ts";
import { printExpression } from "./print.ts";
import { createEngines } from "../../engines/engines.ts";

const directory = "test/vectors/expression";
const requests = JSON.parse(readFileSync(join(directory, "requests.json"), "utf8")) as Record<string, object>;
const engines = createEngines();

interface Case {
  readonly text: string;
  readonly given: string;
  readonly expected: string;
  readonly at: string;
}

function casesOf(file: string): Case[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (line === "" || line.startsWith("# ")) return [];
    const [text = "", given = "", expected, more] = line.split("\t");
    const at = `${basename(file)}:${index + 1} ${text.slice(0, 120)}`;
    assert.ok(expected !== undefined && more === undefined, `${at}: three columns`);
    const isJson = text.startsWith("json:");
    return [{ text: isJson ? (JSON.parse(text.slice(5)) as string) : text, given, expected, at }];
  });
}

function requestOf(given: string): RequestContext {
  const [, name = "", more] = /^([a-z]*)\+?(\{.*\})?$/.exec(given) ?? assert.fail(given);
  const base = name === "" ? {} : (requests[name] ?? assert.fail(`no request ${name}`));
  return createContext({ ...base, ...(more === undefined ? {} : (JSON.parse(more) as object)) });
}

function optionsOf(given: string): CompileOptions {
  const pairs = given === "-" ? [] : given.split(" ").map((pair) => pair.split("="));
  return Object.fromEntries(pairs) as CompileOptions;
}

function refusalOf(text: string, options: CompileOptions): ExpressionError {
  try {
    compileExpression(text, engines, options).free();
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  return assert.fail("was read");
}

/** The message that a case stands for. */
function messageOf(text: string, expected: string): string {
  const [, line, column, carets = "", escaped = ""] = /^(\d+):(\d+) (\^+) (.*)$/.exec(expected) ?? [];
  const unescape = (reason: string): string =>
    reason.replaceAll(/\\(n|\\)/g, (_, letter) => (letter === "n" ? "\n" : "\\"));
  if (column === undefined) return unescape(expected);
  const source = text.split("\n")[Number(line) - 1];
  const indent = " ".repeat(Number(column) - 1);
  return `Filter parsing error (${line}:${column}):\n${source}\n${indent}${carets} ${unescape(escaped)}\n`;
}

const runs: Readonly<Record<string, (one: Case) => void>> = {
  evaluate: ({ text, given, expected, at }) => {
    const compiled = compileExpression(text, engines);
    const request = requestOf(given);
    assert.equal(String(compiled.evaluate(request)), expected, at);
    assert.equal(String(compiled.explain(request).value), expected, `explained: ${at}`);
    compiled.free();
  },
  values: ({ text, given, expected, at }) => {
    const compiled = compileValueExpression(text, engines);
    const value = toData(compiled.evaluate(requestOf(given)));
    assert.deepEqual(value, expected === "missing" ? undefined : JSON.parse(expected), at);
    compiled.free();
  },
  errors: ({ text, given, expected, at }) => {
    assert.equal(refusalOf(text, optionsOf(given)).message, messageOf(text, expected), at);
  },
  print: ({ text, expected, at }) => {
    assert.equal(printExpression(parseExpression(text)), expected, at);
    assert.equal(printExpression(parseExpression(expected)), expected, at);
  },
};

describe("the vectors of the filter-expression language", () => {
  let count = 0;
  for (const file of globSync(join(directory, "*.txt")).toSorted()) {
    const kind = /^[a-z]+/.exec(basename(file))?.[0] ?? "";
    const cases = casesOf(file);
    count += cases.length;
    test(`${basename(file)} comes out as it says`, () => {
      const run = runs[kind] ?? assert.fail(`no test for ${file}`);
      for (const one of cases) run(one);
    });
  }
  after(() => assert.ok(count >= 400, `only ${count} cases`));
});
