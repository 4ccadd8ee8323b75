import { describe, test } from "node:test";
import { readMultipart } from "../../src/core/seclang/bodies/multipart.ts";
import { readArguments, readCookies } from "../../src/core/seclang/bodies/url-encoded.ts";
import { readJson } from "../../src/core/seclang/bodies/json.ts";
import { readXml } from "../../src/core/seclang/bodies/xml.ts";
import { setRequest } from "../../src/core/seclang/evaluate/request.ts";
import { Transaction } from "../../src/core/seclang/evaluate/transaction.ts";
import { isScriptInjection } from "../../src/core/seclang/script-injection/find.ts";
import { findSqlInjection } from "../../src/core/seclang/sql-injection/find.ts";
import { transformations } from "../../src/core/seclang/transform/chain.ts";
import { assertLinear } from "../support/growth.ts";
import { thirdOf } from "../support/rounds.ts";
import { requestOf } from "../support/rules.ts";

interface Scan {
  readonly reads: (text: string) => unknown;
  /** Repeated units: each alone fills an input. */
  readonly units: readonly string[];
}

/** Every scan of the rules' engine over what a client sends, with the texts that cost it most. */
const scans: Readonly<Record<string, Scan>> = {
  "@detectSQLi": {
    reads: findSqlInjection,
    units: [
      "'",
      '"',
      "\\",
      "\\'",
      "/*",
      "*/",
      "--",
      "# ",
      "1 or ",
      "a.",
      "(",
      "$a$",
      "$",
      "`",
      "[",
      "@",
      "''",
      "1+",
      "union all ",
    ],
  },
  "@detectSQLi behind a long word": {
    reads: (text) => findSqlInjection(`${"a".repeat(text.length)}${text}`),
    units: ["+a", ",a", ".a", "+", "(", " (", "&", " or ", " in (", "::int"],
  },
  "@detectXSS": {
    reads: isScriptInjection,
    units: [
      "<",
      "<!--",
      "<!",
      "<a ",
      "a=",
      "a='",
      "'",
      "`",
      "</a",
      "<![CDATA[",
      "<%",
      "=",
      " ",
      "a",
      "&#106;",
      "\0",
    ],
  },
  "a target": {
    reads: (target) => setRequest(new Transaction(), requestOf({ target })),
    units: ["a", "/", "?", "&", "=", "%", "%41", "+", "a/", "#"],
  },
  arguments: { reads: readArguments, units: ["&", "=", "a=b&", "%"] },
  cookies: { reads: readCookies, units: [";", "; ", "=", " "] },
  "JSON of one value": { reads: (text) => readJson(JSON.stringify({ [text]: [text] })), units: ["a", "é"] },
  "JSON of many": { reads: (text) => readJson(`[${text}0]`), units: ["0,", '{"a":1},', "[],"] },
  "JSON that is nested": { reads: (text) => readJson(text), units: ["[", '{"a":'] },
  "JSON below a long name": {
    reads: (text) =>
      readJson(`{"${"n".repeat(text.length / 2)}":[${text}0]}`).values.map(({ name }) => name.charCodeAt(1)),
    units: ["0,"],
  },
  XML: {
    reads: (text) => readXml(`<a>${text}</a>`),
    units: ["<", "<b", "<b/>", "<b c='", "<b c=''/>", "<!--", "<![CDATA[", "<?", "&", "a", " "],
  },
  "attributes of XML": {
    reads: (text) => readXml(`<a ${text}/>`),
    units: ["a='' ", "a=", " ", "a", "'", "= "],
  },
  "a form of parts": {
    reads: (text) => readMultipart("multipart/form-data; boundary=b", `--b\r\n${text}\r\n--b--`),
    units: [
      "\n--b",
      "\r\n",
      "\n--b\r\nContent-Disposition: form-data; name=a\r\n\r\n",
      ";name=",
      ';name="',
      "a: b\r\n",
      " ",
    ],
  },
  "the disposition of a part": {
    reads: (text) =>
      readMultipart(
        "multipart/form-data; boundary=b",
        `--b\r\nContent-Disposition: form-data${text}\r\n\r\n\r\n--b--`,
      ),
    units: [";", "; ", ';name="', ';name="\\', ";name =", " "],
  },
};
for (const [name, transformation] of transformations) {
  Object.assign(scans, {
    [`t:${name}`]: {
      reads: transformation,
      units: [
        "a",
        " ",
        "%",
        "%u",
        "&",
        "&#",
        "\\",
        "/*",
        "*/",
        "/",
        "../",
        "a/",
        "--",
        "<!--",
        "#",
        "+",
        "\u00c3",
        "A=",
        "\0",
      ],
    },
  });
}

describe("rules read what clients send in linear time:", () => {
  for (const [title, { reads, units }] of Object.entries(scans)) {
    test(title, async () => {
      for (const unit of thirdOf(units)) {
        await assertLinear(`${title} of ${JSON.stringify(unit)}`, reads, (length) =>
          unit.repeat(Math.ceil(length / unit.length)).slice(0, length),
        );
      }
    });
  }
});
