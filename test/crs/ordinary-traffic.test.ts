import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { judgeAtLevel } from "../../src/core/seclang/evaluate/judge.ts";
import { readRuleDirectory } from "../../src/engines/crs-release.ts";
import { debianRules, withoutDebianRules } from "../support/core-rules.ts";
import { ordinaryTraffic } from "./ordinary-traffic.ts";

/**
 * Thresholds at which the rules themselves block, and the lowest threshold of the OWASP ruleset that the public
 * service documents.
 */
const thresholds = { ofRules: 5, lowest: 25 };

describe("release 3.3 at paranoia level 1", { skip: withoutDebianRules }, () => {
  // Its rule 932100 takes "{ id" for a command of a shell, in every engine.
  const stopped = ["POST /graphql: 932100"];

  test("lets no request of ordinary traffic reach a threshold of the OWASP ruleset", async () => {
    assert.deepEqual(await requestsWith(thresholds.lowest), []);
  });

  test("lets none reach its own threshold but a query of GraphQL", async () => {
    assert.deepEqual(await requestsWith(thresholds.ofRules), stopped);
  });
});

/** The requests whose score is that high, and the rules that scored. */
async function requestsWith(least: number): Promise<string[]> {
  const rules = await readRuleDirectory(debianRules);
  return ordinaryTraffic.flatMap((request) => {
    const { matches, read } = judgeAtLevel(rules, request, 1);
    if (Number(read("TX", "anomaly_score")) < least) return [];
    const ids = matches.filter(({ score }) => score > 0).map(({ id }) => id);
    return [`${request.method} ${request.target}: ${ids.join(", ")}`];
  });
}
