import type { Turn } from "../storage/database.ts";
import { toError, type FromWorker, type ToWorker } from "./messages.ts";

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** The side of a worker: asks the other thread for turns at the store. */
export class TurnTaker {
  readonly #post: (message: FromWorker) => void;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  readonly take: Turn = async (work) => {
    this.#last += 1;
    const turn = this.#last;
    const isGiven = new Promise<void>((begin, refuse) => void this.#waiting.set(turn, { begin, refuse }));
    this.#post({ kind: "turn wanted", turn });
    await isGiven;
    try {
      return await work();
    } finally {
      this.#post({ kind: "turn over", turn });
    }
  };

  /** The answer to a turn that was wanted. */
  give({ turn, error }: Extract<ToWorker, { readonly kind: "turn" }>): void {
    const waiting = this.#waiting.get(turn);
    this.#waiting.delete(turn);
    if (error === undefined) waiting?.begin();
    else waiting?.refuse(toError(error));
  }
}
