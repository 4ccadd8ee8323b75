import assert from "node:assert/strict";
import { test } from "node:test";

import { readBatch } from "./batch-text.ts";

test("a batch is read with what it does, in the order of the server", () => {
  const read = readBatch('{"posts": [{}, {}], "deletes": [{"id": "1"}]}');
  assert.deepEqual("sentence" in read && read.sentence, "All or nothing: delete 1, then add 2.");
});

test("what is no batch says why", () => {
  for (const [text, gap] of [
    ["", /^$/],
    ["{", /^This is not JSON/],
    ["[]", /object/],
    ['{"post": []}', /no post/],
    ['{"posts": {}}', /posts has to be a list/],
    ['{"posts": []}', /empty/],
  ] as const) {
    const read = readBatch(text);
    assert.match("gap" in read ? read.gap : "sent", gap);
  }
});
