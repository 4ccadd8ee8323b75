import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import * as fc from "fast-check";

import { isScriptInjection } from "../../src/core/seclang/script-injection/judge.ts";
import { findSqlInjection } from "../../src/core/seclang/sql-injection/find.ts";

// libinjection answers out of Debian's libmodsecurity3, which exports it.
const oracle = `
import ctypes, json, sys
library = ctypes.CDLL("libmodsecurity.so.3")
sql, script = library.libinjection_sqli, library.libinjection_xss
sql.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
script.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
answers = []
for value in json.load(sys.stdin):
    octets = value.encode("latin1")
    answers.append([sql(octets, len(octets), ctypes.create_string_buffer(16)) != 0, script(octets, len(octets)) != 0])
print(json.dumps(answers))
`;

function ask(values: readonly string[]): [isSql: boolean, isScript: boolean][] | undefined {
  const asked = spawnSync("/usr/bin/python3", ["-c", oracle], {
    input: JSON.stringify(values),
    encoding: "utf8",
  });
  return asked.status === 0 ? (JSON.parse(asked.stdout) as [boolean, boolean][]) : undefined;
}

const skip = ask([]) === undefined && "Debian's packages libmodsecurity3 and python3 are not installed";

const html = fc.constantFrom(
  "<", ">", "</", "<!", "<!--", "-->", "<?", "<%", "%>", "/", "=", "'", '"', "`", " ", "\n", "\0", "a", "b", "script", "svg", "img", "style",
  "onerror", "onload", "href", "src", "javascript:", "java", "&#106;", "&#x6a;", "data:", "x", "[if", "xml", "import", "entity", "doctype", "iframe",
  "[CDATA[", "]]>", "xlink:href", "xmlns", "attributename", "form", "action", "meta",
); // prettier-ignore
const sql = fc.constantFrom(
  "1", "2", "'", "'", '"', "a", "b", " or ", " and ", " union ", " select ", " from ", "(", ")", ",", "--", "-- ", "#", "/*", "*/", "=", ">", "<",
  "sleep(5)", "@@version", " null ", " order by 1", " having ", ";", " drop table ", " like ", " not ", " between ", "0x41", "1.5", "||", "&&",
  "admin", "users", " where ", " limit 1", "+", "-", "'a'", " is ", " ",
); // prettier-ignore
const valuesOf = (piece: fc.Arbitrary<string>): string[] =>
  fc.sample(
    fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join("")),
    { numRuns: 20_000, seed: 7 },
  );

/** Of a hundred values, how many get the same answer. */
function agreement(values: readonly string[], isSame: (value: string, index: number) => boolean): number {
  return (100 * values.filter(isSame).length) / values.length;
}

test("@detectXSS answers as libinjection does to 999 of 1,000 values made of HTML", { skip }, () => {
  const values = valuesOf(html);
  const answers = ask(values) ?? [];
  const agreed = agreement(values, (value, index) => isScriptInjection(value) === answers[index]?.[1]);
  assert.ok(agreed >= 99.9, String(agreed));
});

test("@detectSQLi answers as libinjection does to 99 of 100 values made of SQL", { skip }, () => {
  const values = valuesOf(sql);
  const answers = ask(values) ?? [];
  const agreed = agreement(
    values,
    (value, index) => (findSqlInjection(value) !== undefined) === answers[index]?.[0],
  );
  assert.ok(agreed >= 99, String(agreed));
});
