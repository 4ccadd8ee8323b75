import { AsyncLocalStorage } from "node:async_hooks";

import type { ChangeListener, Publication } from "./changes.ts";
import type { Sealed } from "./schema/table.ts";
import type { Db } from "./tables.ts";

/** A store on either engine. */
export interface Database {
  /** For reads outside of a transaction. It throws inside of one, where `tx` has to be used. */
  readonly read: Db;

  /**
   * Runs `work` and resolves when its changes are durable. If it throws, nothing is changed. It runs again after a
   * conflict with another transaction, or where one fails that shares its commit, so it must have no effect outside
   * of `tx`, and it must await nothing but `tx`. What changes of what planes serve or instances remember must be
   * noted in `publication`. Transactions with the same `group` would wait for each other's locks.
   */
  transaction<T>(work: (tx: Db, publication: Publication) => Promise<T>, group?: string): Promise<T>;

  /** Runs `work` on a snapshot of the store. Not for a store in memory. */
  snapshot<T>(work: (state: Db) => Promise<T>): Promise<T>;

  /** The same as `transaction`, but only one of these runs at a time among all processes that share the store. */
  exclusiveTransaction<T>(work: (tx: Db, publication: Publication) => Promise<T>): Promise<T>;

  migrate(): Promise<void>;

  /** Throws if the store does not answer. */
  ping(): Promise<void>;

  /**
   * Calls `listener` once after each committed transaction with what it published: before `transaction` resolves if
   * this process made it, within a second if another one did. It may also be called without a change.
   */
  onChange(listener: ChangeListener): void;

  /**
   * Runs `work` unless another instance on the same PostgreSQL database runs the same task. Two may overlap after a
   * connection is lost, so each step must be harmless to repeat. A SQLite file has only one server.
   */
  runAlone(task: string, work: () => Promise<void>): Promise<void>;

  /** Another thread of the process opens the store by it (`openDatabaseInTurns`). */
  readonly location: DatabaseLocation;

  /**
   * Runs `work` while another thread has its turn to write to the store: this one writes nothing meanwhile. Anything
   * may have changed afterwards.
   */
  lend<T>(work: () => Promise<T>): Promise<T>;

  /** Loads the functions for images of the whole content; undefined on Node.js before 24.16. */
  images(): Promise<StoreImages | undefined>;

  /**
   * For a process that ends: from now on a database that has not answered for two seconds is given up, and whatever
   * waits for it fails.
   */
  prepareToClose(): void;

  close(): Promise<void>;
}

/** The whole content of a store as octets. */
export interface StoreImages {
  readonly take: () => Promise<Uint8Array>;
  /**
   * Replaces the whole content; connections stay open. Whatever was cached of the content must be dropped.
   */
  readonly put: (image: Uint8Array) => Promise<void>;
  /**
   * Converts an image that another store took, perhaps of an earlier version, into one that this store can
   * `put`. `openSecret` throws for a secret that cannot be decrypted. Throws `ImageError` for an image that
   * this store must not put.
   */
  readonly adopt: (
    image: Uint8Array,
    openSecret: (sealed: Sealed, place: string) => string,
  ) => Promise<Uint8Array>;
}

/** Waits for the turn of this thread at the store, and keeps it until `work` ends. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

export type DatabaseLocation =
  /** The name is that of a store which is open in this process; without it, a new one is made. */
  | { readonly engine: "memory"; readonly name?: string }
  | { readonly engine: "sqlite"; readonly file: string }
  | { readonly engine: "postgres"; readonly url: string };

/** Bounds on the waits for a store, in milliseconds. */
export interface StoreWaits {
  /** Milliseconds that a write to a SQLite file waits for another process. */
  readonly lockWaitMs?: number | undefined;
  /** Milliseconds that a query waits for a connection to PostgreSQL. */
  readonly connectionWaitMs?: number | undefined;
  /**
   * Milliseconds after which a silent connection to PostgreSQL counts as lost; without, it is lost when the system
   * says so.
   */
  readonly silenceMsMax?: number | undefined;
}

const insideTransaction = new AsyncLocalStorage<true>();

/** Runs `work` so that `refuseInsideTransaction` throws within it. */
export function guardTransaction<T>(work: () => Promise<T>): Promise<T> {
  refuseInsideTransaction();
  return insideTransaction.run(true, work);
}

/**
 * Throws inside of a transaction, where the outer database must not be used: a query on it would see the
 * state before the transaction, or wait for itself forever.
 */
export function refuseInsideTransaction(): void {
  if (insideTransaction.getStore() === true) {
    throw new Error("the outer database was used inside a transaction: use the `tx` that was passed in");
  }
}
