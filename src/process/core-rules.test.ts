import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { pino } from "pino";

import { replaceRules, rulesOfRelease, writeRelease } from "../../test/support/core-rules.ts";
import { CoreRulesDirectory } from "./core-rules.ts";

test("a release that cannot be read is told of once, and what was read last stays until it can be", async (t) => {
  const directory = writeRelease(t, "4.3.1");
  const lines: string[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  const followed = new CoreRulesDirectory(directory, logger);
  await followed.load();
  const [rules, shared] = [followed.rules(), followed.shared()];
  let changes = 0;
  followed.onChange(() => (changes += 1));
  const staysAfter = async (reason: RegExp) => {
    for (let round = 0; round < 2; round += 1) await followed.readChanged();
    assert.equal(followed.rules(), rules);
    assert.equal(followed.shared(), shared);
    assert.match(lines.join(""), reason);
    assert.equal(lines.splice(0).length, 1);
  };

  replaceRules(directory, `${rulesOfRelease("4.4.0")}\nSecNonsense on`);
  await staysAfter(/REQUEST-900-ALL\.conf:\d+: \\"SecNonsense\\" is not supported/);
  replaceRules(directory, `${rulesOfRelease("4.4.0")}SecRule ARGS "@pmFromFile words.data" "id:942997"`);
  await staysAfter(/words\.data cannot be read/);
  rmSync(join(directory, "rules"), { recursive: true });
  await staysAfter(/has no folder/);
  assert.equal(changes, 0);
});

test("a release is read again only where a file of it differs", async (t) => {
  const directory = writeRelease(t, "4.3.1");
  const followed = new CoreRulesDirectory(directory, pino({ level: "silent" }));
  await followed.load();
  let changes = 0;
  followed.onChange(() => (changes += 1));
  await followed.readChanged();
  assert.equal(changes, 0);
  replaceRules(directory, rulesOfRelease("4.4.10"));
  await followed.readChanged();
  assert.equal(changes, 1);
  assert.equal(followed.rules()?.version, "40410");
});
