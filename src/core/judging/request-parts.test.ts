import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createEngines } from "../../engines/engines.ts";
import { compileExpression, compileValueExpression } from "../expression/compile/compile.ts";
import { storedLimits } from "../expression/limits.ts";
import type { Regex } from "../expression/engines.ts";
import { judgeParts, inPlace, RequestParts, TooCostly } from "./request-parts.ts";
import { requestContext } from "./request-fields.ts";

const zone = {
  zone: { name: "example.com", plan: "enterprise" },
  urlNormalization: { type: "rfc3986", scope: "incoming" },
} as const;
const url = { isSecure: true, host: "www.example.com", port: 443, path: "/a", query: "" };
const lists = new Map([["blocked", (value: unknown) => value === "x"]]);

/**
 * Rules on one request: what they come to with parts judged here and elsewhere, and the octets that each place
 * searches.
 */
function judging(
  body: string,
  { query = "", headers = [] as (readonly [string, string])[], msPerLook = 0 } = {},
) {
  const engines = createEngines();
  const searched = { here: 0, elsewhere: 0 };
  let place: keyof typeof searched = "here";
  const counting = (regex: Regex): Regex => ({
    ...regex,
    free: () => regex.free(),
    replaceFirst: (bytes, replacement) => regex.replaceFirst(bytes, replacement),
    isMatch: (bytes) => {
      searched[place] += bytes.length;
      return regex.isMatch(bytes);
    },
  });
  const counted = {
    ...engines,
    regexes: { compile: (pattern: string) => counting(engines.regexes.compile(pattern)) },
  };
  const options = { limits: storedLimits };
  let now = 0;
  const parts = new RequestParts(() => (now += msPerLook));
  const described = {
    method: "POST",
    headers: [["content-type", "application/json"], ...headers] as const,
    body,
    address: "192.0.2.1",
    time: 0,
  };
  let rounds = 0;
  const settle = <Result>(evaluate: (context: ReturnType<typeof requestContext>) => Result): Result => {
    for (;;) {
      parts.beginAsking(body.length);
      const context = requestContext(described, zone, { ...url, query }, lists, parts);
      parts.begin();
      const result = evaluate(context);
      if (!parts.isAsking) return result;
      rounds += 1;
      const asked = structuredClone(parts.takeAsked());
      place = "elsewhere";
      const compiled = {
        filter: (text: string) => compileExpression(text, counted, options),
        value: (text: string) => compileValueExpression(text, counted, options),
      };
      parts.add(asked, structuredClone(judgeParts({ body: described, parts: asked }, compiled, () => true)));
      place = "here";
    }
  };
  return {
    searched,
    parts,
    rounds: () => rounds,
    filters: (...sources: string[]) => {
      const compiled = sources.map((source) => compileExpression(source, counted, options));
      return settle((context) => compiled.map(({ evaluate }) => evaluate(context)));
    },
    value: (source: string) => {
      const { evaluate } = compileValueExpression(source, counted, options);
      return settle(evaluate);
    },
  };
}

describe("parts of rules", () => {
  test("that search a long body by regular expressions are judged elsewhere, all at once, and come to the same", () => {
    const body = `${"a".repeat(100_000)}${"x".repeat(300)}c`;
    const run = judging(body);
    const sources = [
      'http.request.body.raw matches "x.{298}xc$"',
      'not http.request.body.raw matches "x.{300}c$"',
      'http.host eq "www.example.com" and http.request.body.raw matches "b.{90}b"',
    ];
    assert.deepEqual(run.filters(...sources), [true, true, false]);
    assert.deepEqual(run.searched, { here: 0, elsewhere: 3 * body.length });
    assert.equal(run.rounds(), 1);
  });

  test("that take little are judged here", () => {
    const run = judging("a=1", { query: "q=abc" });
    assert.deepEqual(
      run.filters('http.request.body.raw matches "^a=[0-9]$"', 'http.request.uri.query contains "abc"'),
      [true, true],
    );
    assert.equal(run.searched.elsewhere, 0);
  });

  test("of any field are judged elsewhere where they take too much, with what the request has for them", () => {
    const cookie = "k=".concat("ab".repeat(8_000));
    const run = judging("", { query: "a".repeat(8_000), headers: [["cookie", cookie]] });
    assert.deepEqual(
      run.filters(
        'http.request.uri.query matches "^.{900}b"',
        'any(http.request.headers["cookie"][*] matches "(ab){1000}$")',
        'http.cookie matches "^k=.{900}" and http.request.uri.query matches "a{900}$"',
      ),
      [false, true, true],
    );
    assert.equal(run.searched.here, 0);
  });

  test("are judged elsewhere once a request's rules have taken their time, however little each of them takes", () => {
    const run = judging("a".repeat(2_000), { msPerLook: 1 });
    const sources = Array.from({ length: 100 }, (_, index) => `http.request.body.raw matches "a${index}$"`);
    assert.deepEqual(new Set(run.filters(...sources)), new Set([false]));
    assert.ok(run.searched.here <= 2 * (inPlace.msMax + 1) * 2_000, `${run.searched.here} octets here`);
    assert.ok(run.searched.elsewhere > 0);
  });

  test("with a value are judged elsewhere too", () => {
    const body = JSON.stringify({
      list: Array.from({ length: 9_000 }, () => "padding"),
      user: "alice",
      id: 7,
    });
    const run = judging(body);
    assert.equal(run.value('lookup_json_string(http.request.body.raw, "user")'), "alice");
    assert.equal(run.value('lookup_json_integer(http.request.body.raw, "id")'), 7);
    assert.ok(run.rounds() > 0);
  });

  test("that read the fields of a long form are judged elsewhere, where they are made", () => {
    const run = judging("a=1&".repeat(30_000));
    assert.deepEqual(
      run.filters('http.request.body.form.names[0] eq "a"', "len(http.request.body.form.values) gt 3"),
      [false, false],
    );
    assert.equal(run.rounds(), 1);
  });

  test("that name lists stay here as far as they are cheap, and fail above that", () => {
    const run = judging("x".repeat(100_000));
    assert.deepEqual(run.filters("lower(http.request.body.raw) in $blocked"), [false]);
    const costly = `any(url_decode(http.request.body.form.values[*], "r")[*] in $blocked)`;
    assert.throws(() => judging("a=".concat("x".repeat(100_000))).filters(costly), TooCostly);
  });

  test("that nobody judged in time fail, and do not match", () => {
    const run = judging("a".repeat(100_000));
    const { evaluate } = compileExpression('http.request.body.raw matches "b.{90}"', createEngines());
    const again = (): boolean => {
      run.parts.beginAsking(100_000);
      return evaluate(
        requestContext(
          { method: "POST", headers: [], body: "a".repeat(100_000), address: "", time: 0 },
          zone,
          url,
          lists,
          run.parts,
        ),
      );
    };
    again();
    run.parts.add(run.parts.takeAsked(), []);
    assert.throws(again, TooCostly);
  });
});
