import assert from "node:assert/strict";

import type { TestAnswer } from "../support/harness.ts";

/** Whether a change was made: `unknown` where the connection ended, or the database went, before anybody said so. */
export type Outcome = "ok" | "failed" | "unknown";

/**
 * The state that one writer, who waits for each answer, has to find in the store: the last one it heard of, or where
 * the outcome of its last change is unknown, either that change wholly or nothing of it.
 */
export class Ledger<State> {
  #possible: readonly State[];

  constructor(initial: State) {
    this.#possible = [initial];
  }

  /** The state with which the next change begins. Throws while the outcome of the last one is unknown. */
  get state(): State {
    assert.equal(this.#possible.length, 1, "the outcome of the last change is unknown");
    return this.#possible[0] as State;
  }

  /** Sends a change that makes `next` of the state. */
  async change(next: State, send: () => Promise<TestAnswer>): Promise<Outcome> {
    const before = this.state;
    this.#possible = [before, next];
    let answer: TestAnswer;
    try {
      answer = await send();
    } catch {
      return "unknown";
    }
    // A database that goes away while it commits leaves the server in doubt as well.
    if (answer.status === 503) return "unknown";
    const isOk = answer.status >= 200 && answer.status < 300;
    this.#possible = [isOk ? next : before];
    return isOk ? "ok" : "failed";
  }

  /** Shows that the store holds one of the states that it may; from then on it has to hold that one. */
  settle(found: State): void {
    const isPossible = this.#possible.some((state) => isSame(state, found));
    if (!isPossible) assert.deepEqual(found, this.#possible.at(-1));
    this.#possible = [found];
  }
}

function isSame(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
