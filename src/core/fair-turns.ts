import { FairQueue } from "./fair-queue.ts";
import { FairRoom } from "./fair-room.ts";

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
