import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";

import { Publication } from "./changes.ts";
import { isTransientConflict } from "./errors.ts";
import { fixedStatements } from "./statement.ts";
import type { Db, Tables } from "./tables.ts";

type TransactionWork<T> = (tx: Db, publication: Publication) => Promise<T>;

/** The result of work, once it is durable, and what it published. */
interface Committed<T> {
  readonly result: T;
  readonly publication: Publication;
}

interface Job {
  readonly work: TransactionWork<unknown>;
  readonly resolve: (committed: Committed<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

const jobsPerCommitMax = 64;
/** After it a transaction takes no more, as those before wait for its end, and other instances for its locks. */
const takingMsMax = 100;

type Outcome = Committed<unknown> | { readonly error: unknown };

interface Done {
  readonly job: Job;
  readonly committed: Committed<unknown>;
}

export interface SharedTransactionsOptions {
  readonly pool: Pool;
  /** Publishes what a transaction changed, in it. */
  readonly publish: (tx: Db, publication: Publication) => Promise<void>;
  /** Runs work in a transaction of its own. */
  readonly runAlone: <T>(work: TransactionWork<T>) => Promise<Committed<T>>;
}

/**
 * Transactions on PostgreSQL of operations that would wait for each other's locks. Those of one group, which is a zone,
 * run one after another in one transaction, and share its commit. Where one fails that has written, or a statement of
 * one does, the transaction is rolled back, and the others run again, each in a transaction of its own. Groups do not
 * wait for each other, and each holds one connection.
 */
export class SharedTransactions {
  readonly #options: SharedTransactionsOptions;
  /** The jobs that wait, of each group with a transaction under way. */
  readonly #waiting = new Map<string, Job[]>();
  readonly #connections = new WeakMap<PoolClient, Connection>();

  constructor(options: SharedTransactionsOptions) {
    this.#options = options;
  }

  run<T>(group: string, work: TransactionWork<T>): Promise<Committed<T>> {
    return new Promise((resolve, reject) => {
      const job = { work, resolve: resolve as Job["resolve"], reject };
      const waiting = this.#waiting.get(group);
      if (waiting !== undefined) {
        waiting.push(job);
        return;
      }
      const jobs = [job];
      this.#waiting.set(group, jobs);
      void this.#drain(group, jobs);
    });
  }

  async #drain(group: string, jobs: Job[]): Promise<void> {
    while (jobs.length > 0) {
      const again = await this.#runTogether(jobs);
      for (const { work, resolve, reject } of again) {
        await this.#options.runAlone(work).then(resolve, reject);
      }
    }
    this.#waiting.delete(group);
  }

  /** Takes jobs and settles them, but for those that it returns: nothing is left of what they did. */
  async #runTogether(jobs: Job[]): Promise<readonly Job[]> {
    let client: PoolClient;
    try {
      client = await this.#options.pool.connect();
    } catch (error) {
      for (const { reject } of jobs.splice(0)) reject(error);
      return [];
    }
    const connection = this.#connections.get(client) ?? new Connection(client);
    this.#connections.set(client, connection);
    const done: Done[] = [];
    const undone = (): Job[] => done.map(({ job }) => job);
    const untilMs = performance.now() + takingMsMax;
    let isEnding = false;
    connection.begin();
    try {
      while (jobs.length > 0 && done.length < jobsPerCommitMax && performance.now() < untilMs) {
        const job = jobs.shift() as Job;
        const outcome = await connection.run(job.work);
        if (connection.hasFailed) return [...undone(), job];
        if ("result" in outcome) {
          done.push({ job, committed: outcome });
          continue;
        }
        job.reject(outcome.error);
        if (connection.hasWritten) return undone();
      }
      const all = new Publication();
      for (const { committed } of done) all.add(committed.publication);
      await this.#options.publish(connection.db, all);
      if (connection.hasFailed) return undone();
      isEnding = true;
      if (!(await connection.commit())) return undone();
    } catch (error) {
      if (isEnding ? isTransientConflict(error) : connection.hasFailed) return undone();
      // At the end, it is not known whether the transaction is durable.
      for (const { job } of done) job.reject(error);
      return [];
    } finally {
      await connection.release();
    }
    for (const { job, committed } of done) job.resolve(committed);
    return [];
  }
}

const noRows = { command: "", rowCount: 0, rows: [] };

/**
 * A connection of the pool, on which a transaction runs after the other. Fixed statements stay prepared on it. Nobody
 * handles the failures of those that answer nothing, so they are not waited for: the commit comes behind them.
 */
class Connection {
  readonly db: Kysely<Tables>;
  readonly #client: PoolClient;
  #isOpen = false;
  /** Whether the work has written. */
  hasWritten = false;
  /** Whether a statement of the transaction failed: PostgreSQL runs no other then, and commits nothing. */
  hasFailed = false;

  constructor(client: PoolClient) {
    this.#client = client;
    const observed = { query: this.#query.bind(this), release: () => undefined };
    const pool = { connect: async () => observed, end: async () => undefined, options: {} };
    this.db = new Kysely({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) });
  }

  begin(): void {
    this.#isOpen = true;
    this.hasFailed = false;
    this.#send("begin").catch(() => undefined);
  }

  async run(work: TransactionWork<unknown>): Promise<Outcome> {
    this.hasWritten = false;
    const publication = new Publication();
    try {
      return { result: await work(this.db, publication), publication };
    } catch (error) {
      return { error };
    }
  }

  /** Whether the transaction is durable: not if it was rolled back, as a statement had failed. */
  async commit(): Promise<boolean> {
    const { command } = await this.#client.query("commit");
    this.#isOpen = false;
    return command === "COMMIT";
  }

  /** Rolls back what is not committed. A connection on which that fails is closed. */
  async release(): Promise<void> {
    if (this.#isOpen) {
      await this.#client.query("rollback").then(
        () => (this.#isOpen = false),
        () => undefined,
      );
    }
    this.#client.release(this.#isOpen);
  }

  async #query(text: string, values: unknown[]): Promise<Pick<QueryResult, "command" | "rowCount" | "rows">> {
    const { name, isSilent = false } = fixedStatements.get(text) ?? {};
    const sent = this.#send({ text, values, ...(name !== undefined && { name }) });
    if (isSilent) {
      this.hasWritten = true;
      sent.catch(() => undefined);
      return noRows;
    }
    const result = await sent;
    if (result.command !== "SELECT" && result.rowCount !== 0) this.hasWritten = true;
    return result;
  }

  async #send(query: string | QueryConfig): Promise<QueryResult> {
    try {
      return await this.#client.query(query);
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}
