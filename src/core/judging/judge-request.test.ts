import assert from "node:assert/strict";
import { test } from "node:test";
import type { PreviousWaf } from "../previous-waf/previous-waf.ts";
import type { CoreRules } from "./core-rules.ts";
import { coreLevelAsked } from "./judge-request.ts";

test("the previous version of the managed rules asks the Core Rule Set up to level 2, where it is on", () => {
  const coreRules = {} as CoreRules;
  const previous = (isOn: boolean) => ({ previous: { isOn } as PreviousWaf });
  const none = { previous: undefined };
  assert.equal(coreLevelAsked({ coreRules, coreLevel: undefined }, none), undefined);
  assert.equal(coreLevelAsked({ coreRules, coreLevel: undefined }, previous(false)), undefined);
  assert.equal(coreLevelAsked({ coreRules, coreLevel: undefined }, previous(true)), 2);
  assert.equal(coreLevelAsked({ coreRules, coreLevel: 1 }, previous(true)), 2);
  assert.equal(coreLevelAsked({ coreRules, coreLevel: 4 }, previous(true)), 4);
  assert.equal(coreLevelAsked({ coreRules: undefined, coreLevel: undefined }, previous(true)), undefined);
});
