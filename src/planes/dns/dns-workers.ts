import type { Logger } from "pino";

import type { SocketAddress, Respond } from "../../name-server/listeners.ts";
import type { QueryTally, QueryCounts } from "../../name-server/query-counts.ts";
import type { ZoneContext } from "../../resources/zones/zones.ts";
import type { SecretKeySource } from "../../secrets/secret-box.ts";
import type { Changes } from "../../storage/changes.ts";
import type { DatabaseLocation, Database } from "../../storage/database.ts";
import { KeptThreads, type KeptThread } from "../../workers/kept-threads.ts";

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
  readonly logLevel: string;
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
  /** A query over UDP that only the main thread can answer. */
  | { readonly kind: "query"; readonly number: number; readonly bytes: Uint8Array; readonly address: string }
  | { readonly kind: "counted"; readonly tally: QueryTally };

interface DnsWorkersOptions {
  /** The program that each thread runs; that of `dns.worker.ts` unless a test has its own. */
  readonly program?: URL | undefined;
  readonly settings: Omit<DnsWorkerSettings, "logLevel">;
  readonly onChange: Database["onChange"];
  /** Answers the queries that the threads pass on. */
  readonly respond: Respond;
  readonly counts: Pick<QueryCounts, "add">;
  readonly logger: Logger;
}

const dnsProgram = new URL("./dns.worker.ts", import.meta.url);
const endMsMax = 5_000;

/** Threads that answer queries over UDP besides the main one. A thread that ends unexpectedly is replaced. */
export class DnsWorkers {
  readonly #threads: KeptThreads<ToDnsWorker, FromDnsWorker>;
  readonly #options: Omit<DnsWorkersOptions, "settings">;

  constructor({ settings, ...options }: DnsWorkersOptions) {
    const { program = dnsProgram, logger } = options;
    this.#options = options;
    this.#threads = new KeptThreads({
      program,
      settings: (): DnsWorkerSettings => ({ ...settings, logLevel: logger.level }),
      name: "dns",
      what: "a thread of the name server",
      endMsMax,
      hear: (message, thread) => void this.#hear(message, thread),
      logger,
    });
    options.onChange((changes) => this.#threads.post({ kind: "changed", changes }));
  }

  /** Resolves when `count` threads listen. Throws the error of one that cannot. */
  start(count: number): Promise<void> {
    return this.#threads.start(count);
  }

  /** Ends all threads after they have answered the queries they have read. */
  close(): Promise<void> {
    return this.#threads.close();
  }

  async #hear(message: FromDnsWorker, thread: KeptThread<ToDnsWorker, FromDnsWorker>): Promise<void> {
    const { respond, counts } = this.#options;
    if (message.kind === "counted") counts.add(message.tally);
    if (message.kind !== "query") return;
    const { number, bytes, address } = message;
    const response = await respond({ bytes: Buffer.from(bytes), address, transport: "udp" });
    // Copied, as a view would be sent with the whole buffer below it.
    const answer = response instanceof Uint8Array ? Uint8Array.from(response) : undefined;
    thread.post({ kind: "answer", number, bytes: answer });
  }
}
