import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { judgeAtLevel } from "../core/seclang/evaluate/judge.ts";
import { ordinaryTraffic } from "../../test/crs/ordinary-traffic.ts";
import { debianRules, withoutDebianRules, writeRelease } from "../../test/support/core-rules.ts";
import { newDirectory } from "../../test/support/harness.ts";
import { keepPatterns, KnownPatterns, readKeptPatterns } from "./known-patterns.ts";
import { compileRelease, readRelease } from "./crs-release.ts";

describe("patterns that are kept", () => {
  test(
    "are not parsed again, and change nothing of what rules find",
    { skip: withoutDebianRules },
    async (t) => {
      const cache = newDirectory(t);
      const files = await readRelease(debianRules);
      const first = new KnownPatterns();
      const parsed = compileRelease(files, first);
      await keepPatterns(cache, first.used);
      const second = new KnownPatterns(await readKeptPatterns(cache));
      const known = compileRelease(files, second);

      assert.ok(first.found > 200);
      assert.equal(second.found, 0);
      for (const request of ordinaryTraffic.slice(0, 20)) {
        const ids = [parsed, known].map((set) => judgeAtLevel(set, request, 4).matches.map(({ id }) => id));
        assert.deepEqual(ids[1], ids[0]);
      }
    },
  );

  test("are those of the release that was compiled last", async (t) => {
    const cache = newDirectory(t);
    const files = await readRelease(writeRelease(t));
    const patterns = new KnownPatterns([["an earlier one", { needsBacktracking: false, isWhole: false }]]);
    const withPattern = {
      ...files,
      rules: [...files.rules, { name: "own.conf", text: 'SecRule ARGS "@rx ^(?:a|b)c$" "id:1"' }],
    };
    compileRelease(withPattern, patterns);
    await keepPatterns(cache, patterns.used);
    assert.deepEqual(await readKeptPatterns(cache), [
      ["^(?:a|b)c$", { literals: ["ac", "bc"], needsBacktracking: false, isWhole: true }],
    ]);
  });

  test("are none where the file is missing or damaged", async (t) => {
    const cache = newDirectory(t);
    assert.deepEqual(await readKeptPatterns(cache), []);
    await keepPatterns(cache, [["a", { needsBacktracking: false, isWhole: false }]]);
    const [name = ""] = readdirSync(cache);
    const whole = readFileSync(join(cache, name), "latin1");
    const isWholeAt = whole.lastIndexOf("false");
    for (const damaged of [
      "",
      whole.slice(0, -1),
      `${whole.slice(0, isWholeAt)}true${whole.slice(isWholeAt + 5)}`,
    ]) {
      writeFileSync(join(cache, name), damaged, "latin1");
      assert.deepEqual(await readKeptPatterns(cache), []);
    }
  });
});
