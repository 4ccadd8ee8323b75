import { FairQueue } from "../../core/fair-queue.ts";

/** Whose job it is. No party gets a second turn while another waits for its first. */
export interface Party {
  readonly key: string;
  /** Whether the client has proven who it is: known parties get every second turn. */
  readonly isKnown: boolean;
}

/** Runs jobs one at a time. Rejects with `refused` when too many wait. */
export type PasswordTurns = <T>(party: Party, work: () => Promise<T>) => Promise<T>;

interface Job {
  /** Never rejects. */
  readonly run: () => Promise<void>;
  readonly refuse: () => void;
}

/**
 * At most `waitingMax` jobs of known parties wait, and as many of others. When the queue is full, a party with fewer jobs
 * replaces the newest job of the party with the most.
 */
export function createPasswordTurns(waitingMax: number, refused: () => Error): PasswordTurns {
  const known = new FairQueue<Job>();
  const others = new FairQueue<Job>();
  let lastLane = others;
  let isRunning = false;

  const takeNext = (): Job | undefined => {
    lastLane = lastLane === known ? others : known;
    const job = lastLane.take();
    if (job !== undefined) return job;
    lastLane = lastLane === known ? others : known;
    return lastLane.take();
  };
  const runAll = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let job = takeNext(); job !== undefined; job = takeNext()) await job.run();
    isRunning = false;
  };

  return ({ key, isKnown }, work) =>
    new Promise((resolve, reject) => {
      const run = () => work().then(resolve, reject);
      const job = { run, refuse: () => reject(refused()) };
      for (const out of (isKnown ? known : others).addWithin(waitingMax, key, job)) out.refuse();
      void runAll();
    });
}
