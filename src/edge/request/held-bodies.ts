import { FairRoom } from "../../core/fair-room.ts";
import { problems } from "../errors/problems.ts";

const octetsMax = 64 * 1024 * 1024;

/** No further body can be held. */
export class TooManyHeld extends Error {
  override readonly name = "TooManyHeld";
  readonly problem = problems.overloaded;
}

/**
 * Bounds the bodies that are held until their requests are answered, as rules for answers read them again: 64 MiB, of
 * which the accounts of the zones have a share, and the visitors of one of its zones a share of that.
 */
export class HeldBodies {
  readonly #room = new FairRoom(octetsMax);

  /** Serves a request whose body is held meanwhile. Throws TooManyHeld, and what `serve` throws. */
  async during<T>(owners: readonly string[], octets: number, serve: () => Promise<T>): Promise<T> {
    const giveBack = this.#room.take(owners, octets);
    if (giveBack === undefined) throw new TooManyHeld();
    try {
      return await serve();
    } finally {
      giveBack();
    }
  }
}
