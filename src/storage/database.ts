import type { Sealed } from "./columns.ts";
import type { Db } from "./tables.ts";

/** A store on either engine. */
export interface Database {
  /** For reads outside of a transaction. It throws inside of one, where `tx` has to be used. */
  readonly read: Db;

  /**
   * Runs `work` and resolves when its changes are durable. If it throws, nothing is changed. It runs again after a
   * conflict with another transaction, so it must have no effect outside of `tx`, and it must await nothing but `tx`.
   */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;

  /** Runs `work` on a snapshot of the store. Not for a store in memory. */
  snapshot<T>(work: (state: Db) => Promise<T>): Promise<T>;

  /** As `transaction`, but only one of these runs at a time among all processes that share the store. */
  exclusiveTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;

  /** Applies the migrations that are missing. */
  migrate(): Promise<void>;

  /** Throws if the store does not answer. */
  ping(): Promise<void>;

  /**
   * Calls `listener` within a second after another process changed users, memberships or tokens. It may also be called
   * without a change.
   */
  onAccessChangeElsewhere(listener: () => void): void;

  /**
   * Calls `listener` once a change is committed of what a zone says of itself, or of its records: at once if this process
   * made it, within a second if another one did. `ids` are those of the zones; undefined if it may be any of them. So it is
   * of a change of who may transfer zones, with the id of the account where that concerns all of its zones. It may also be
   * called without a change.
   */
  onZoneChange(listener: ZoneChangeListener): void;

  /**
   * Runs `work` unless another instance on the same PostgreSQL database runs the same task. Two may overlap after a
   * connection is lost, so each step must be harmless to repeat. A SQLite file has only one server.
   */
  runAlone(task: string, work: () => Promise<void>): Promise<void>;

  /** Where another thread of the process finds the store (`openDatabaseInTurns`). */
  readonly location: DatabaseLocation;

  /** Runs `work`, in which another thread has its turn at the store: nothing is written here meanwhile. */
  lend<T>(work: () => Promise<T>): Promise<T>;

  /** Loads what takes images of the whole content; undefined on Node.js before 24.16. */
  images(): Promise<StoreImages | undefined>;

  close(): Promise<void>;
}

/** The whole content of a store as octets. */
export interface StoreImages {
  readonly take: () => Promise<Uint8Array>;
  /** Replaces the whole content; connections stay open. What was remembered of the content has to be forgotten. */
  readonly put: (image: Uint8Array) => Promise<void>;
  /**
   * The image that this store can put of one that another store took, perhaps of an earlier version. `openSecret` throws
   * for a secret that cannot be decrypted. Throws `ImageError` for any that this store must not put.
   */
  readonly adopt: (
    image: Uint8Array,
    openSecret: (sealed: Sealed, place: string) => string,
  ) => Promise<Uint8Array>;
}

export type ZoneChangeListener = (ids: ReadonlySet<string> | undefined) => void;

/** Waits for the turn of this thread at the store, and has it until `work` ends. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** The place of a store. */
export type DatabaseLocation =
  /** The name is that of a store which is open in this process; without it, a new one is made. */
  | { readonly engine: "memory"; readonly name?: string }
  | { readonly engine: "sqlite"; readonly file: string }
  | { readonly engine: "postgres"; readonly url: string };
