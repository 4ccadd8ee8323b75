import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { AppError } from "../error.ts";
import { readRecording } from "./recording.ts";

const har = (...entries: readonly unknown[]): string => JSON.stringify({ log: { version: "1.2", entries } });
const request = {
  method: "GET",
  url: "https://example.com/",
  httpVersion: "HTTP/1.1",
  headers: [],
  cookies: [],
};

const refuses = (file: string, code: number, pointer: string): void => {
  assert.throws(
    () => readRecording(file, "example.com"),
    (error) => {
      assert.ok(error instanceof AppError);
      assert.deepEqual([error.kind, error.code, error.pointer], ["invalid", code, pointer], error.message);
      return true;
    },
  );
};

/** A recording as plain data. */
function contentOf(file: string, host: string) {
  const { unreadable, ...recording } = readRecording(file, host);
  return { ...recording, unreadable: unreadable.listed };
}

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,10}$/);
const anyText = fc.string({ unit: "grapheme", maxLength: 20 });

describe("readRecording", () => {
  test("reads the requests of a HAR as they were recorded", () => {
    const entry = {
      startedDateTime: "2026-01-02T03:04:05.678+01:00",
      request: {
        ...request,
        method: "post",
        httpVersion: "h2",
        headers: [
          { name: ":authority", value: "example.com" },
          { name: "Accept", value: "a" },
          { name: "accept", value: "b" },
        ],
        cookies: [{ name: "one", value: "1" }],
        postData: {
          mimeType: "application/x-www-form-urlencoded",
          params: [{ name: "a b", value: "c&d" }, { name: "e" }],
        },
      },
      response: { status: 404 },
    };
    assert.deepEqual(contentOf(`\uFEFF\n${har(entry)}`, "example.com"), {
      format: "har",
      unreadable: [],
      requests: [
        {
          entry: 1,
          method: "POST",
          url: "https://example.com/",
          protocol: "HTTP/2",
          headers: { accept: "a, b" },
          cookies: { one: "1" },
          body: "a+b=c%26d&e=",
          bodyType: "application/x-www-form-urlencoded",
          startedOn: "2026-01-02T03:04:05.678+01:00",
          status: 404,
        },
      ],
    });
  });

  test("reads the lines of Apache and nginx, and tells which hold no request and why", () => {
    const lines = [
      "a line of something else",
      String.raw`192.0.2.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a?q=\"x\x22\xc3\xa9 HTTP/1.0" 200 2326 "http://www.example.com/start.html" "curl \\ 8"`,
      '2001:db8::1 - - [10/Oct/2000:13:55:37 +0000] "-" 408 - "-" "-"',
      `192.0.2.1 - - [10/Oct/2000:13:55:37 +0000] "GET /${"x".repeat(70_000)} HTTP/1.1" 200 1 "-" "-"`,
      String.raw`192.0.2.1 - - [10/Oct/2000:13:55:38 +0000] "\x16\x03\x01" 400 226 "-" "-"`,
      "",
      'crawler.example - - [10/Oct/2000:13:55:39 +0000] "HEAD http://www.example.com/ HTTP/1.1" 304 - "-" "-" "-" 0.1\r',
    ];
    const base = { protocol: "HTTP/1.1", headers: {}, cookies: {}, body: "" };
    assert.deepEqual(contentOf(lines.join("\n"), "www.example.com"), {
      format: "combined_log",
      unreadable: [
        { entry: 1, reason: "is not in the combined log format" },
        { entry: 3, reason: "holds no HTTP request" },
        { entry: 4, reason: "is not in the combined log format" },
        { entry: 5, reason: "holds no HTTP request" },
      ],
      requests: [
        {
          ...base,
          entry: 2,
          method: "GET",
          url: 'https://www.example.com/a?q="x"é',
          protocol: "HTTP/1.0",
          headers: { referer: "http://www.example.com/start.html", "user-agent": String.raw`curl \ 8` },
          client: "192.0.2.1",
          startedOn: "2000-10-10T13:55:36-07:00",
          status: 200,
        },
        {
          ...base,
          entry: 7,
          method: "HEAD",
          url: "http://www.example.com/",
          client: "crawler.example",
          startedOn: "2000-10-10T13:55:39+00:00",
          status: 304,
        },
      ],
    });
  });

  test("says what is wrong with a file, and where", async (t) => {
    const cases: readonly (readonly [string, number, string])[] = [
      ["", 40020, "/file"],
      ["hello", 40020, "/file"],
      ["[]", 40020, "/file"],
      ["{", 40021, ""],
      ["{}", 40021, "/log"],
      ['{"log":[]}', 40021, "/log"],
      ['{"log":{}}', 40021, "/log/entries"],
      ['{"log":{"entries":{}}}', 40021, "/log/entries"],
    ];
    for (const [file, code, pointer] of cases)
      await t.test(JSON.stringify(file.slice(0, 60)), () => refuses(file, code, pointer));
  });

  test("skips entries of a HAR that hold no request, and says why", () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [1, "entry must be an object"],
      [{}, "entry has no request"],
      [{ request: { ...request, url: undefined } }, "request has no url"],
      [{ request: { ...request, url: 1 } }, "request/url must be a text"],
      [{ request: { ...request, method: "" } }, "request/method must be a text"],
      [{ request: { ...request, headers: {} } }, "request/headers must be a list"],
      [{ request: { ...request, headers: [{ name: "a" }] } }, "request/headers/0/value must be a text"],
      [{ request: { ...request, postData: 1 } }, "request/postData must be an object"],
    ];
    const file = har(...cases.map(([entry]) => entry), { request });
    const { requests, unreadable } = readRecording(file, "example.com");
    assert.deepEqual(
      unreadable.listed,
      cases.map(([, reason], index) => ({ entry: index + 1, reason })),
    );
    assert.deepEqual([unreadable.count, requests.map(({ entry }) => entry)], [8, [9]]);
  });

  test("counts all that it skips, and lists the first 1,000", () => {
    const line = '192.0.2.1 - - [10/Oct/2000:13:55:37 +0000] "GET / HTTP/1.1" 200 1 "-" "-"';
    const { unreadable } = readRecording(`${"no line\n".repeat(3_000)}${line}`, "example.com");
    assert.deepEqual([unreadable.count, unreadable.listed.length], [3_000, 1_000]);
  });

  test("refuses a HAR that would take much to parse, before it is parsed", () => {
    const deep = (levels: number) =>
      har({ request, deep: 1 }).replace(":1}", `:${"[".repeat(levels)}${"]".repeat(levels)}}`);
    // Four levels are those of the HAR around it.
    assert.equal(readRecording(deep(252), "example.com").requests.length, 1);
    refuses(deep(253), 40021, "");
    refuses(`{"log":{"entries":[${"[".repeat(1_000_000)}`, 40021, "");
    refuses(har([]).replace("[[]]", `[${"0,".repeat(2_000_000)}0]`), 40021, "");
    const strings = JSON.stringify(`${"[".repeat(300)}${",".repeat(3_000_000)}\\"`);
    const entry = har({ request, note: 1 }).replace('"note":1', `"note":${strings}`);
    assert.equal(readRecording(entry, "example.com").requests.length, 1);
  });

  test("refuses more than 10,000 requests", () => {
    const line = '192.0.2.1 - - [10/Oct/2000:13:55:37 +0000] "GET / HTTP/1.1" 200 1 "-" "-"\n';
    const other = line.replace("GET / HTTP/1.1", "-");
    assert.equal(
      readRecording(line.repeat(10_000) + other.repeat(10), "example.com").requests.length,
      10_000,
    );
    refuses(line.repeat(10_001), 40024, "/file");
    refuses(har(...Array.from({ length: 10_001 }, () => ({ request }))), 40024, "/file");
  });

  test("reads back any request that a HAR can hold", () => {
    const recorded = fc.record({
      method: token.map((text) => text.toUpperCase()),
      url: anyText.map((text) => `https://example.com/${text}`),
      headers: fc.uniqueArray(
        fc.tuple(
          token.map((name) => name.toLowerCase()),
          anyText,
        ),
        {
          selector: ([name]) => name,
          maxLength: 4,
        },
      ),
      body: anyText,
      status: fc.integer({ min: 0, max: 999 }),
    });
    fc.assert(
      fc.property(fc.array(recorded, { maxLength: 4 }), (requests) => {
        const entries = requests.map(({ method, url, headers, body, status }) => ({
          request: {
            method,
            url,
            headers: headers.map(([name, value]) => ({ name, value })),
            postData: { mimeType: "", text: body },
          },
          response: { status },
        }));
        const read = readRecording(har(...entries), "example.com").requests;
        assert.deepEqual(
          read.map(({ method, url, headers, body, status }) => ({
            method,
            url,
            headers: new Map(Object.entries(headers)),
            body,
            status,
          })),
          requests.map(({ headers, ...rest }) => Object.assign(rest, { headers: new Map(headers) })),
        );
      }),
      { numRuns: 500, seed: 6 },
    );
  });

  test("reads back any request that a server can log", () => {
    const octets = (text: string): string =>
      [...new TextEncoder().encode(text)]
        .map((octet) => {
          const character = String.fromCharCode(octet);
          if (/[!#-[\]-~]/.test(character)) return character;
          return `\\x${octet.toString(16).padStart(2, "0")}`;
        })
        .join("");
    const word = anyText.filter((text) => text.isWellFormed() && !/\s/u.test(text));
    const agents = anyText.filter((text) => text.isWellFormed() && text !== "" && text !== "-");
    fc.assert(
      fc.property(token, word, agents, fc.ipV4(), (method, path, agent, client) => {
        const line = `${client} - - [10/Oct/2000:13:55:36 +0000] "${method} /${octets(path)} HTTP/1.1" 200 1 "-" "${octets(agent)}"`;
        const [read] = readRecording(line, "example.com").requests;
        assert.deepEqual(
          [read?.method, read?.url, read?.headers["user-agent"], read?.client],
          [method.toUpperCase(), `https://example.com/${path}`, agent, client],
        );
      }),
      { numRuns: 500, seed: 6 },
    );
  });

  test("answers any text with requests or with an error of its own", () => {
    const pieces = fc.constantFrom(
      '"',
      "[",
      "]",
      "{",
      "}",
      "\\",
      "\\x",
      " ",
      "-",
      "\n",
      "GET / HTTP/1.1",
      "200",
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 }))).map((parts) => parts.join("")),
      fc.json(),
      fc.json().map((json) => `{"log":{"entries":[${json}]}}`),
      fc.json().map((json) => `{"log":{"entries":[{"request":${json}}]}}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          readRecording(text, "example.com");
        } catch (error) {
          assert.ok(error instanceof AppError, String(error));
        }
      }),
      { numRuns: 3_000, seed: 6 },
    );
  });

  test("reads hostile lines in time that grows with their length", () => {
    const line = '192.0.2.1 - - [10/Oct/2000:13:55:37 +0000] "GET / HTTP/1.1" 200 1 "-" "-"';
    for (const piece of ["[ ", '" ', "\\x", '\\"', "- "]) {
      const started = performance.now();
      const hostile = `192.0.2.1 - ${piece.repeat(60_000 / piece.length)}`;
      const quoted = line.replace("GET", piece.repeat(60_000 / piece.length));
      for (const one of [hostile, quoted]) {
        try {
          readRecording(`${line}\n${one}`, "example.com");
        } catch (error) {
          assert.ok(error instanceof AppError);
        }
      }
      // Far above what linear time needs on a busy machine.
      assert.ok(performance.now() - started < 30_000, piece);
    }
  });
});
