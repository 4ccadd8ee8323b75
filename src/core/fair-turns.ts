import { FairQueue } from "./fair-queue.ts";
import { FairRoom } from "./fair-room.ts";

interface Turn {
  readonly owner: string;
  readonly begin: (end: () => void) => void;
}

/**
 * Work that several owners have done at the same time, each a share of it (`FairRoom`). What is above the share waits, of the
 * owners in turn; of what waits each has a share too.
 */
export class FairTurns {
  readonly #running: FairRoom;
  readonly #waitingRoom: FairRoom;
  readonly #waiting = new FairQueue<Turn>();

  constructor({ runningMax, waitingMax }: { readonly runningMax: number; readonly waitingMax: number }) {
    this.#running = new FairRoom(runningMax);
    this.#waitingRoom = new FairRoom(waitingMax);
  }

  /** Whether further work of an owner may wait. */
  hasRoomFor(owner: string): boolean {
    const leave = this.#waitingRoom.take([owner]);
    leave?.();
    return leave !== undefined;
  }

  /**
   * Calls `begin` when it is the turn of the work, with a function that has to be called once at its end. Returns false,
   * without calling it, where too much work waits, of its owner or of all.
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

  /** Takes room for work that runs. Undefined where the owner has had its share. */
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
