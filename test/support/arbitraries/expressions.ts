import * as fc from "fast-check";

import { fields } from "../../../src/core/expression/fields.ts";
import { addressBits, printIpAddress, type IpAddress } from "../../../src/core/net/ip-address.ts";
import { networkOf } from "../../../src/core/net/ip-range.ts";
import { quoteBytes } from "../../../src/core/expression/print.ts";
import type { ValueType } from "../../../src/core/expression/value-type.ts";

const oneOf = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const fieldsOf = (type: ValueType): fc.Arbitrary<string> =>
  oneOf(...fields.filter((field) => field.type === type).map(({ name }) => name));
const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(""));
const text = (fixed: string): fc.Arbitrary<string> => fc.constant(fixed);

const space = oneOf(" ", " ", " ", "  ", "\n", "\r\n ");
const gap = oneOf("", "", " ", "\n");

const word = fc.stringMatching(/^[a-z0-9_]{1,8}$/);
const byteString = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
});
const quoted = fc.oneof(
  byteString.map(quoteBytes),
  fc.string({ unit: "binary" }).map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`),
);
const raw = fc
  .tuple(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 5 }))
  .filter(([value, hashes]) => !value.includes(`"${"#".repeat(hashes)}`))
  .map(([value, hashes]) => `r${"#".repeat(hashes)}"${value}"${"#".repeat(hashes)}`);
const octet = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, "0"));
const octets = fc
  .tuple(fc.array(octet, { minLength: 2, maxLength: 6 }), oneOf(":", "-", "."))
  .map(([values, separator]) => values.join(separator));
const bytes = fc.oneof(quoted, raw, octets);
/** Among arguments, octets that begin like a number are one. */
const argument = fc.oneof(
  quoted,
  raw,
  octets.map((written) => `ab-${written.replaceAll(/[:.]/g, "-")}`),
);

const int = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.integer({ min: -20, max: 70_000 }).map(String),
  fc.nat().map((value) => `0x${value.toString(16)}`),
  fc.nat().map((value) => `0${value.toString(8)}`),
);

const address: fc.Arbitrary<IpAddress> = fc.oneof(
  fc.nat(0xffff_ffff).map((last): IpAddress => ({ version: 4, words: [0, 0, 0, last] })),
  fc
    .tuple(
      ...Array.from({ length: 4 }, () => fc.oneof(fc.nat(0xffff_ffff), fc.constant(0), fc.constant(0xffff))),
    )
    .map(([a = 0, b = 0, c = 0, d = 0]): IpAddress => ({ version: 6, words: [a, b, c, d] })),
);
const ip = address.map(printIpAddress);
const ipItem = fc.tuple(address, fc.nat(128)).map(([one, bits]) => {
  const { first, last } = networkOf(one, bits % (addressBits(one) + 1));
  if (bits % 3 === 0) return printIpAddress(one);
  const start = printIpAddress(first);
  return bits % 3 === 1 ? `${start}/${bits % (addressBits(one) + 1)}` : `${start}..${printIpAddress(last)}`;
});
const intItem = fc.oneof(
  int,
  fc.tuple(fc.nat(999), fc.nat(999)).map(([first, more]) => `${first}..${first + more}`),
);
const bytesItem = fc.oneof(quoted, raw);
const setOf = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(item, { maxLength: 4 }), gap)
    .map(([items, inner]) => `{${inner}${items.join(" ")}${inner}}`);
const list = word.map((name) => `$${name}`);

const wildcard = fc
  .array(oneOf("*", "a", ".com", String.raw`\*`, String.raw`\\`, "é", "/"), { maxLength: 6 })
  .map((parts) => parts.filter((part, index) => part !== "*" || parts[index - 1] !== "*").join(""))
  .map((pattern) => `r"${pattern}"`);

const atom = oneOf(
  "a",
  "[a-z]",
  String.raw`\d`,
  ".",
  "(?:x|yz)",
  "(b)",
  String.raw`\W`,
  String.raw`\xE9`,
  "é",
  "[^/]",
);
const times = oneOf("", "", "*", "+", "?", "{2}", "{1,3}");
const pattern = fc.oneof(
  fc
    .tuple(
      oneOf("", "^", "(?i)", "(?s)"),
      fc.array(joined(atom, times), { maxLength: 5 }),
      oneOf("", "$", String.raw`\b`),
    )
    .map(([start, atoms, end]) => `"${start}${atoms.join("")}${end}"`),
  oneOf(`"a[\\"]b\\"c"`, `"a["]\\\\b"`, `r#"a"b"#`, `"[[:alpha:]&&[^x]]"`, `"(?u)\\p{Greek}"`),
);

const operator = oneOf("eq", "==", "ne", "!=", "lt", "<", "le", "<=", "gt", ">", "ge", ">=");

/** Texts of expressions, built along the grammar. All of them are valid. */
export const expressionText: fc.Arbitrary<string> = fc.letrec<Record<"expression" | "bytes", string>>(
  (tie) => {
    const nested = { depthSize: "small", withCrossShrink: true } as const;
    const key = fc
      .oneof(word, fc.string({ unit: "grapheme", maxLength: 5 }))
      .map((name) => `[${quoteText(name)}]`);
    const position = fc.nat(9).map((at) => `[${at}]`);
    const bytesValue: fc.Arbitrary<string> = fc.oneof(
      nested,
      fieldsOf("Bytes"),
      joined(fieldsOf("Map<Array<Bytes>>"), key, position),
      joined(fieldsOf("Array<Bytes>"), position),
      joined(oneOf("lower(", "upper(", "url_decode("), gap, tie("bytes"), gap, text(")")),
      joined(text("substring("), tie("bytes"), text(", 1)")),
      joined(text("concat("), tie("bytes"), text(","), gap, fc.oneof(tie("bytes"), argument), text(")")),
    );
    const intValue = fc.oneof(
      fieldsOf("Int"),
      joined(text("len("), tie("bytes"), text(")")),
      joined(text("len("), fieldsOf("Map<Array<Bytes>>"), text(")")),
    );
    const ipValue = fc.oneof(fieldsOf("Ip"), text("cidr(ip.src, 24, 64)"));
    const eachBytes = fc.oneof(
      joined(fieldsOf("Array<Bytes>"), text("[*]")),
      joined(fieldsOf("Map<Array<Bytes>>"), key, text("[*]")),
      joined(fieldsOf("Map<Array<Bytes>>"), text("[*][*]")),
      joined(text("lower("), fieldsOf("Array<Bytes>"), text("[*])[*]")),
    );
    const test = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc.oneof(
        joined(value, space, operator, space, bytes),
        joined(value, space, text("contains"), space, bytes),
        joined(value, oneOf(" matches ", "~"), pattern),
        joined(value, oneOf(" wildcard ", " strict wildcard "), wildcard),
        joined(value, text(" in"), gap, setOf(bytesItem)),
        joined(value, text(" in "), list),
      );
    const vector = fc.oneof(
      test(eachBytes),
      joined(fieldsOf("Array<Int>"), text("[*]"), operator, gap, int),
      joined(text("starts_with("), fieldsOf("Array<Bytes>"), text("[*], "), argument, text(")")),
    );
    const vectors = fc.oneof(
      vector,
      joined(oneOf("not ", "!"), vector),
      joined(vector, oneOf(" and ", " or ", "||", " xor "), vector),
      joined(text("("), vector, text(")")),
    );
    const leaf = fc.oneof(
      fieldsOf("Bool"),
      oneOf("true", "false"),
      test(tie("bytes")),
      joined(intValue, gap, oneOf("==", "!=", "<", ">=", "&"), gap, int),
      joined(intValue, text(" in "), setOf(intItem)),
      joined(ipValue, space, operator, space, ip),
      joined(ipValue, text(" in "), fc.oneof(setOf(ipItem), list)),
      joined(oneOf("starts_with(", "ends_with("), tie("bytes"), text(", "), argument, text(")")),
      joined(oneOf("any", "all"), gap, text("("), gap, vectors, gap, text(")")),
    );
    return {
      bytes: bytesValue,
      expression: fc.oneof(
        nested,
        leaf,
        joined(oneOf("not ", "!", "! "), tie("expression")),
        joined(text("("), gap, tie("expression"), gap, text(")")),
        joined(
          tie("expression"),
          oneOf(" and ", " or ", " xor ", "&&", "||", "^^", "\nand\n"),
          tie("expression"),
        ),
      ),
    };
  },
).expression;

function quoteText(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Put into valid texts to break them. */
export const fragments: readonly string[] = [
  "", " ", "\t", "\n", "(", ")", "((((", "))))", "[", "]", "[*]", "[0]", '["a"]', "{", "}", '"', '\\"', "\\", "\\x", "r#",
  'r"', "#", ",", "$", "$a", ".", "..", "-", "/", "0", "08", "0x", "1", "99999999999999999999", "1.2.3.4", "::", "/24",
  "not ", "!", "!!!!", " and ", " or ", "any(", "all(", "lower(", "len(", "concat(", "regex_replace(", "cidr(", "eq", "in",
  "matches ", "~", "wildcard ", "contains ", "&", "ssl", "ip.src", "http.host", "http.request.headers", "true", "é", "\u{1f600}",
  "\ud800", "\0", "*", "**", "(?i", "(?x)", "a{9}{9}{9}", "[[", "\\p{L}", "(?u)", "(?-u)",
]; // prettier-ignore
