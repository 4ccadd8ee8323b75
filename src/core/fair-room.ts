import { FairQueue } from "./fair-queue.ts";

/**
 * Room for values that stay until their owner is done with them, and so cannot make way for others. An owner
 * may take as much as leaves an equal part free: half of all where it is alone, a third where another one has
 * as much. So there is room for the next owner. An owner is a path, such as an account and a client of it:
 * the clients share the account's part in the same way.
 */
export class FairRoom {
  readonly #max: number;
  /** The amount that is held, by the path of the owner; the empty path holds the total. */
  readonly #held = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Returns a function to be called once, which gives back the amount; undefined where the owner has had its
   * part.
   */
  take(owners: readonly string[], amount = 1): (() => void) | undefined {
    const paths = ["", ...owners.map((_, at) => owners.slice(0, at + 1).join("\n"))];
    let most = this.#max;
    let whole = this.#heldBy("");
    for (const path of paths.slice(1)) {
      const own = this.#heldBy(path);
      most = (most - (whole - own)) / 2;
      if (own + amount > most) return undefined;
      whole = own;
    }
    for (const path of paths) this.#add(path, amount);
    return () => {
      for (const path of paths) this.#add(path, -amount);
    };
  }

  #heldBy(path: string): number {
    return this.#held.get(path) ?? 0;
  }

  #add(path: string, amount: number): void {
    const held = this.#heldBy(path) + amount;
    if (held === 0) this.#held.delete(path);
    else this.#held.set(path, held);
  }
}

interface Turn {
  readonly owner: string;
  readonly begin: (end: () => void) => void;
}

/**
 * Runs work of several owners at the same time, for each within its share (`FairRoom`). Work above the share
 * waits, and the owners take turns; a share of the waiting room is bounded in the same way.
 */
export class FairTurns {
  readonly #running: FairRoom;
  readonly #waitingRoom: FairRoom;
  readonly #waiting = new FairQueue<Turn>();

  constructor({ runningMax, waitingMax }: { readonly runningMax: number; readonly waitingMax: number }) {
    this.#running = new FairRoom(runningMax);
    this.#waitingRoom = new FairRoom(waitingMax);
  }

  hasRoomFor(owner: string): boolean {
    const leave = this.#waitingRoom.take([owner]);
    leave?.();
    return leave !== undefined;
  }

  /**
   * Calls `begin` when it is the turn of the work, with a function that has to be called once at its end.
   * Returns false, without calling it, where too much work waits, of its owner or of all.
   */
  take(owner: string, begin: Turn["begin"]): boolean {
    const end = this.#endOf(owner);
    if (end !== undefined) {
      begin(end);
      return true;
    }
    const leave = this.#waitingRoom.take([owner]);
    if (leave === undefined) return false;
    this.#waiting.add(owner, {
      owner,
      begin: (endLate) => {
        leave();
        begin(endLate);
      },
    });
    return true;
  }

  /**
   * Takes room for work and returns the function that ends it; undefined where the owner has had its share.
   */
  #endOf(owner: string): (() => void) | undefined {
    const giveBack = this.#running.take([owner]);
    return (
      giveBack &&
      (() => {
        giveBack();
        this.#beginWaiting();
      })
    );
  }

  #beginWaiting(): void {
    for (;;) {
      let end: (() => void) | undefined;
      const turn = this.#waiting.take(({ owner }) => {
        end ??= this.#endOf(owner);
        return end !== undefined;
      });
      if (turn === undefined || end === undefined) return;
      turn.begin(end);
    }
  }
}
