import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";

import type { SocketAddress, Respond } from "../../name-server/listeners.ts";
import type { QueryTally, QueryCounts } from "../../name-server/query-counts.ts";
import type { ZoneContext } from "../../resources/zones/zones.ts";
import type { SecretKeySource } from "../../secrets/secret-box.ts";
import type { Changes } from "../../storage/changes.ts";
import type { DatabaseLocation, Database } from "../../storage/database.ts";

/** Settings of a thread of the name server when it starts. */
export interface DnsWorkerSettings {
  readonly location: DatabaseLocation;
  readonly secretKey: SecretKeySource;
  readonly zones: ZoneContext["settings"];
  readonly edgeAddresses: readonly string[];
  /** Memory for the zones that the thread holds. */
  readonly octetsMax: number;
  readonly resolvers: readonly string[];
  /** The addresses on which the main thread listens. */
  readonly addresses: readonly SocketAddress[];
  readonly responsesPerSecond: number | undefined;
  readonly logsQueries: boolean;
  /** The same in all threads: a client's next query may reach another one. */
  readonly cookieSecret: Uint8Array;
}

/** Messages from the main thread to a thread of the name server. */
export type ToDnsWorker =
  /** Names what has changed; undefined: anything. */
  | { readonly kind: "changed"; readonly changes: Changes | undefined }
  /** The response to a query that was passed on. */
  | { readonly kind: "answer"; readonly number: number; readonly bytes: Uint8Array | undefined }
  | { readonly kind: "end" };

/** Messages from a thread of the name server to the main thread. */
export type FromDnsWorker =
  | { readonly kind: "listening" }
  /** A query over UDP that only the main thread can answer. */
  | { readonly kind: "query"; readonly number: number; readonly bytes: Uint8Array; readonly address: string }
  | { readonly kind: "counted"; readonly tally: QueryTally }
  | {
      readonly kind: "log";
      readonly level: "info" | "error";
      readonly fields: object;
      readonly message: string;
    };

interface DnsWorkersOptions {
  /** The program that each thread runs; that of `dns.worker.ts` unless a test has its own. */
  readonly program?: URL | undefined;
  readonly settings: DnsWorkerSettings;
  readonly onChange: Database["onChange"];
  /** Answers the queries that the threads pass on. */
  readonly respond: Respond;
  readonly counts: Pick<QueryCounts, "add">;
  readonly logger: Logger;
}

const dnsProgram = new URL("./dns.worker.ts", import.meta.url);
const restartMs = 500;
const endMsMax = 5_000;

/** Threads that answer queries over UDP besides the main one. A thread that ends unexpectedly is replaced. */
export class DnsWorkers {
  readonly #options: DnsWorkersOptions;
  readonly #workers = new Set<DnsWorker>();
  readonly #keeping: Promise<void>[] = [];
  readonly #closing = new AbortController();

  constructor(options: DnsWorkersOptions) {
    this.#options = options;
    options.onChange((changes) => {
      for (const worker of this.#workers) worker.post({ kind: "changed", changes });
    });
  }

  /** Resolves when `count` threads listen. Throws the error of one that cannot. */
  async start(count: number): Promise<void> {
    const first = Array.from({ length: count }, () => this.#open());
    await Promise.all(first.map((worker) => worker.listening));
    this.#keeping.push(...first.map((worker) => this.#keep(worker)));
  }

  /** Ends all threads after they have answered the queries they have read. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(Array.from(this.#workers, (worker) => worker.end()));
    await Promise.all(this.#keeping);
  }

  #open(): DnsWorker {
    const worker = new DnsWorker(this.#options);
    this.#workers.add(worker);
    void worker.exited.then(() => this.#workers.delete(worker));
    return worker;
  }

  async #keep(first: DnsWorker): Promise<void> {
    const { signal } = this.#closing;
    for (let worker = first; ; worker = this.#open()) {
      const failure = await worker.exited;
      if (signal.aborted) return;
      this.#options.logger.error({ err: failure }, "a thread of the name server ended, and is replaced");
      await delay(restartMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}

class DnsWorker {
  /** Resolves when the thread listens; rejects if it ends before. */
  readonly listening: Promise<void>;
  /** Resolves with the reason when the thread has ended. */
  readonly exited: Promise<Error>;
  readonly #worker: Worker;
  readonly #options: DnsWorkersOptions;
  readonly #listens = Promise.withResolvers<void>();
  #isListening = false;

  constructor(options: DnsWorkersOptions) {
    this.#options = options;
    this.#worker = new Worker(options.program ?? dnsProgram, { name: "dns", workerData: options.settings });
    let failure: Error | undefined;
    this.#worker.on("error", (error: Error) => (failure = error));
    this.#worker.on("message", (message: FromDnsWorker) => void this.#hear(message));
    this.exited = new Promise((resolve) => {
      this.#worker.once("exit", (code) => resolve(failure ?? new Error(`it ended with the code ${code}`)));
    });
    this.listening = Promise.race([
      this.#listens.promise,
      this.exited.then((error) => Promise.reject(error)),
    ]);
    this.listening.catch(() => undefined);
  }

  post(message: ToDnsWorker): void {
    this.#worker.postMessage(message, []);
  }

  async end(): Promise<void> {
    if (!this.#isListening) await this.#worker.terminate();
    this.post({ kind: "end" });
    const deadline = setTimeout(() => void this.#worker.terminate(), endMsMax);
    await this.exited;
    clearTimeout(deadline);
  }

  async #hear(message: FromDnsWorker): Promise<void> {
    const { respond, counts, logger } = this.#options;
    switch (message.kind) {
      case "listening":
        this.#isListening = true;
        this.#listens.resolve();
        return;
      case "counted":
        counts.add(message.tally);
        return;
      case "log":
        logger[message.level](message.fields, message.message);
        return;
      case "query": {
        const { number, bytes, address } = message;
        const response = await respond({ bytes: Buffer.from(bytes), address, transport: "udp" });
        // Copied, as a view would be sent with the whole buffer below it.
        const answer = response instanceof Uint8Array ? Uint8Array.from(response) : undefined;
        this.post({ kind: "answer", number, bytes: answer });
      }
    }
  }
}
