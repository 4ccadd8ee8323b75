import assert from "node:assert/strict";
import { test } from "node:test";

import { initialRequest, readHeaders, toTraceBody } from "./traced-request.ts";

test("headers are read one on a line, and a line that is none is told by its number", () => {
  assert.deepEqual(readHeaders("Accept: */*\n\nno header\nX-Empty:\n"), {
    headers: { Accept: "*/*", "X-Empty": "" },
    bad: [3],
  });
});

test("what is left empty is not sent", () => {
  assert.deepEqual(toTraceBody(initialRequest({}, "example.com")), {
    method: "GET",
    url: "https://example.com/",
    protocol: "HTTP/2",
  });
  const described = { ...initialRequest({ agent: "curl/8", country: "de" }, "example.com"), body: "a=1" };
  assert.deepEqual(toTraceBody(described), {
    method: "GET",
    url: "https://example.com/",
    protocol: "HTTP/2",
    headers: { "User-Agent": "curl/8" },
    body: { plain_text: "a=1" },
    context: { geoloc: { iso_code: "DE" } },
  });
});
