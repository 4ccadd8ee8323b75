import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import { pino, type Logger } from "pino";

/** Messages of every thread that is kept to the main one, besides those of its kind. */
export type FromKeptThread =
  | { readonly kind: "listening" }
  /** A line of the log, as JSON: the main thread writes it. */
  | { readonly kind: "log"; readonly line: string };

interface KeptThreadsOptions<To, From extends { readonly kind: string }> {
  /** The program that each thread runs. */
  readonly program: URL;
  /** The `workerData` of a thread that starts now. */
  readonly settings: () => unknown;
  /** Names the threads, for the log. */
  readonly name: string;
  /** The words for one of them in the log: "a thread of the name server". */
  readonly what: string;
  /** Time that a thread has to end, once it was told to. */
  readonly endMsMax: number;
  readonly hear: (message: From, thread: KeptThread<To, From>) => void;
  readonly logger: Logger;
}

const restartMs = 500;

/** Threads that do what the main one does too. One that ends unexpectedly is replaced. */
export class KeptThreads<To, From extends { readonly kind: string }> {
  readonly #options: KeptThreadsOptions<To, From>;
  readonly #threads = new Set<KeptThread<To, From>>();
  readonly #keeping: Promise<void>[] = [];
  readonly #closing = new AbortController();

  constructor(options: KeptThreadsOptions<To, From>) {
    this.#options = options;
  }

  /** Resolves when `count` threads listen. Throws the error of one that cannot. */
  async start(count: number): Promise<void> {
    const first = Array.from({ length: count }, () => this.#open());
    await Promise.all(first.map((thread) => thread.listening));
    this.#keeping.push(...first.map((thread) => this.#keep(thread)));
  }

  /** Tells all threads something, but for one. */
  post(message: To, except?: KeptThread<To, From>): void {
    for (const thread of this.#threads) if (thread !== except) thread.post(message);
  }

  /** Ends all threads after they have answered what they have read. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(Array.from(this.#threads, (thread) => thread.end()));
    await Promise.all(this.#keeping);
  }

  #open(): KeptThread<To, From> {
    const thread = new KeptThread(this.#options);
    this.#threads.add(thread);
    void thread.exited.then(() => this.#threads.delete(thread));
    return thread;
  }

  async #keep(first: KeptThread<To, From>): Promise<void> {
    const { signal } = this.#closing;
    for (let thread = first; ; thread = this.#open()) {
      const failure = await thread.exited;
      if (signal.aborted) return;
      const { logger, what } = this.#options;
      logger.error({ err: failure }, `${what} ended, and is replaced`);
      await delay(restartMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}

class KeptThread<To, From extends { readonly kind: string }> {
  /** Resolves when the thread listens; rejects if it ends before. */
  readonly listening: Promise<void>;
  /** Resolves with the reason when the thread has ended. */
  readonly exited: Promise<Error>;
  readonly #worker: Worker;
  readonly #options: KeptThreadsOptions<To, From>;
  readonly #listens = Promise.withResolvers<void>();
  #isListening = false;

  constructor(options: KeptThreadsOptions<To, From>) {
    const { program, name, settings } = options;
    this.#options = options;
    this.#worker = new Worker(program, { name, workerData: settings() });
    let failure: Error | undefined;
    this.#worker.on("error", (error: Error) => (failure = error));
    this.#worker.on("message", (message: From | FromKeptThread) => this.#hear(message));
    this.exited = new Promise((resolve) => {
      this.#worker.once("exit", (code) => resolve(failure ?? new Error(`it ended with the code ${code}`)));
    });
    this.listening = Promise.race([
      this.#listens.promise,
      this.exited.then((error) => Promise.reject(error)),
    ]);
    this.listening.catch(() => undefined);
  }

  post(message: To | { readonly kind: "end" }): void {
    this.#worker.postMessage(message, []);
  }

  async end(): Promise<void> {
    if (!this.#isListening) await this.#worker.terminate();
    this.post({ kind: "end" });
    const deadline = setTimeout(() => void this.#worker.terminate(), this.#options.endMsMax);
    await this.exited;
    clearTimeout(deadline);
  }

  #hear(message: From | FromKeptThread): void {
    if (isOfAll(message)) {
      if (message.kind === "log") return writeLine(this.#options.logger, message.line);
      this.#isListening = true;
      this.#listens.resolve();
    } else this.#options.hear(message, this);
  }
}

export type { KeptThread };

const isOfAll = (message: { readonly kind: string }): message is FromKeptThread =>
  message.kind === "listening" || message.kind === "log";

/** The log of a thread: the main one writes it. */
export function logInMainThread(level: string, post: (message: FromKeptThread) => void): Logger {
  const options = { level, base: null, timestamp: false };
  return pino(options, { write: (line: string) => post({ kind: "log", line }) });
}

function writeLine(logger: Logger, line: string): void {
  const { level, msg, ...fields } = JSON.parse(line) as { level: number; msg: string };
  const name = logger.levels.labels[level];
  if (name !== undefined) logger[name as "info"](fields, msg);
}
