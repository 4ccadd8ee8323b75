import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { isScriptInjection } from "../../src/core/seclang/script-injection/find.ts";
import { findSqlInjection } from "../../src/core/seclang/sql-injection/find.ts";
import { Libinjection } from "../../tools/crs/libinjection.ts";
import { scriptValues } from "../../tools/crs/script-values.ts";
import { kinds, sequencesOf, valueOf } from "../../tools/crs/sql-values.ts";
import { mulberry32 } from "../../tools/fuzz/random.ts";

const skip = !Libinjection.isInstalled && "Debian's packages libmodsecurity3 and python3 are not installed";

const html = fc.constantFrom(
  "<", ">", "</", "<!", "<!--", "-->", "--!>", "<?", "<%", "%>", "/", "=", "'", '"', "`", " ", "\n", "\0", "a", "b", "script", "svg", "img", "style",
  "onerror", "onload", "href", "src", "javascript:", "java", "&#106;", "&#x0006a;", "data:", "x", "[if", "xml", "import", "entity", "doctype", "iframe",
  "[CDATA[", "]]>", "xlink:href", "xmlns", "attributename", "form", "action", "meta",
); // prettier-ignore
const sql = fc.constantFrom(
  "1", "2", "'", "'", '"', "a", "b", " or ", " and ", " union ", " select ", " from ", "(", ")", ",", "--", "-- ", "#", "/*", "*/", "=", ">", "<",
  "sleep(5)", "@@version", " null ", " order by 1", " having ", ";", " drop table ", " like ", " not ", " between ", "0x41", "1.5", "||", "&&",
  "admin", "users", " where ", " limit 1", "+", "-", "'a'", " is ", " ", "load_file(", "case when ", " then ", " end", "waitfor delay ", "{", "`",
); // prettier-ignore
const madeOf = (piece: fc.Arbitrary<string>): string[] =>
  fc.sample(
    fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join("")),
    { numRuns: 40_000, seed: 7 },
  );

/** Every sequence of up to three kinds of tokens, and so many longer ones. */
function* sqlSequences(random: () => number): Generator<string> {
  for (let length = 1; length <= 3; length += 1) yield* sequencesOf(length);
  for (let count = 0; count < 150_000; count += 1) {
    const length = 4 + Math.floor(random() * 2);
    yield Array.from({ length }, () => kinds[Math.floor(random() * kinds.length)]).join("");
  }
}

describe("injections are told as libinjection tells them", { skip }, () => {
  const random = mulberry32(11);
  const cases = {
    "@detectSQLi, of sequences of the kinds of tokens": [...sqlSequences(random)].map((sequence) =>
      valueOf(sequence, random),
    ),
    "@detectSQLi, of values made of pieces of SQL": madeOf(sql),
    "@detectXSS, of tags, attributes and addresses in each context": [...scriptValues()],
    "@detectXSS, of values made of pieces of HTML": madeOf(html),
  };
  for (const [title, values] of Object.entries(cases)) {
    test(title, async () => {
      const oracle = new Libinjection();
      try {
        const answers = await oracle.ask(values);
        const isSql = title.startsWith("@detectSQLi");
        const differing = values.filter((value, index) =>
          isSql
            ? (findSqlInjection(value) !== undefined) !== (answers[index]?.sqlShape !== undefined)
            : isScriptInjection(value) !== answers[index]?.isScript,
        );
        assert.deepEqual(differing.slice(0, 10), []);
      } finally {
        oracle.end();
      }
    });
  }
});
