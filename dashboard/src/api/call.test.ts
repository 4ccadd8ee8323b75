import assert from "node:assert/strict";
import { test } from "node:test";

import { asCurl, path, urlOf } from "./call.ts";

const origin = "http://127.0.0.1:8787";

test("a path encodes its parts, and a query leaves out what is undefined or empty", () => {
  assert.equal(path`/zones/${"a/b?c"}/dns_records`, "/zones/a%2Fb%3Fc/dns_records");
  const query = { page: 2, name: "contains:a&b", type: undefined, search: "" };
  assert.equal(
    urlOf({ method: "GET", path: "/zones", query }),
    "/client/v4/zones?page=2&name=contains%3Aa%26b",
  );
});

test("the curl command of a call quotes what a shell would read", () => {
  assert.equal(
    asCurl({ method: "GET", path: "/zones", query: { page: 1, per_page: 5 } }, origin),
    `curl 'http://127.0.0.1:8787/client/v4/zones?page=1&per_page=5' \\\n  -H "Authorization: Bearer $TOKEN"`,
  );
  assert.equal(
    asCurl({ method: "POST", path: "/zones", body: { name: "it's" } }, origin),
    [
      "curl http://127.0.0.1:8787/client/v4/zones",
      "-X POST",
      `-H "Authorization: Bearer $TOKEN"`,
      "-H 'Content-Type: application/json'",
      String.raw`-d '{${"\n"}  "name": "it'\''s"${"\n"}}'`,
    ].join(" \\\n  "),
  );
});

test("the curl command of an upload names the file and its fields", () => {
  const upload = { file: { name: "zone.txt", text: "" }, fields: { proxied: "false" } };
  assert.match(
    asCurl({ method: "POST", path: "/import", upload }, origin),
    /-F proxied=false \\\n {2}-F file=@zone\.txt$/,
  );
});
