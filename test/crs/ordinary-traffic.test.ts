import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { judgeAtLevel } from "../../src/core/seclang/evaluate/paranoia-level.ts";
import { readRuleDirectory } from "../../src/engines/rule-directory.ts";
import { debianRules, withoutDebianRules } from "../support/core-rules.ts";
import { ordinaryTraffic } from "./ordinary-traffic.ts";

/** Where the rules themselves block. */
const threshold = 5;

describe("release 3.3 at paranoia level 1", { skip: withoutDebianRules }, () => {
  // Its rule 932100 takes "{ id" for a command of a shell, in every engine.
  const stopped = ["POST /graphql: 932100"];

  test("stops nothing of ordinary traffic but a query of GraphQL", async () => {
    const rules = await readRuleDirectory(debianRules);
    const found = ordinaryTraffic.flatMap((request) => {
      const { matches, read } = judgeAtLevel(rules, request, 1);
      if (Number(read("TX", "anomaly_score")) < threshold) return [];
      const ids = matches.filter(({ score }) => score > 0).map(({ id }) => id);
      return [`${request.method} ${request.target}: ${ids.join(", ")}`];
    });
    assert.deepEqual(found, stopped);
  });
});
