import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { requestOf as makeRequest, type TestRequest } from "../../../test/support/request-context.ts";
import { createEngines } from "../../engines/engines.ts";
import { compileExpression, compileValueExpression } from "../expression/compile/compile.ts";
import type { RequestContext } from "../expression/context.ts";
import { noLists } from "../lists/named-lists.ts";
import { findBuiltInRuleset } from "./managed-rulesets.ts";
import { replaceRules } from "../rulesets/edit-rules.ts";
import { evaluate } from "./evaluate.ts";
import type { TraceStep } from "./trace-step.ts";
import { SharedExpressions } from "./shared-expressions.ts";
import { assembleProgram } from "./program.ts";
import type { RulesetKind } from "../rulesets/rule-context.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";

const managedId = "efb7b8c949ac4650a09736fc376e9aee";
const owaspId = "4814384a9e5d4991b9815dcfc25d2f1f";
const engines = createEngines();
const cache = new SharedExpressions((source) => compileExpression(source, engines)).lease();
const findRuleset = (id: string, version: string) => findBuiltInRuleset(id, "cloudflare", version);

type Phase = Ruleset["phase"];
let made = 0;

function entryPoint(phase: Phase, rules: readonly object[], kind: RulesetKind = "zone"): Ruleset {
  const newId = () => (made += 1).toString(16).padStart(32, "0");
  const now = "2026-01-02T03:04:05.678000Z";
  const context = { phase, kind, issueIn: () => undefined, lists: noLists(phase), findRuleset };
  return {
    id: newId(),
    name: "default",
    description: "",
    kind,
    version: "1",
    rules: replaceRules([], rules, "/rules", context, { newId, now }),
    last_updated: now,
    phase,
  };
}

const requestOf = (url: string, request: TestRequest = {}) =>
  makeRequest(url, { headers: { "user-agent": "Mozilla/5.0", accept: "text/html" }, ...request });

const rule = (action: string, expression: string, rest: object = {}) => ({ action, expression, ...rest });
const execute = (id: string, overrides?: object) =>
  rule("execute", "true", { action_parameters: { id, ...(overrides && { overrides }) } });
const skip = (action_parameters: object) => rule("skip", "true", { action_parameters });
const custom: Phase = "http_request_firewall_custom";
const managed: Phase = "http_request_firewall_managed";

function run(entryPoints: readonly Ruleset[], request: RequestContext, options = {}) {
  const compile = (expression: string) => cache.get(expression);
  const compileValue = (expression: string) => compileValueExpression(expression, engines);
  const { decided, trace } = evaluate(
    assembleProgram(entryPoints, { findRuleset, compile, compileValue, redirectFor: () => undefined }),
    request,
    options,
  );
  return { action: decided?.rule.action, description: decided?.rule.description, trace };
}

function matchedRules(steps: readonly TraceStep[]): TraceStep[] {
  return steps.flatMap((step) => [
    ...(step.type === "rule" && step.matched ? [step] : []),
    ...matchedRules(step.trace ?? []),
  ]);
}

const attack = requestOf("https://example.com/?id=1'%20UNION%20SELECT%20username,password%20FROM%20users--");
const harmless = requestOf("https://example.com/shop/shoes?size=42&colour=dark%20red");

describe("evaluation of rulesets", () => {
  test("phases run in their order, the account before the zone, until a rule ends the way of the request", () => {
    const entryPoints = [
      entryPoint("http_ratelimit", []),
      entryPoint(managed, [rule("block", "true", { description: "third" })]),
      entryPoint(custom, [rule("log", "true"), rule("block", "ssl", { description: "second" })]),
      entryPoint(custom, [rule("log", "true", { description: "first" })], "root"),
    ];
    const { description, trace } = run(entryPoints, harmless);
    assert.equal(description, "second");
    assert.deepEqual(
      trace.map(({ step_name, matched }) => [step_name, matched]),
      [[custom, true]],
    );
    assert.deepEqual(
      trace[0]?.trace?.map(({ kind }) => kind),
      ["root", "zone"],
    );
    assert.deepEqual(
      matchedRules(trace).map(({ action }) => action),
      ["log", "log", "block"],
    );
  });

  test("rules that are switched off or below a rate limit stop nothing, and solved challenges neither", () => {
    const limit = { characteristics: ["ip.src"], period: 60, requests_per_period: 10 };
    const entryPoints = [
      entryPoint(custom, [
        rule("block", "true", { enabled: false }),
        rule("block", 'http.host eq "example.org"'),
        rule("managed_challenge", "true"),
      ]),
      entryPoint("http_ratelimit", [rule("block", "true", { ratelimit: limit })]),
    ];
    assert.equal(run(entryPoints, harmless).action, "managed_challenge");
    const { action, trace } = run(entryPoints, harmless, { solved: new Map([["managed_challenge", 0]]) });
    assert.equal(action, undefined);
    assert.equal(trace.length, 2);
  });

  test("a skip ends the ruleset, the phase, or later phases", () => {
    const block = rule("block", "true");
    const later = entryPoint(managed, [block]);
    const skipping = (parameters: object) => entryPoint(custom, [skip(parameters), block]);
    assert.equal(run([skipping({ products: ["waf"] }), later], harmless).action, "block");
    assert.deepEqual(
      run([skipping({ ruleset: "current" }), later], harmless).trace.map(({ step_name }) => step_name),
      [custom, managed],
    );
    assert.equal(run([skipping({ phase: "current" })], harmless).action, undefined);
    const phases = ["http_request_firewall_managed"];
    assert.equal(run([skipping({ ruleset: "current", phases }), later], harmless).action, undefined);
  });

  test("rules of the Managed Ruleset find attacks, and skips and overrides reach them", () => {
    const deployed = (...rules: object[]) => run([entryPoint(managed, rules)], attack);
    const { action, description, trace } = deployed(execute(managedId));
    assert.deepEqual([action, description], ["block", "SQL injection - UNION SELECT"]);
    const found = matchedRules(trace).find((step) => step.description === "SQL injection - UNION SELECT");
    assert.ok(found);
    assert.equal(deployed(execute(managedId, { action: "log" })).action, undefined);
    assert.equal(deployed(execute(managedId, { enabled: false })).action, undefined);
    const challenged = { rules: [{ id: found.step_name, action: "managed_challenge" }] };
    assert.equal(deployed(execute(managedId, challenged)).action, "managed_challenge");
    const onlyWordPress = { enabled: false, categories: [{ category: "wordpress", enabled: true }] };
    assert.equal(deployed(execute(managedId, onlyWordPress)).action, undefined);
    for (const parameters of [{ ruleset: "current" }, { rulesets: [managedId] }]) {
      assert.equal(deployed(skip(parameters), execute(managedId)).action, undefined);
      assert.equal(deployed(execute(managedId), skip(parameters)).action, "block");
    }
    const skipped = { rules: { [managedId]: [found.step_name] } };
    assert.notEqual(deployed(skip(skipped), execute(managedId)).description, description);
  });

  test("the OWASP Core Ruleset adds scores up, and paranoia levels and threshold decide", () => {
    const deployed = (overrides: object, request = attack) =>
      run([entryPoint(managed, [execute(owaspId, overrides)])], request).action;
    const levels = (...disabled: number[]) => ({
      categories: disabled.map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
    });
    const threshold = (score_threshold: number) => ({
      rules: [{ id: "6179ae15870a4bb7b2d480d4843b323c", score_threshold }],
    });
    assert.equal(deployed({ ...levels(2, 3, 4), ...threshold(5) }), "block");
    assert.equal(deployed({ ...levels(2, 3, 4), ...threshold(60) }), undefined);
    assert.equal(deployed({ ...levels(3, 4), ...threshold(25) }), "block");
    assert.equal(deployed({ ...levels(2, 3, 4), ...threshold(25) }), undefined);
    assert.equal(deployed({ ...levels(2, 3, 4), ...threshold(5) }, harmless), undefined);
  });

  const attacks: readonly (readonly [string, string, TestRequest?])[] = [
    ["https://example.com/?q=%3Cscript%3Ealert(1)%3C/script%3E", "xss"],
    ["https://example.com/?id=1'%20OR%20'1'='1", "sqli"],
    ["https://example.com/?f=../../../../etc/passwd", "file-inclusion"],
    ["https://example.com/?c=;cat%20/etc/passwd", "rce"],
    ["https://example.com/?x=%24%7Bjndi:ldap://a/%7D", "log4j"],
    ["https://example.com/", "log4j", { headers: { "x-api": "${jndi:ldap://a/b}" } }],
    ["https://example.com/", "rce", { headers: { "user-agent": "() { :;}; /bin/bash -c ls" } }],
    ["https://example.com/wp-json/wp/v2/posts/1?id=1abc", "wordpress", { method: "POST" }],
    ["https://example.com/user/register?element_parents=account/mail/%23value&mail[%23markup]=id", "drupal"],
    ["https://example.com/index.php?-d+allow_url_include%3d1", "php"],
    ["https://example.com/redirect?redirect:http://example.net/", "apache-struts"],
    ["https://example.com/cgi-bin/.%2e/.%2e/etc/passwd", "apache-http-server"],
    ["https://example.com/.env", "information-disclosure"],
    ["https://example.com/fetch?url=http://169.254.169.254/latest", "ssrf"],
    ["https://example.com/x%0d%0aset-cookie:%20a=b", "crlf-injection"],
    ["https://example.com/", "scanner", { headers: { "user-agent": "sqlmap/1.8" } }],
    ["https://example.com/", "nextjs", { headers: { "x-middleware-subrequest": "middleware" } }],
    [
      "https://example.com/rest/V1/guest-carts/1/estimate-shipping-methods",
      "magento",
      {
        method: "POST",
        body: '{"address":{"sourceData":{"data":"http://a"}}}',
        bodyType: "application/json",
      },
    ],
    [
      "https://example.com/node?_format=hal_json",
      "drupal",
      { method: "POST", body: '{"link":[{"options":"O:24:\\"GuzzleHttp\\\\Psr7"}]}' },
    ],
  ];

  test("textbook attacks are found by rules of their category", async (t) => {
    const rules = findRuleset(managedId, "latest")?.rules ?? [];
    for (const [url, category, rest] of attacks)
      await t.test(`${category}: ${url.slice(0, 80)}`, () => {
        const request = requestOf(url, rest);
        const found = rules.filter(({ expression }) => cache.get(expression).evaluate(request));
        assert.ok(
          found.some(({ categories }) => categories?.includes(category)),
          `${url}: ${found.map(({ description }) => description).join("; ")}`,
        );
      });
  });

  test("ordinary requests are found by no rule of the Managed Ruleset", () => {
    const rules = findRuleset(managedId, "latest")?.rules ?? [];
    const requests = [
      harmless,
      requestOf("https://example.com/"),
      requestOf("https://www.example.com:8443/a/b.html?q=select%20a%20union%20jack&page=2"),
      requestOf("https://example.com/search?q=rock+%26+roll&sort=-date", { cookies: { session: "abc123" } }),
      requestOf("https://example.com/api/items", {
        method: "POST",
        body: '{"name":"O\'Brien","note":"1 = one; or two"}',
        bodyType: "application/json",
      }),
      requestOf("https://example.com/wp-login.php", {
        method: "POST",
        body: "log=me&pwd=secret",
        bodyType: "application/x-www-form-urlencoded",
      }),
    ];
    for (const [index, request] of requests.entries()) {
      const found = rules.filter(({ expression }) => cache.get(expression).evaluate(request));
      assert.deepEqual(
        found.map(({ description }) => description),
        [],
        `request ${index}`,
      );
    }
  });

  test("any described request is evaluated", () => {
    const entryPoints = [entryPoint(managed, [execute(managedId), execute(owaspId)])];
    const texts = fc.dictionary(fc.string(), fc.string({ unit: "binary" }), { maxKeys: 4 });
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        texts,
        texts,
        fc.string(),
        (url, headers, cookies, body) => {
          run(entryPoints, requestOf(url, { headers, cookies, body }));
        },
      ),
      { numRuns: 30 },
    );
  });

  test("the cache frees what was not used for the longest time, and compiles it again when it is", () => {
    let held = 0;
    const counted = {
      compile: (pattern: string) => {
        held += 1;
        const regex = engines.regexes.compile(pattern);
        return {
          isMatch: (bytes: string) => regex.isMatch(bytes),
          replaceFirst: (bytes: string, replacement: string) => regex.replaceFirst(bytes, replacement),
          octets: 0,
          free: () => {
            held -= 1;
            regex.free();
          },
        };
      },
    };
    const counting = new SharedExpressions(
      (source) => compileExpression(source, { ...engines, regexes: counted }),
      { sizeMax: 10, octetsMax: Infinity },
    );
    const evaluateOnce = (source: string): void => {
      const { get, release } = counting.lease();
      assert.equal(get(source).evaluate(harmless), false);
      release();
    };
    const sourceOf = (n: number) => `http.host matches "^a{${n}}$"`;
    for (let n = 1; n <= 100; n += 1) {
      evaluateOnce(sourceOf(n));
      evaluateOnce(sourceOf(1));
    }
    assert.deepEqual([counting.size, held], [10, 10]);
    assert.equal(counting.lease().has(sourceOf(1)), true);
  });
});
