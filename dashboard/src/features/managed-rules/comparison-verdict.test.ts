import assert from "node:assert/strict";
import { test } from "node:test";

import { verdictOf } from "./comparison-verdict.ts";

test("both versions agree only where neither stops a request alone", () => {
  const none = { both: 0, only_new: 0, only_previous: 0, none: 0 };
  const verdicts = [
    [none, undefined],
    [{ ...none, none: 3 }, "Both versions agree: neither stopped a request."],
    [{ ...none, both: 1 }, "Both versions agree: they stopped the same 1 request."],
    [{ ...none, both: 9, only_new: 1 }, "The new version stopped 1 request that the previous one let pass."],
    [
      { ...none, only_new: 2, only_previous: 1 },
      "The new version let 1 request pass that the previous one stopped. It stopped 2 requests that the previous one let pass.",
    ],
  ] as const;
  for (const [counts, verdict] of verdicts)
    assert.equal(verdictOf({ migration_state: "validation", requests: counts }), verdict);
});

test("one version is compared with none", () => {
  const none = { both: 0, only_new: 0, only_previous: 0, none: 0 };
  const verdicts = [
    ["start", none, undefined],
    ["start", { ...none, only_previous: 2 }, "The previous version stopped 2 requests."],
    ["complete", { ...none, only_new: 1 }, "The new version stopped 1 request."],
    ["complete", { ...none, none: 1 }, "The new version stopped 0 requests."],
  ] as const;
  for (const [migration_state, requests, verdict] of verdicts)
    assert.equal(verdictOf({ migration_state, requests }), verdict);
});
