import type { IncomingMessage, Server } from "node:http";

import { overloaded } from "../core/error.ts";
import { putBefore } from "../wire/listening.ts";

const waitMsMax = 5_000;

/** Lets requests and timers use the state together, and a change of all of it alone. */
export class StateGate {
  #users = 0;
  #timers = 0;
  #closed: Promise<void> | undefined;
  #whenUnused: (() => void) | undefined;

  /** Calls `enter` with the function by which it leaves: at once, or when the state has changed. */
  use(enter: (leave: () => void) => void): void {
    if (this.#closed !== undefined) {
      void this.#closed.then(() => this.use(enter));
      return;
    }
    this.#users += 1;
    let hasLeft = false;
    enter(() => {
      if (hasLeft) return;
      hasLeft = true;
      this.#users -= 1;
      if (this.#users === 0) this.#whenUnused?.();
    });
  }

  readonly share = async (work: () => Promise<void>): Promise<void> => {
    const leave = await new Promise<() => void>((entered) => this.use(entered));
    this.#timers += 1;
    try {
      await work();
    } finally {
      this.#timers -= 1;
      leave();
    }
  };

  /**
   * Runs `work` while nobody uses the state; later users wait. Errors: 503 code 10505 if a request still runs
   * after five seconds. A client may leave its request open; the work of a timer ends by itself, however slow
   * the machine.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    try {
      await this.#unused();
      return await work();
    } finally {
      this.#closed = undefined;
      resolve();
    }
  }

  async #unused(): Promise<void> {
    if (this.#users === 0) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      if (this.#users > this.#timers) reject(overloaded("Other requests still run: try again"));
    }, waitMsMax);
    this.#whenUnused = resolve;
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#whenUnused = undefined;
    }
  }
}

/** Makes requests users of the state, from their head to the end of their answer, if `usesState` says so. */
export function guardRequests(
  server: Server,
  gate: StateGate,
  usesState: (request: IncomingMessage) => boolean,
): void {
  putBefore(server, (request, response, answer) => {
    if (!usesState(request)) {
      answer(request, response);
      return;
    }
    gate.use((leave) => {
      if (response.destroyed) {
        leave();
        return;
      }
      response.on("close", leave);
      answer(request, response);
    });
  });
}
