import assert from "node:assert/strict";
import { test } from "node:test";

import { parseIpAddress, type IpAddress } from "../net/ip-address.ts";
import { createContents } from "./contents.ts";
import { readListItem, type SentListItem } from "./items.ts";
import type { ListKind } from "./kinds.ts";

function listOf(kind: ListKind, sent: readonly SentListItem[]) {
  const contents = createContents(kind);
  const items = sent.map((one) => readListItem(kind, one, ""));
  for (const { value } of items.toSorted((one, other) => (one.key < other.key ? -1 : 1))) contents.add(value);
  return contents;
}

test("a list of addresses has those in its ranges", () => {
  const list = listOf("ip", [
    { ip: "10.0.0.0/8" },
    { ip: "10.1.0.0/16" },
    { ip: "192.0.2.1" },
    { ip: "2001:db8::/32" },
  ]);
  const has = (text: string) => list.has(parseIpAddress(text) as IpAddress);
  for (const inside of ["10.0.0.0", "10.1.2.3", "10.255.255.255", "192.0.2.1", "2001:db8:1::1"]) {
    assert.ok(has(inside), inside);
  }
  for (const outside of ["9.255.255.255", "11.0.0.0", "192.0.2.2", "2001:db9::", "::a00:1"]) {
    assert.ok(!has(outside), outside);
  }
  assert.equal(createContents("ip").has(parseIpAddress("10.0.0.1") as IpAddress), false);
});

test("a list of host names has those names, and what is below one with a wildcard", () => {
  const list = listOf("hostname", [
    { hostname: { url_hostname: "example.com" } },
    { hostname: { url_hostname: "*.example.net" } },
    { hostname: { url_hostname: "*.example.org", exclude_exact_hostname: false } },
  ]);
  const inside = [
    "example.com",
    "EXAMPLE.com:8443",
    "a.example.net",
    "b.a.example.net",
    "example.org",
    "a.example.org",
  ];
  for (const host of inside) assert.ok(list.has(host), host);
  for (const host of ["www.example.com", "example.net", "anexample.org", "org", ""])
    assert.ok(!list.has(host), host);
});

test("a list of numbers has those numbers", () => {
  const list = listOf("asn", [{ asn: 0 }, { asn: 64_512 }]);
  assert.deepEqual(
    [0, 64_512, 1].map((asn) => list.has(asn)),
    [true, true, false],
  );
});

test("a list of redirects leads a URL where the documented rules say", () => {
  const redirect = (source_url: string, target_url: string, options: object = {}): SentListItem => ({
    redirect: { source_url, target_url, ...options },
  });
  const below = { subpath_matching: true };
  const list = listOf("redirect", [
    redirect("example.com/about", "https://example.com/newpage"),
    redirect("query.example/about", "https://example.com/newpage", { preserve_query_string: true }),
    redirect("https://example.com/only", "https://t.example/https"),
    redirect("scheme.example/", "https://t.example/any"),
    redirect("http://scheme.example/", "https://t.example/http"),
    redirect("sub.example/about", "https://t.example/sub", { include_subdomains: true }),
    redirect("foo.sub.example/about", "https://t.example/foo", { include_subdomains: true }),
    redirect("bar.sub.example/about", "https://t.example/bar"),
    redirect("below.example/a/", "https://t.example/b/", below),
    redirect("below.example/folder", "https://t.example/short", below),
    redirect("below.example/folder/subfolder", "https://t.example/long?x=1#y", below),
    redirect("below.example/cut", "https://t.example/cut", { ...below, preserve_path_suffix: false }),
    redirect("magnet.example/", "magnet:?xt=urn:btih:2bd9"),
    redirect("root.example", "https://t.example", { ...below, include_subdomains: true }),
  ]);
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["http://example.com/about?q=1", "https://example.com/newpage"],
    ["http://query.example/about?q=1", "https://example.com/newpage?q=1"],
    ["https://example.com/about/", undefined],
    ["https://example.com/only", "https://t.example/https"],
    ["http://example.com/only", undefined],
    ["http://scheme.example", "https://t.example/http"],
    ["https://scheme.example/", "https://t.example/any"],
    ["https://sub.example/about", "https://t.example/sub"],
    ["https://x.y.sub.example/about", "https://t.example/sub"],
    ["https://qux.foo.sub.example/about", "https://t.example/foo"],
    ["https://bar.sub.example/about", "https://t.example/bar"],
    ["https://x.bar.sub.example/about", "https://t.example/sub"],
    ["https://notsub.example/about", undefined],
    ["https://below.example/a/foo", "https://t.example/b/foo"],
    ["https://below.example/a", undefined],
    ["https://below.example/folder/item", "https://t.example/short/item"],
    ["https://below.example/folderitem", undefined],
    ["https://below.example/folder/subfolder/item", "https://t.example/long/item?x=1#y"],
    ["https://below.example/cut/item", "https://t.example/cut"],
    ["https://magnet.example:8443/", "magnet:?xt=urn:btih:2bd9"],
    ["https://www.root.example/any/thing", "https://t.example/any/thing"],
    ["ftp://root.example/", undefined],
    ["no URL", undefined],
  ];
  for (const [url, location] of cases) assert.equal(list.redirectFor(url)?.location, location, url);
  assert.equal(list.has("http://example.com/about"), true);
});
