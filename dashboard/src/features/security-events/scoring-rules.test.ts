import assert from "node:assert/strict";
import { test } from "node:test";

import { otherMetadata, scoringRulesOf } from "./scoring-rules.ts";

test("the rules that added to a score are read from the metadata of an event, the highest score first", () => {
  const entry = (id: string, score: number) => ({
    key: `match_${id}`,
    value: JSON.stringify({ description: `942${id}: SQL`, score, variable: "ARGS:q", value: "'" }),
  });
  const metadata = [{ key: "score", value: "8" }, entry("100", 3), entry("200", 5)];
  const rest = { variable: "ARGS:q", value: "'" };
  assert.deepEqual(scoringRulesOf({ metadata }), [
    { ruleId: "200", description: "942200: SQL", score: 5, ...rest },
    { ruleId: "100", description: "942100: SQL", score: 3, ...rest },
  ]);
  assert.deepEqual(scoringRulesOf({ metadata: [{ key: "traced", value: "true" }] }), []);
});

test("what else an event says does not name the rules again that it lists, but all where it lists some of them", () => {
  const score = { key: "score", value: "8" };
  const listed = { key: "match_100", value: "{}" };
  const scoredBy = (value: string) => ({ key: "scored_by", value });
  assert.deepEqual(otherMetadata({ metadata: [score, scoredBy("942100: SQL"), listed] }), [score]);
  const more = [score, scoredBy("942100: SQL; 942200: SQL")];
  assert.deepEqual(otherMetadata({ metadata: [...more, listed] }), more);
});
