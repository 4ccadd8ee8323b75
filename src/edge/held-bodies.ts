import { problems } from "./problems.ts";

const octetsMax = 64 * 1024 * 1024;

/** No further body can be held. */
export class TooManyHeld extends Error {
  override readonly name = "TooManyHeld";
  readonly problem = problems.overloaded;
}

/** Bounds the bodies that are held until their requests are answered, as rules for answers read them again. */
export class HeldBodies {
  #octets = 0;

  /** Serves a request whose body is held meanwhile. Throws TooManyHeld, and what `serve` throws. */
  async during<T>(octets: number, serve: () => Promise<T>): Promise<T> {
    if (this.#octets + octets > octetsMax) throw new TooManyHeld();
    this.#octets += octets;
    try {
      return await serve();
    } finally {
      this.#octets -= octets;
    }
  }
}
