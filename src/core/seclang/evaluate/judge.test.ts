import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { judge, matchingIds, postOf, requestOf } from "../../../../test/support/rules.ts";

const ofQuery = (query: string) => requestOf({ target: `/path?${query}` });

describe("rules judge a request", () => {
  test("a rule looks at each value, and what it does, it does for each that matches", () => {
    const { matches, read } = judge(
      `SecRule ARGS "@contains x" "id:1,phase:2,msg:'of %{MATCHED_VAR_NAME}',setvar:tx.score=+5"`,
      ofQuery("a=x&b=y&c=xx"),
    );
    assert.equal(read("TX", "score"), "10");
    assert.deepEqual(
      matches.map(({ message, variable, value }) => ({ message, variable, value })),
      [{ message: "of ARGS:c", variable: "ARGS:c", value: "xx" }],
    );
  });

  test("many values are judged as few: each that matches counts, whatever others are equal to it", () => {
    const score = (rule: string, query: string): string | undefined =>
      judge(rule, ofQuery(query)).read("TX", "score");
    const rule = (targets: string, rest: string): string =>
      `SecRule ${targets}" "id:1,phase:2,setvar:tx.score=+1${rest}"`;
    const query = (count: number): string =>
      Array.from({ length: count }, (_, index) => `a${index}=x&b${index}=%2541`).join("&");
    for (const count of [3, 30]) {
      const of = (number: number): string => String(number * count);
      assert.equal(score(rule('ARGS "@rx ^x$', ""), query(count)), of(1));
      assert.equal(score(rule('ARGS "!@rx ^x$', ""), query(count)), of(1));
      assert.equal(score(rule('ARGS|ARGS_NAMES "@rx .', ""), query(count)), of(4));
      assert.equal(score(rule('ARGS|!ARGS:a0|!ARGS:/^b/ "@rx .', ""), query(count)), String(count - 1));
      assert.equal(score(rule('ARGS "@rx A|1', ",t:urlDecode,multiMatch"), query(count)), of(2));
    }
  });

  test("a list in JSON is a name among those of the arguments, and no value", () => {
    const json = (body: string) => postOf("application/json", body);
    const names = `SecRule ARGS_NAMES "@rx __contained_by$" "id:1,phase:2"`;
    for (const body of [
      '{"roles__contained_by":"a"}',
      '{"roles__contained_by":["a"]}',
      '{"roles__contained_by":[]}',
      '{"filter":{"roles__contained_by":[{"a":1}]}}',
      '[{"roles__contained_by":[["a"]]}]',
    ])
      assert.deepEqual(matchingIds(names, json(body)), [1], body);
    assert.deepEqual(matchingIds(names, json('{"roles":["x__contained_by"]}')), []);
    assert.deepEqual(matchingIds('SecRule &ARGS "@eq 1" "id:2,phase:2"', json('{"a":["b"]}')), [2]);
  });

  test("a chain matches when each of its rules does", () => {
    const chain = `
      SecRule REQUEST_METHOD "@streq GET" "id:1,phase:1,chain,setvar:tx.first=1"
        SecRule ARGS:a "@eq 1" "chain"
          SecRule &ARGS:b "@eq 0" "setvar:tx.last=1"`;
    assert.deepEqual(matchingIds(chain, ofQuery("a=1")), [1]);
    const { matches, read } = judge(chain, ofQuery("a=1&b=2"));
    assert.deepEqual([matches.length, read("TX", "first"), read("TX", "last")], [0, "1", undefined]);
  });

  test("groups of a pattern are kept where a rule asks for them, those without a part in it too", () => {
    const { read } = judge(
      `SecRule ARGS:a "@rx ^(x)?(y)(z)$" "id:1,phase:1,capture,setvar:tx.found=%{tx.0}-%{tx.1}-%{tx.3}"`,
      ofQuery("a=yz"),
    );
    assert.equal(read("TX", "found"), "yz--z");
  });

  test("skipAfter continues behind a marker, skip passes over rules, each within its phase", () => {
    const rules = `
      SecAction "id:1,phase:1,skipAfter:END"
      SecAction "id:2,phase:1"
      SecAction "id:3,phase:2"
      SecMarker "END"
      SecAction "id:4,phase:1,skip:1"
      SecAction "id:5,phase:1"
      SecAction "id:6,phase:1"`;
    assert.deepEqual(matchingIds(rules, requestOf()), [1, 4, 6, 3]);
  });

  test("ctl takes rules, and targets from rules, for the rest of the request", () => {
    const rules = `
      SecAction "id:1,phase:1,ctl:ruleRemoveById=10-11,ctl:ruleRemoveByTag=gone,ctl:ruleRemoveTargetById=13;ARGS:a,ctl:ruleRemoveTargetByTag=few;ARGS"
      SecAction "id:10,phase:2"
      SecAction "id:12,phase:2,tag:'gone/1'"
      SecRule ARGS "@rx ." "id:13,phase:2"
      SecRule ARGS "@rx ." "id:14,phase:2,tag:'few'"`;
    assert.deepEqual(matchingIds(rules, ofQuery("a=1")), [1]);
    assert.deepEqual(matchingIds(rules, ofQuery("b=1")), [1, 13]);
  });

  test("SecRuleRemoveById and SecRuleUpdateTargetById change rules that came before", () => {
    const rules = `
      SecRule ARGS "@rx ." "id:1,phase:2"
      SecRule ARGS "@rx ." "id:2,phase:2"
      SecRuleRemoveById 1
      SecRuleUpdateTargetById 2 "!ARGS:/^_ga(?:_\\w+)?$/"`;
    assert.deepEqual(matchingIds(rules, ofQuery("_ga_1=x")), []);
    assert.deepEqual(matchingIds(rules, ofQuery("a=x")), [2]);
  });

  test("multiMatch asks after each transformation that changes something", () => {
    const rule = (action: string): string =>
      `SecRule ARGS:a "@contains %3c" "id:1,phase:2,t:none,t:urlDecode,t:urlDecode${action}"`;
    assert.deepEqual(matchingIds(rule(""), ofQuery("a=%25253c")), []);
    assert.deepEqual(matchingIds(rule(",multiMatch"), ofQuery("a=%25253c")), [1]);
  });

  test("a negated operator matches what it would not, but not what is not there", () => {
    const rule = 'SecRule REQUEST_HEADERS:Content-Length "!@rx ^[0-9]+$" "id:1,phase:1"';
    assert.deepEqual(matchingIds(rule, requestOf()), []);
    assert.deepEqual(
      matchingIds(rule, requestOf({ headers: [{ name: "content-length", value: "x" }] })),
      [1],
    );
  });

  test("MATCHED_VARS are those of the chain so far", () => {
    const rules = `
      SecRule ARGS "@contains x" "id:1,phase:2,chain"
        SecRule MATCHED_VARS "@streq yx" ""`;
    assert.deepEqual(matchingIds(rules, ofQuery("a=x&b=yx")), [1]);
    assert.deepEqual(matchingIds(rules, ofQuery("a=x")), []);
  });

  test("phases 3 and 4 see a response, where there is one", () => {
    const rules = `
      SecRule RESPONSE_STATUS "@ge 500" "id:1,phase:3"
      SecRule RESPONSE_BODY "@contains secret" "id:2,phase:4"`;
    assert.deepEqual(matchingIds(rules, requestOf()), []);
    const response = { status: 500, headers: [], body: "a secret" };
    assert.deepEqual(matchingIds(rules, requestOf(), response), [1, 2]);
  });
});

describe("bodies", () => {
  const all =
    'SecRule ARGS|FILES|FILES_NAMES|XML:/*|XML://@*|REQUEST_BODY|REQBODY_ERROR "@rx ." "id:1,phase:2,setvar:tx.seen=%{tx.seen}[%{MATCHED_VAR_NAME}=%{MATCHED_VAR}]"';
  const seen = (type: string, body: string): string | undefined =>
    judge(all, postOf(type, body)).read("TX", "seen");
  const boundary = "multipart/form-data; boundary=b";
  const cases: [title: string, type: string, body: string, expected: string][] = [
    [
      "a form",
      "application/x-www-form-urlencoded",
      "a=1+%32",
      "[ARGS:a=1 2][REQUEST_BODY=a=1+%32][REQBODY_ERROR=0]",
    ],
    [
      "JSON",
      "application/json",
      '{"a":[1,{"b":"Ã©"}],"n":null}',
      "[ARGS:json.a.0=1][ARGS:json.a.1.b=Ã©][REQBODY_ERROR=0]",
    ],
    ["JSON that is none", "application/json", "{", "[REQBODY_ERROR=1]"],
    ["JSON before its first error", "application/json", '{"a":1,"b":}', "[ARGS:json.a=1][REQBODY_ERROR=1]"],
    ["JSON that is cut off", "application/json", '{"a":["x', "[ARGS:json.a.0=x][REQBODY_ERROR=1]"],
    [
      "JSON with a name twice",
      "application/json",
      '{"a":"\\u0041\\n","a":2}',
      "[ARGS:json.a=A\n][ARGS:json.a=2][REQBODY_ERROR=0]",
    ],
    [
      "XML",
      "text/xml",
      '<?xml version="1.0"?><a b="1 &lt;"><c/>x &amp; <![CDATA[y]]></a>',
      "[XML:/*=x & y][XML://@*=1 <][REQBODY_ERROR=0]",
    ],
    ["XML that is not well-formed", "text/xml", "<a><b></a>", "[REQBODY_ERROR=1]"],
    ["XML before its first error", "text/xml", "<a>x</+a>y", "[XML:/*=x][REQBODY_ERROR=1]"],
    [
      "a form of parts",
      boundary,
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="x.php"\r\nContent-Type: text/plain\r\n\r\ndata\r\n--b--\r\n',
      "[ARGS:a=1][FILES:f=x.php][FILES_NAMES:f=f][REQBODY_ERROR=0]",
    ],
    [
      "a form of parts without an end",
      boundary,
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
      "[REQBODY_ERROR=1]",
    ],
    ["anything else", "text/plain", "a=1", "[REQUEST_BODY=a=1][REQBODY_ERROR=0]"],
  ];
  for (const [title, type, body, expected] of cases) {
    test(`rules see the values of ${title}`, () => assert.equal(seen(type, body), expected));
  }

  test("a rule may choose how the body is read", () => {
    const rules = `
      SecAction "id:1,phase:1,ctl:requestBodyProcessor=URLENCODED"
      SecRule ARGS:a "@eq 1" "id:2,phase:2"`;
    assert.deepEqual(matchingIds(rules, postOf("text/plain", "a=1")), [1, 2]);
  });
});
