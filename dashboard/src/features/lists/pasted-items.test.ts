import assert from "node:assert/strict";
import { test } from "node:test";

import { readPastedItems } from "./pasted-items.ts";

test("each line is an item as the server has it, and what is none is told with its line", () => {
  const { items, bad } = readPastedItems(
    "ip",
    "192.0.2.1\n\n# office\n192.0.2.300\n2001:DB8::/32, lab, new\n",
  );
  assert.deepEqual(items, [{ ip: "192.0.2.1" }, { ip: "2001:db8::/32", comment: "lab, new" }]);
  assert.deepEqual(
    bad.map(({ line, text }) => [line, text]),
    [[4, "192.0.2.300"]],
  );
  assert.match(bad[0]?.reason ?? "", /^must be an IP address/);
});

test("redirects have a source, a target and maybe a status; numbers and names are read too", () => {
  const { items, bad } = readPastedItems(
    "redirect",
    "example.com/a, https://example.net/\nexample.com/b\thttps://example.net/b\t302\nexample.com/c, https://example.net/, 999",
  );
  assert.deepEqual(
    items.map((item) => "redirect" in item && [item.redirect.source_url, item.redirect.status_code]),
    [
      ["example.com/a", undefined],
      ["example.com/b", 302],
    ],
  );
  assert.deepEqual(
    bad.map(({ line }) => line),
    [3],
  );
  assert.deepEqual(readPastedItems("asn", "64496, lab\nAS1").items, [{ asn: 64496, comment: "lab" }]);
  assert.equal(readPastedItems("hostname", "*.example.com\n-").bad[0]?.line, 2);
});
