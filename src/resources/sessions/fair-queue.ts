/** Whose work it is. Of two parties that wait, neither gets a second turn before the other had one. */
export interface Party {
  readonly key: string;
  /** Whether it has proven before who it is: such parties share every second turn among themselves. */
  readonly isKnown: boolean;
}

/** Runs work one at a time. Rejects with what `refused` makes if too much waits already. */
export type FairQueue = <T>(party: Party, work: () => Promise<T>) => Promise<T>;

interface Job {
  /** Never rejects. */
  readonly run: () => Promise<void>;
  readonly refuse: () => void;
}

/**
 * At most `waitingMax` works of known parties wait, and as many of others. If that many wait, a party with fewer of them
 * takes the place of the newest work of the party with most.
 */
export function createFairQueue(waitingMax: number, refused: () => Error): FairQueue {
  const known = new Lane(waitingMax);
  const others = new Lane(waitingMax);
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
      (isKnown ? known : others).add(key, { run, refuse: () => reject(refused()) });
      void runAll();
    });
}

/** Waiting jobs, in turns of their parties. */
class Lane {
  readonly #waitingMax: number;
  /** In the order of their next turns. No list is empty. */
  readonly #jobs = new Map<string, Job[]>();
  #waiting = 0;

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Adds a job, or refuses it or another one. */
  add(key: string, job: Job): void {
    const own = this.#jobs.get(key) ?? [];
    if (this.#waiting >= this.#waitingMax) {
      const longest = [...this.#jobs.values()].reduce((one, other) =>
        other.length > one.length ? other : one,
      );
      if (longest.length <= own.length + 1) {
        job.refuse();
        return;
      }
      longest.pop()?.refuse();
      this.#waiting -= 1;
    }
    own.push(job);
    this.#jobs.set(key, own);
    this.#waiting += 1;
  }

  take(): Job | undefined {
    const [first] = this.#jobs;
    if (first === undefined) return undefined;
    const [key, [job, ...others]] = first;
    this.#jobs.delete(key);
    if (others.length > 0) this.#jobs.set(key, others);
    this.#waiting -= 1;
    return job;
  }
}
