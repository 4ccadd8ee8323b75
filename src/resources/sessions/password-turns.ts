import { FairQueue } from "../../core/fair-queue.ts";

/** Whose work it is. Of two parties that wait, neither gets a second turn before the other had one. */
export interface Party {
  readonly key: string;
  /** Whether it has proven before who it is: such parties share every second turn among themselves. */
  readonly isKnown: boolean;
}

/** Runs work one at a time. Rejects with what `refused` makes if too much waits already. */
export type PasswordTurns = <T>(party: Party, work: () => Promise<T>) => Promise<T>;

interface Job {
  /** Never rejects. */
  readonly run: () => Promise<void>;
  readonly refuse: () => void;
}

/**
 * At most `waitingMax` works of known parties wait, and as many of others. If that many wait, a party with fewer of them
 * takes the place of the newest work of the party with most.
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
      addWithin(waitingMax, isKnown ? known : others, key, { run, refuse: () => reject(refused()) });
      void runAll();
    });
}

/** Adds a job, or refuses it or another one. */
function addWithin(waitingMax: number, lane: FairQueue<Job>, key: string, job: Job): void {
  if (lane.length >= waitingMax) {
    const most = lane.ownerOfMost() ?? key;
    if (lane.lengthOf(most) <= lane.lengthOf(key) + 1) {
      job.refuse();
      return;
    }
    lane.takeNewest(most)?.refuse();
  }
  lane.add(key, job);
}
