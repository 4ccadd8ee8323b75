import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { AppError } from "../error.ts";
import { readMultipart, type FormBody } from "./multipart.ts";

const boundary = "b-1'()+_,./:=?2";

function formOf(
  text: string | Buffer,
  contentType = `multipart/form-data; boundary="${boundary}"`,
): FormBody {
  return { bytes: new Uint8Array(Buffer.from(text as string, "latin1")), contentType };
}

function partsOf(form: FormBody): [string, string][] | undefined {
  return readMultipart(form)?.map(({ name, content }) => [name, Buffer.from(content).toString("latin1")]);
}

/** A form of parts as clients write it, with lines that end so. */
function written(lineEnd: string, ...parts: readonly (readonly [name: string, content: string])[]): string {
  const lines = parts.flatMap(([name, content]) => [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"; filename="; name=other"`,
    "Content-Type: application/octet-stream",
    "",
    content,
  ]);
  return [...lines, `--${boundary}--`, ""].join(lineEnd);
}

const octets = fc.uint8Array({ maxLength: 60 });
/** Texts that look like the lines around parts. */
const hostile = fc
  .array(
    fc.constantFrom("\r", "\n", "-", "--", `--${boundary}`, `--${boundary}x`, `--${boundary} x`, " ", "a"),
  )
  .map((pieces) => Buffer.from(pieces.join("")))
  .filter(
    (content) =>
      !new RegExp(String.raw`(?:^|\n)--b-1'\(\)\+_,\./:=\?2(?:--)?[ \t]*\r?(?:\n|$)`).test(
        content.toString(),
      ),
  );

describe("readMultipart", () => {
  test("reads what the platform writes", async () => {
    const field = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/), fc.oneof(octets, fc.string()));
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 8 }), async (fields) => {
        const form = new FormData();
        for (const [name, content] of fields) {
          form.append(name, typeof content === "string" ? content : new Blob([content]));
        }
        const response = new Response(form);
        const bytes = new Uint8Array(await response.arrayBuffer());
        const read = readMultipart({ bytes, contentType: response.headers.get("content-type") ?? "" });
        // Text of a field has CRLF at the ends of its lines (HTML, constructing an entry list).
        const expected = fields.map(([name, content]) => [
          name,
          typeof content === "string"
            ? Buffer.from(content.toWellFormed().replaceAll(/\r\n|\r|\n/g, "\r\n"))
            : Buffer.from(content),
        ]);
        assert.deepEqual(
          read?.map(({ name, content }) => [name, Buffer.from(content)]),
          expected,
        );
      }),
      { numRuns: 200 },
    );
  });

  test("reads any content octet for octet, whether lines end with CRLF or with LF", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("\r\n", "\n"),
        fc.array(
          fc.oneof(
            octets.map((bytes) => Buffer.from(bytes)),
            hostile,
          ),
          { maxLength: 5 },
        ),
        (lineEnd, contents) => {
          const parts = contents.map((content, n) => [`part-${n}`, content.toString("latin1")] as const);
          // A CR ahead of LF alone is a CRLF.
          fc.pre(lineEnd === "\r\n" || parts.every(([, content]) => !content.endsWith("\r")));
          assert.deepEqual(partsOf(formOf(written(lineEnd, ...parts))), parts);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("reads names in quotes, with escapes, and without quotes", () => {
    const part = (disposition: string) => `--${boundary}\r\n${disposition}\r\n\r\nx\r\n--${boundary}--`;
    for (const [disposition, name] of [
      [String.raw`content-disposition: form-data; name="a \"b\" \\c"`, String.raw`a "b" \c`],
      ["CONTENT-DISPOSITION:FORM-DATA;NAME=file", "file"],
      [
        'content-type: text/plain\r\ncontent-disposition: form-data ; filename="; name=x" ; name = "file"',
        "file",
      ],
    ] as const) {
      assert.deepEqual(partsOf(formOf(part(disposition))), [[name, "x"]], disposition);
    }
  });

  test("takes text ahead of the first part and behind the last one", () => {
    const form = `preamble\r\n${written("\r\n", ["file", "x"])}epilogue`;
    assert.deepEqual(partsOf(formOf(form)), [["file", "x"]]);
  });

  test("is undefined for what is no form", async (t) => {
    const form = written("\r\n", ["file", "x"]);
    const wrong: readonly FormBody[] = [
      formOf(""),
      formOf(form, ""),
      formOf(form, "multipart/form-data"),
      formOf(form, "multipart/form-data; boundary="),
      formOf(form, `multipart/form-data; boundary="${"b".repeat(71)}"`),
      formOf(form, "multipart/form-data; boundary=other"),
      formOf(form, `multipart/mixed; boundary="${boundary}"`),
      formOf(form.replace("--\r\n", "\r\n")),
      formOf(form.replace(/ name="file"/, "")),
      formOf(form.replace("form-data;", "attachment;")),
      formOf(form.replace("\r\n\r\n", "\r\n")),
      formOf(form.replace("\r\n\r\n", `\r\nx: ${"y".repeat(8 * 1024)}\r\n\r\n`)),
    ];
    for (const [index, one] of wrong.entries())
      await t.test(`form ${index}`, () => assert.equal(readMultipart(one), undefined, String(index)));
  });

  test("refuses more than 32 parts, at the first of them", () => {
    const parts = Array.from({ length: 33 }, (_, n) => [`part-${n}`, ""] as const);
    assert.equal(partsOf(formOf(written("\r\n", ...parts.slice(1))))?.length, 32);
    const whole = written("\r\n", ...parts);
    for (const form of [whole, whole.slice(0, -10), whole + "x".repeat(1_000)]) {
      assert.throws(
        () => readMultipart(formOf(form)),
        (error) => error instanceof AppError && error.kind === "invalid" && error.code === 1003,
      );
    }
  });
});
