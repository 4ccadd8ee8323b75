import { crc32 } from "node:zlib";

import type { Client } from "pg";

/** The channel on which instances announce what they changed. */
export const channel = "zoneward_changes";

/** Two beats without an answer are less than a second. */
const beatMs = 400;
/** Beats without a connection after which the database is given up while the process ends. */
const lostBeatsMax = 5;
/** An arbitrary number. Locks with two keys are separate from those with one. */
const taskLocks = 2_050_911_873;

/**
 * A connection outside of the pool, opened when it is first needed and again whenever it is lost. It receives the
 * database's announcements, and holds the locks of tasks that run on one instance at a time. While it is lost the
 * listeners are called at every beat, because anything may have changed.
 */
export class PostgresWatch {
  readonly #newClient: () => Client;
  readonly #onAnnouncement: (text: string | undefined) => void;
  #beat: NodeJS.Timeout | undefined;
  #loss: NodeJS.Timeout | undefined;
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #isAnswered = true;
  #lastQuery: Promise<unknown> = Promise.resolve();

  /** Calls `onAnnouncement` with the text of each announcement, and without one whenever one may have been missed. */
  constructor(newClient: () => Client, onAnnouncement: (text: string | undefined) => void) {
    this.#newClient = newClient;
    this.#onAnnouncement = onAnnouncement;
  }

  start(): void {
    if (this.#beat !== undefined) return;
    this.#beat = setInterval(() => this.#check(), beatMs).unref();
    this.#connecting = this.#connect();
  }

  /**
   * Runs `work` unless another process runs the same task or the database is away. The lock ends with the connection,
   * so after a loss another process may begin before this one has ended.
   */
  async runAlone(task: string, work: () => Promise<void>): Promise<void> {
    this.start();
    await this.#connecting;
    const client = this.#client;
    if (client === undefined) return;
    const key = [taskLocks, crc32(task) | 0];
    const lock = "select pg_try_advisory_lock($1, $2) as is_ours";
    const { rows } = await this.#inTurn(() => client.query<{ is_ours: boolean }>(lock, key));
    if (rows[0]?.is_ours !== true) return;
    try {
      await work();
    } finally {
      const unlock = "select pg_advisory_unlock($1, $2)";
      await this.#inTurn(() => client.query(unlock, key)).catch(() => this.#lose(client));
    }
  }

  /** Calls `giveUp` once there has been no connection for two seconds. */
  onLoss(giveUp: () => void): void {
    this.start();
    let beats = 0;
    this.#loss ??= setInterval(() => {
      beats = this.#client === undefined ? beats + 1 : 0;
      if (beats === lostBeatsMax) giveUp();
    }, beatMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    clearInterval(this.#loss);
    await this.#connecting;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #check(): void {
    const client = this.#client;
    if (client === undefined) {
      this.#onAnnouncement(undefined);
      this.#connecting ??= this.#connect();
    } else if (this.#isAnswered) {
      this.#isAnswered = false;
      void this.#ask(client);
    } else {
      // An answer may have arrived while the process was busy; it is read first.
      setImmediate(() => {
        if (!this.#isAnswered) this.#lose(client);
      });
    }
  }

  /** The connection may be dead without notice, or a pooler may have switched its session. */
  async #ask(client: Client): Promise<void> {
    try {
      const listening = "select pg_listening_channels() as channel";
      const { rows } = await this.#inTurn(() => client.query<{ channel: string }>(listening));
      if (rows.some((row) => row.channel === channel)) this.#isAnswered = true;
      else this.#lose(client);
    } catch {
      this.#lose(client);
    }
  }

  /** Runs one query at a time. */
  #inTurn<T>(query: () => Promise<T>): Promise<T> {
    const answer = this.#lastQuery.then(query);
    this.#lastQuery = answer.catch(() => undefined);
    return answer;
  }

  async #connect(): Promise<void> {
    const client = this.#newClient();
    // Without a listener, an error of the connection would end the process.
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    client.on("notification", ({ payload = "" }) => this.#onAnnouncement(payload));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      this.#client = client;
      this.#isAnswered = true;
      this.#onAnnouncement(undefined);
    } catch {
      this.#discard(client);
    }
    this.#connecting = undefined;
  }

  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    // Queries on a dead connection may never be answered.
    this.#lastQuery = Promise.resolve();
    this.#discard(client);
    this.#onAnnouncement(undefined);
  }

  #discard(client: Client): void {
    client.end().catch(() => undefined);
  }
}
