import { judgeRequest } from "../../src/core/seclang/evaluate/judge.ts";
import type { RuleSet } from "../../src/core/seclang/evaluate/rule.ts";
import { readRuleDirectory } from "../../src/engines/crs-release.ts";
import { passes, settings } from "./regression-settings.ts";
import { readRegressionTests, type RegressionTest } from "./regression-tests.ts";

// Runs the regression tests of a release of the OWASP Core Rule Set in this process: `npm run crs:regression -- RULES
// TESTS`. RULES is what `zoneward crs check` takes. Prints the tests that fail, and ends with 1 if these are not the
// known ones.

/** Reasons why a test of a release does not pass: see docs/design/core-rule-set.md. */
const known = new Set([
  "920181-1",
  "920430-5",
  "920460-1",
  "920460-2",
  "920460-3",
  "920460-4",
  "920640-5",
  "921140-1",
  "941330-1",
]);
/** Its rules are of phase 5, which is not run. */
const unjudged = /^980170-/;

const [directory, path] = process.argv.slice(2);
if (directory === undefined || path === undefined) {
  process.stderr.write("usage: npm run crs:regression -- RULES TESTS\n");
  process.exit(2);
}
const rules = await readRuleDirectory(directory);
const tests = readRegressionTests(path);
const failed = tests.filter((test) => !passes(test, matchedBy(rules, test))).map(({ id }) => id);
process.stdout.write(
  `${rules.version ?? "?"}: ${tests.length - failed.length} of ${tests.length} pass; not: ${failed.join(", ") || "none"}\n`,
);
process.exitCode = failed.every((id) => known.has(id) || unjudged.test(id)) ? 0 : 1;

function matchedBy(set: RuleSet, { request, response }: RegressionTest): ReadonlySet<number> {
  const { matches } = judgeRequest(set, request, response, settings);
  return new Set(matches.filter(({ isLogged }) => isLogged).map(({ id }) => id));
}
