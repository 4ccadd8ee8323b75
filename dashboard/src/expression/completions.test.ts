import assert from "node:assert/strict";
import { test } from "node:test";

import { completionsFor, wordBefore } from "./completions.ts";

const all = ["http.host", "http.request.uri", "ip.src", "lower"].map((name) => ({
  name,
  insert: name,
  detail: "",
}));
const namesFor = (word: string): string[] => completionsFor(word, all).map(({ name }) => name);

test("the name before the caret is completed, and nothing within a text in quotes", () => {
  assert.deepEqual(wordBefore("http.ho", 7), { start: 0, text: "http.ho" });
  assert.deepEqual(wordBefore("(ip.src", 7), { start: 1, text: "ip.src" });
  assert.equal(wordBefore('http.host eq "ip.s', 18), undefined);
  assert.deepEqual(wordBefore(String.raw`http.host eq "\"" and lo`, 24), { start: 22, text: "lo" });
  assert.equal(wordBefore("ip.src in {", 11), undefined);
});

test("names that begin as written come first, then those that hold it; one that is whole offers nothing", () => {
  assert.deepEqual(namesFor("http"), ["http.host", "http.request.uri"]);
  assert.deepEqual(namesFor("src"), ["ip.src"]);
  assert.deepEqual(namesFor("h"), ["http.host", "http.request.uri"]);
  assert.deepEqual(namesFor("lower"), []);
});
