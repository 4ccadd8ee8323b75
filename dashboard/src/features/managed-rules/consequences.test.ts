import assert from "node:assert/strict";
import { test } from "node:test";

import { readConsequences } from "./consequences.ts";

test("what becomes of a setting, and what is lost, is read from the messages of a configuration", () => {
  assert.deepEqual(
    readConsequences([
      { code: 40100, message: "OWASP sensitivity: medium: becomes paranoia level 1, score threshold 25" },
      { code: 40101, message: "OWASP group override: OWASP XSS Attacks: is lost" },
    ]),
    [
      { setting: "OWASP sensitivity: medium", becomes: "paranoia level 1, score threshold 25" },
      { setting: "OWASP group override: OWASP XSS Attacks", becomes: undefined },
    ],
  );
});
