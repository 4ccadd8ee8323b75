import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createPasswordTurns, type PasswordTurns } from "./password-guard.ts";

/** Asks for turns and answers the names in the order in which they had them; what was refused comes first. */
async function turnsOf(queue: PasswordTurns, names: readonly string[]): Promise<string> {
  const order: string[] = [];
  const refused: string[] = [];
  await Promise.all(
    names.map((name) => {
      const [key = ""] = name;
      const isKnown = key === key.toUpperCase();
      return queue({ key, isKnown }, async () => void order.push(name)).catch(
        () => void refused.push(`-${name}`),
      );
    }),
  );
  return [...refused, ...order].join(" ");
}

const queueOf = (waitingMax: number) => createPasswordTurns(waitingMax, () => new Error("too many"));

describe("turns of those who wait for a password check", () => {
  test("gives parties their turns one after another, however much one of them asks", async () => {
    assert.equal(
      await turnsOf(queueOf(50), ["a1", "a2", "a3", "a4", "b1", "c1", "b2"]),
      "a1 a2 b1 c1 a3 b2 a4",
    );
  });

  test("gives known parties every second turn", async () => {
    const asked = ["a1", "a2", "b1", "c1", "K1", "K2", "L1"];
    assert.equal(await turnsOf(queueOf(50), asked), "a1 K1 a2 L1 b1 K2 c1");
  });

  test("refuses the newest of who waits most when it is full, and a newcomer only if all wait as little", async () => {
    // The first runs at once and waits no more.
    const asked = ["a0", "a1", "a2", "a3", "b1", "b2", "c1", "K1"];
    assert.equal(await turnsOf(queueOf(3), asked), "-a3 -b2 -a2 a0 K1 a1 b1 c1");
    assert.equal(await turnsOf(queueOf(2), ["a0", "b1", "c1", "d1"]), "-d1 a0 b1 c1");
  });

  test("runs one at a time, and goes on after work that fails", async () => {
    const queue = queueOf(50);
    let running = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) =>
        queue({ key: String(index % 2), isKnown: false }, async () => {
          running += 1;
          assert.equal(running, 1);
          await Promise.resolve();
          running -= 1;
          if (index % 3 === 0) throw new Error("wrong");
          return index;
        }),
      ),
    );
    assert.equal(results.filter(({ status }) => status === "rejected").length, 3);
    assert.equal(await queue({ key: "later", isKnown: true }, () => Promise.resolve("answer")), "answer");
  });
});
