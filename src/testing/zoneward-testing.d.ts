export interface ZonewardOptions {
  /**
   * The place where it runs: in this process, or in one of its own, which a test cannot block. `process` by
   * default.
   */
  readonly in?: "process" | "child";
  /** Settings by their names (docs/operating/settings.md), such as `{ default_plan: "free" }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean | readonly string[] | object>>;
  /**
   * The initial content of the store (docs/operating/seed.md): the content of a seed file, or the path of
   * one.
   */
  readonly seed?: object | string;
  /** Makes ids repeat: the same text, the same requests, the same ids. */
  readonly idsSeed?: string;
  /** Freezes the clock at this time from the start. */
  readonly now?: Date | string;
}

/** A server and its test controls. */
export interface Zoneward extends AsyncDisposable {
  /** `http://127.0.0.1:43210/client/v4` */
  readonly baseUrl: string;
  /** `http://127.0.0.1:43210/gateway` */
  readonly gatewayUrl: string;
  /** The addresses of the name server, with the setting `dns` or `dns_listen`. */
  readonly dnsAddresses: readonly string[];
  /** An API token with all rights. */
  readonly token: string;
  readonly accountId: string;
  readonly clock: Clock;
  readonly journal: Journal;
  /** Puts back the state of the start; removes all faults and clears the journal. */
  reset(): Promise<void>;
  snapshot(): Promise<Snapshot>;
  /** Reads a snapshot from a file that `Snapshot.file` gave, perhaps on another server. */
  readSnapshot(file: Uint8Array): Promise<Snapshot>;
  /** Makes requests fail: by a rule, or by those of a preset. */
  fault(fault: FaultRule | FaultPreset): Promise<Faults>;
  /** Creates a zone, `zone-1.example` and so on by default. */
  zone(options?: NewZone): Promise<Zone>;
  /** Calls the API and returns the `result`. Throws `ZonewardError`. */
  call<Result = unknown>(method: string, path: string, body?: unknown): Promise<Result>;
  /** Finishes the running requests, and stops. */
  stop(): Promise<void>;
}

export interface Clock {
  now(): Promise<Date>;
  /** Stops the clock, at `at` if it is given. */
  freeze(at?: Date | string): Promise<Date>;
  /** Lets the clock run on. */
  resume(): Promise<Date>;
  set(time: Date | string): Promise<Date>;
  /** Moves the clock on, and does the work that becomes due on the way. */
  advance(by: Duration): Promise<Date>;
}

/** A length of time: the sum of its members. */
export interface Duration {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly milliseconds?: number;
}

export interface Snapshot {
  readonly name: string;
  /** Puts the server in the state of the snapshot. */
  restore(): Promise<void>;
  delete(): Promise<void>;
  /** The snapshot as a file for `readSnapshot`. */
  file(): Promise<Uint8Array>;
}

export interface NewZone {
  readonly name?: string;
  /** The first records, as the API takes them. */
  readonly records?: readonly object[];
  /** Whether it is active, so that the name server answers for it and it gets certificates. */
  readonly active?: boolean;
}

/** A zone as the API answers it. */
export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly name_servers: readonly string[];
  readonly [field: string]: unknown;
}

export type FaultPreset = "rate-limited" | "outage" | "flaky" | "slow" | "lost-answers";

/** A rule of docs/testing/faults.md. */
export interface FaultRule {
  readonly name?: string;
  readonly match?: Match;
  readonly effect: { readonly type: string; readonly [detail: string]: unknown };
}

/** A match of docs/testing/faults.md#match. */
export type Match = Readonly<Record<string, unknown>>;

export interface Faults {
  readonly ids: readonly string[];
  remove(): Promise<void>;
}

/** The journal of docs/testing/journal.md. */
export interface Journal {
  /** Finds the newest requests that match, the oldest of them first. */
  entries(match?: Match, limit?: number): Promise<readonly JournalEntry[]>;
  /** Throws with the requests that came closest unless all expected requests have come. */
  verify(...expected: readonly Expectation[]): Promise<void>;
  /** Verifies like `verify`, and that the requests came in this order. */
  verifyInOrder(...expected: readonly Expectation[]): Promise<void>;
  clear(): Promise<void>;
}

/** An expected request, once or more unless numbers are given. */
export interface Expectation {
  readonly match: Match;
  readonly at_least?: number;
  readonly at_most?: number;
}

export interface JournalEntry {
  readonly number: number;
  readonly at: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number | null;
  readonly body: unknown;
  readonly answer: unknown;
  readonly [field: string]: unknown;
}

/** An answer that is no success. */
export declare class ZonewardError extends Error {
  readonly status: number;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

/** Starts a server with an empty store in memory on a free port of 127.0.0.1. */
export declare function startZoneward(options?: ZonewardOptions): Promise<Zoneward>;
