import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compile } from "../../../test/support/rules.ts";
import { SecLangError } from "./parse/directives.ts";

describe("rules of SecLang", () => {
  test("are read over several lines, with comments and quotes", () => {
    const { rules, version } = compile(`
      # A comment
      SecComponentSignature "SET/1.0"
      SecRule ARGS|!ARGS:/^_(a|b)$/ \\
          "@rx say \\"no\\"" \\
          "id:1,\\
          phase:2,\\
          t:none,t:lowercase,\\
          msg:'It\\'s no, really',\\
          tag:'a',tag:'b/2',\\
          severity:'CRITICAL'"
      SecAction "id:2,phase:1,nolog,pass"
    `);
    assert.equal(version, "SET/1.0");
    assert.deepEqual(
      rules.map(({ id, phase, message, tags, severity, isLogged }) => ({
        id,
        phase,
        message,
        tags,
        severity,
        isLogged,
      })),
      [
        {
          id: 1,
          phase: 2,
          message: "It's no, really",
          tags: ["a", "b/2"],
          severity: "CRITICAL",
          isLogged: true,
        },
        { id: 2, phase: 1, message: "", tags: [], severity: undefined, isLogged: false },
      ],
    );
  });

  const refusals: [text: string, error: RegExp][] = [
    ["\nSecRuleEngine On", /^rules\.conf:2: "SecRuleEngine" is not supported; these are: SecRule, /],
    ['SecRule NOTHING "@rx a" "id:1"', /^rules\.conf:1: the variable "NOTHING" is not supported$/],
    ['SecRule ARGS "@rxx a" "id:1"', /the operator "@rxx" is not supported$/],
    ['SecRule ARGS "@rx (" "id:1"', /rules\.conf:1: .*a parenthesis is not closed/],
    ['SecRule ARGS:/(/ "@rx a" "id:1"', /a parenthesis is not closed/],
    ['SecRule ARGS "@rx a" "id:1,t:rot13"', /a transformation of "rot13" is not supported$/],
    ['SecRule ARGS "@rx a" "id:1,exec:x"', /the action "exec" is not supported$/],
    ['SecRule ARGS "@rx a" "id:1,ctl:hash=On"', /"ctl:hash=On" is not supported$/],
    ['SecRule ARGS "@rx a" "id:1,setvar:env.a=1"', /"setvar:env\.a=1" is not supported$/],
    ['SecRule ARGS "@rx a" "phase:1"', /a rule has an id$/],
    ['SecRule ARGS "@rx a" "id:1,phase:9"', /"9" is no phase$/],
    ['SecRule ARGS "@rx a" "id:1,severity:BAD"', /"BAD" is no severity$/],
    ['SecRule ARGS "@rx a" "id:1,chain"', /^rules\.conf:1: the chain has no next rule$/],
    ['SecRule ARGS "@pmFromFile none.data" "id:1"', /none\.data cannot be read$/],
    ['SecRule ARGS "@ipMatch 1.2.3" "id:1"', /"1\.2\.3" is no address$/],
    ['SecRule ARGS "@validateByteRange 1-300" "id:1"', /"1-300" is no range of octets$/],
    ['SecRule ARGS "@rx a', /a quote is not closed$/],
    ["SecRule ARGS", /a rule has variables and an operator$/],
  ];
  for (const [text, error] of refusals) {
    test(`are refused whole, with file, line and reason: ${text.trim()}`, () => {
      assert.throws(
        () => compile(text),
        (thrown) => thrown instanceof SecLangError && error.test(thrown.message),
        String(error),
      );
    });
  }
});
