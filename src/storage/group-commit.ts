import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

import { isBusy } from "./errors.ts";

interface Job {
  readonly run: () => Promise<unknown>;
  /** Whether another connection of the process writes during `run`, instead of this one. */
  readonly isLent: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

const lockWaitStepMs = 5;
const jobsPerCommitMax = 256;

/**
 * The writer of a SQLite database. Operations that arrive together run one after another inside one transaction,
 * and share its commit. All of them resolve when the commit is durable. Savepoints are a third of what a small
 * operation costs, so there are none until one has failed that has written: then the transaction is rolled back,
 * and its operations run again, each in a savepoint, so that nothing stays of the one that fails.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;
  readonly #totalChanges: StatementSync;
  readonly #lockWaitMs: number;
  readonly #queue: Job[] = [];
  /** Whether the queue begins with operations that run again. */
  #isRepeating = false;
  #draining: Promise<void> | undefined;

  /**
   * `database` is the writing connection. Its busy timeout is 0, as this class waits for the write lock,
   * which another process may hold, without blocking: for up to `lockWaitMs`.
   */
  constructor(database: DatabaseSync, lockWaitMs: number) {
    this.#database = database;
    this.#savepoint = database.prepare("savepoint operation");
    this.#release = database.prepare("release operation");
    this.#totalChanges = database.prepare("select total_changes() as rows");
    this.#lockWaitMs = lockWaitMs;
  }

  /** `work` may run twice, and what it did the first time is then undone. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#enqueue(work, false);
  }

  /** Queues `work`, in which another connection writes: nothing else is written meanwhile. */
  lend<T>(work: () => Promise<T>): Promise<T> {
    return this.#enqueue(work, true);
  }

  #enqueue<T>(run: () => Promise<T>, isLent: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ run, isLent, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing is being written any more; undefined if nothing is now. */
  idle(): Promise<void> | undefined {
    return this.#draining;
  }

  async #drain(): Promise<void> {
    // All operations of the same turn of the event loop share the first commit.
    await new Promise(setImmediate);
    while (this.#queue.length > 0) {
      if (this.#queue[0]?.isLent) await this.#runLent(this.#queue.shift() as Job);
      else await this.#commitTogether();
    }
    this.#draining = undefined;
  }

  async #runLent(job: Job): Promise<void> {
    settle(job, await outcomeOf(job));
  }

  async #commitTogether(): Promise<void> {
    const inSavepoints = this.#isRepeating;
    this.#isRepeating = false;
    const outcomes = new Map<Job, Outcome>();
    try {
      await untilUnlocked(this.#lockWaitMs, () => this.#database.exec("begin immediate"));
      const rowsAtBegin = this.#rowsWritten();
      while (this.#queue[0]?.isLent === false && outcomes.size < jobsPerCommitMax) {
        const job = this.#queue.shift() as Job;
        outcomes.set(job, { error: undefined });
        const rowsBefore = this.#rowsWritten();
        if (inSavepoints) this.#savepoint.run();
        const outcome = await outcomeOf(job);
        outcomes.set(job, outcome);
        const hasFailed = "error" in outcome;
        // A full disk or an I/O error ends the whole transaction, with the writes of all others.
        if (hasFailed && !this.#database.isTransaction) throw outcome.error;
        if (inSavepoints) {
          if (hasFailed) this.#database.exec("rollback to operation");
          this.#release.run();
        } else if (hasFailed && this.#rowsWritten() !== rowsBefore) {
          this.#database.exec("rollback");
          if (rowsBefore !== rowsAtBegin) this.#repeat(outcomes);
          break;
        }
      }
      if (this.#database.isTransaction) this.#database.exec("commit");
    } catch (error) {
      this.#rollBack();
      this.#failAll(outcomes, error);
    }
    for (const [job, outcome] of outcomes) settle(job, outcome);
  }

  /** The count of this connection since it was opened. */
  #rowsWritten(): unknown {
    return this.#totalChanges.get()?.["rows"];
  }

  #repeat(outcomes: Map<Job, Outcome>): void {
    this.#queue.unshift(...outcomes.keys());
    outcomes.clear();
    this.#isRepeating = true;
  }

  /** Never throws: even if the connection is broken, all jobs have to be answered and the queue goes on. */
  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec("rollback");
    } catch {
      // The next `begin` fails in the same way and is handled here again.
    }
  }

  #failAll(outcomes: Map<Job, Outcome>, error: unknown): void {
    const untouched = outcomes.size === 0 ? this.#queue.splice(0) : [];
    for (const job of untouched) outcomes.set(job, { error });
    for (const [job, outcome] of outcomes) {
      if ("value" in outcome || outcome.error === undefined) outcomes.set(job, { error });
    }
  }
}

function outcomeOf({ run }: Job): Promise<Outcome> {
  return run().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

function settle({ resolve, reject }: Job, outcome: Outcome): void {
  if ("value" in outcome) resolve(outcome.value);
  else reject(outcome.error);
}

/**
 * Repeats `work`, for `msMax` at most, while another connection holds a lock that it needs. It must be harmless to
 * repeat. Unlike SQLite's own busy timeout this does not block the event loop.
 */
export async function untilUnlocked<T>(msMax: number, work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + msMax;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(lockWaitStepMs);
    }
  }
}
