import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { pino } from "pino";

import { newDirectory } from "../../../test/support/harness.ts";
import { Seals } from "../../edge/challenges/seals.ts";
import { createSecretBox } from "../../secrets/secret-box.ts";
import { followChallengeKeys } from "./challenge-keys.ts";

const logger = pino({ level: "silent" });
const key = (letter: string): string => Buffer.alloc(32, letter).toString("base64");

test("edges take what each other sealed before, during and after a change of the secret key", (t) => {
  const file = join(newDirectory(t), "secret.key");
  const write = (...keys: string[]): void => writeFileSync(file, `${keys.join("\n")}\n`, { mode: 0o600 });
  let nowMs = 0;
  const startEdge = (): Seals =>
    new Seals(followChallengeKeys(createSecretBox({ kind: "file", file }), () => nowMs, logger));
  write(key("a"));
  const edge = startEdge();
  const before = edge.seal("before", "cookie");
  write(key("b"), key("a"));
  const restarted = startEdge();
  const during = edge.seal("during", "cookie");
  assert.deepEqual(
    [restarted.open(before, "cookie"), restarted.open(during, "cookie")],
    ["before", "during"],
  );
  const byNew = restarted.seal("new", "cookie");
  assert.equal(edge.open(byNew, "cookie"), undefined);
  nowMs += 10_000;
  assert.equal(edge.open(byNew, "cookie"), "new");
  write(key("b"));
  nowMs += 10_000;
  const after = edge.seal("after", "cookie");
  assert.equal(edge.open(before, "cookie"), "before");
  assert.equal(startEdge().open(after, "cookie"), "after");
  assert.equal(startEdge().open(before, "cookie"), undefined);
  assert.equal(startEdge().open(after, "puzzle"), undefined);
});

test("edges go on with the last key where its file cannot be read, and with one of their own where there is none", (t) => {
  const file = join(newDirectory(t), "secret.key");
  writeFileSync(file, `${key("a")}\n`, { mode: 0o600 });
  let nowMs = 0;
  const keys = followChallengeKeys(createSecretBox({ kind: "file", file }), () => nowMs, logger);
  const [first] = keys();
  writeFileSync(file, "");
  nowMs += 10_000;
  assert.deepEqual(keys(), [first]);
  const own = followChallengeKeys(createSecretBox({ kind: "none" }), () => nowMs, logger);
  assert.equal(own()[0]?.length, 32);
  assert.deepEqual(own(), own());
});
