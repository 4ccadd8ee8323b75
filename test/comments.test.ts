import { describe, test } from "node:test";

import { RuleTester } from "oxlint/plugins-dev";

import words from "../tools/lint/words.ts";

RuleTester.describe = (name, body) => void describe(name, body);
RuleTester.it = (name, body) => void test(name, body);

const tester = new RuleTester({ languageOptions: { parserOptions: { lang: "ts" } } });
const long = `The server ${"waits ".repeat(20)}`;

tester.run("comments begin with a verb, the thing itself or Whether", words.rules["first-word"], {
  valid: [
    "/** Removes a zone. */ function remove() {}",
    "// Reads the zone,\n// which is what the caller asked for.\n",
    "interface Zone { /** Whether it is served. */ isServed: boolean }",
    "// When the server closes, the edge has no zones.",
  ],
  invalid: [
    { code: "// What the caller may do.", errors: 1 },
    { code: "/** So many zones. */ const max = 3;", errors: 1 },
    { code: "/**\n * When the zone expires.\n */\nconst time = 3;", errors: 1 },
    { code: "interface Zone { /** Whether it is served. */ state: string }", errors: 1 },
  ],
});

tester.run("comments obey the line width, except for a link", words.rules.width, {
  valid: [`const text = "${long}";`, `// https://example.com/${"a".repeat(110)}`],
  invalid: [
    { code: `// ${long}`, errors: 1 },
    { code: `/**\n * ${long}\n */`, errors: 1 },
    { code: `const number = 1; // ${long}`, errors: 1 },
  ],
});

tester.run("the docstring of a member says more than its name and type", words.rules["say-more"], {
  valid: [
    "interface Zone { /** In seconds. */ ttl: number }",
    "interface Zone { /** Null for a zone without a plan. */ planName: string | null }",
    "/** The name of the zone. */ function zoneName() {}",
  ],
  invalid: [
    { code: "interface Zone { /** The name of the zone. */ name: string }", errors: 1 },
    { code: "interface Scope { /** The ids of all zones. */ zoneIds: string[] }", errors: 1 },
    { code: "class Queue { /** Removes all that is in the queue. */ remove(): void {} }", errors: 1 },
  ],
});
