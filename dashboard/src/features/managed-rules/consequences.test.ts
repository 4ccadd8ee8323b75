import assert from "node:assert/strict";
import { test } from "node:test";

import { readConsequences } from "./consequences.ts";

test("what becomes of a setting, and what is lost, is read from the messages of a configuration, in words", () => {
  assert.deepEqual(
    readConsequences([
      { code: 40100, message: "OWASP sensitivity: medium: becomes paranoia level 1, score threshold 25" },
      { code: 40100, message: "OWASP action: challenge: becomes managed_challenge" },
      { code: 40100, message: "WAF is off: becomes disabled rules; turn the setting `waf` on before" },
      { code: 40101, message: "OWASP group override: OWASP XSS Attacks: is lost" },
    ]),
    [
      { setting: "OWASP sensitivity: medium", becomes: "Paranoia level 1, score threshold 25" },
      { setting: "OWASP action: challenge", becomes: "Managed challenge" },
      { setting: "WAF is off", becomes: "Disabled rules; turn the setting waf on before" },
      { setting: "OWASP group override: OWASP XSS Attacks", becomes: undefined },
    ],
  );
});
