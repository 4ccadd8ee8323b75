import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { Type } from "@sinclair/typebox";

import { errorCodes } from "../core/error-codes.ts";
import { invalidRequest, AppError, notFound } from "../core/error.ts";
import { bodyValidator } from "../api/validation.ts";
import type { Sealed } from "../storage/schema/table.ts";
import type { StoreImages } from "../storage/database.ts";
import { ImageError } from "../storage/sqlite-images.ts";
import type { TestClock } from "./clock.ts";
import type { StateGate } from "./state-gate.ts";

/**
 * Ids that depend only on a seed and on the number of ids made before. Each is greater than the one before.
 */
export class SeededIds {
  readonly #seed: string;
  count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Makes an id of 32 hexadecimal characters. */
  readonly newId = (): string => {
    this.count += 1;
    const order = this.count.toString(16).padStart(12, "0");
    return order + hash("sha256", `${this.#seed} ${this.count}`).slice(0, 20);
  };

  /** Makes a UUID, version 7 (RFC 9562): the time, then the count. */
  readonly newLogId = (now: Date): string => {
    this.count += 1;
    const time = now.getTime().toString(16).padStart(12, "0");
    const order = this.count.toString(16).padStart(15, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8${order.slice(0, 3)}-${order.slice(3)}`;
  };
}

interface SnapshotContent {
  /** The whole store (`StoreImages`). */
  readonly image: Uint8Array;
  readonly clock: { readonly frozenAt: number | null; readonly aheadMs: number };
  /** Number of ids that were made of `ids_seed`; 0 without one. */
  readonly idsMade: number;
}

const format = "zoneward-snapshot/1";
const newline = 10;
/** The maximum size of a file in octets, unpacked. */
const bytesMax = 1024 ** 3;

const readHeader = bodyValidator(
  Type.Object({
    format: Type.Literal(format),
    clock: Type.Object({
      frozenAt: Type.Union([Type.Number({ minimum: 0, maximum: 253_402_300_799_999 }), Type.Null()]),
      aheadMs: Type.Number({ minimum: -1e14, maximum: 1e14 }),
    }),
    idsMade: Type.Integer({ minimum: 0, maximum: 2 ** 48 - 1 }),
  }),
);

/** Writes a snapshot as a file: a line of JSON and the store's image, in gzip. */
async function toSnapshotFile({ image, clock, idsMade }: SnapshotContent): Promise<Uint8Array> {
  const header = Buffer.from(`${JSON.stringify({ format, clock, idsMade })}\n`);
  return promisify(gzip)(Buffer.concat([header, image]), { level: 1 });
}

/** Reads a file of a snapshot. Errors: 400 code 1002 for octets that are no such file. */
async function readSnapshotFile(file: Uint8Array): Promise<SnapshotContent> {
  try {
    const content = await promisify(gunzip)(file, { maxOutputLength: bytesMax });
    const end = content.indexOf(newline);
    const { clock, idsMade } = readHeader(JSON.parse(content.subarray(0, end).toString()));
    return { clock, idsMade, image: content.subarray(end + 1) };
  } catch {
    throw invalidRequest(errorCodes.testControls.invalidSnapshot, "The file is no snapshot of Zoneward");
  }
}

export interface Snapshot extends SnapshotContent {
  readonly name: string;
  readonly savedOn: Date;
  readonly isImported: boolean;
}

const snapshotsMax = 100;
/** Octets of all snapshots together. */

interface StateParts {
  readonly clock: TestClock;
  readonly ids: SeededIds | undefined;
  readonly gate: StateGate;
}

/** The parts of a server's store that its state needs. */
interface Store {
  /** The images of the store; undefined before Node.js 24.16. */
  readonly images: StoreImages | undefined;
  /** Decrypts a secret. Throws for one that this server cannot decrypt. */
  readonly openSecret: (sealed: Sealed, place: string) => string;
  /** Gives the owner of another server's store the key and token of this one's settings. */
  readonly adoptOwner: () => Promise<void>;
  /** Stores the times at which tokens and sessions were last used, which are otherwise stored later. */
  readonly storeUse: () => Promise<void>;
}

/** The state that tests may put back: the store, the clock and the number of ids, as saved. */
export class ServerState {
  readonly #parts: StateParts;
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #listeners: (() => void | Promise<void>)[] = [];
  #store: (Store & { readonly images: StoreImages }) | undefined;
  #start: Snapshot | undefined;

  constructor(parts: StateParts) {
    this.#parts = parts;
  }

  /** Saves the state with which the server starts. Nothing may use the store yet. */
  async begin(store: Store): Promise<void> {
    const { images } = store;
    if (images === undefined) return;
    this.#store = { ...store, images };
    this.#start = await this.#take("");
  }

  /** Calls `listener`, and waits for it, when another state has replaced that of the store. */
  onRestored(listener: () => void | Promise<void>): void {
    this.#listeners.push(listener);
  }

  /**
   * Puts back the state of the start. Errors: 400 code 1003 before Node.js 24.16, 503 code 10505 while
   * requests run.
   */
  async reset(): Promise<void> {
    const start = this.#start;
    if (start === undefined) throw noSnapshots();
    await this.#put(start);
  }

  /** Sorted by name. */
  get snapshots(): readonly Snapshot[] {
    return [...this.#snapshots.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  /**
   * Saves a snapshot in place of one of the same name. Errors: 400 code 1003 or 1004, 503 code 10505 while
   * requests run.
   */
  async save(name: string): Promise<Snapshot> {
    return this.#keep(await this.#parts.gate.alone(() => this.#take(name)));
  }

  /** Errors: 404 code 1001, 503 code 10505 while requests run. */
  async restore(name: string): Promise<Snapshot> {
    const snapshot = this.find(name);
    await this.#put(snapshot);
    return snapshot;
  }

  /** Errors: 404 code 1001. */
  find(name: string): Snapshot {
    const snapshot = this.#snapshots.get(name);
    if (snapshot === undefined) {
      throw notFound(errorCodes.testControls.unknownSnapshot, `There is no snapshot \`${name}\``);
    }
    return snapshot;
  }

  /** Errors: 404 code 1001. */
  remove(name: string): void {
    this.find(name);
    this.#snapshots.delete(name);
  }

  /** Errors: 404 code 1001. */
  async export(name: string): Promise<Uint8Array> {
    return toSnapshotFile(this.find(name));
  }

  /**
   * Adds a snapshot in place of one of the same name. Errors: 400 code 1002 for a file that cannot be read
   * here, 1003, 1004.
   */
  async import(name: string, file: Uint8Array): Promise<Snapshot> {
    if (this.#store === undefined) throw noSnapshots();
    const { images, openSecret } = this.#store;
    const content = await readSnapshotFile(file);
    const image = await images.adopt(content.image, openSecret).catch((error: unknown) => {
      if (!(error instanceof ImageError)) throw error;
      const message = `The snapshot cannot be used here: ${error.message}`;
      throw invalidRequest(errorCodes.testControls.invalidSnapshot, message);
    });
    return this.#keep({ ...content, image, name, savedOn: this.#parts.clock.now(), isImported: true });
  }

  async #take(name: string): Promise<Snapshot> {
    if (this.#store === undefined) throw noSnapshots();
    const { clock, ids } = this.#parts;
    await this.#store.storeUse();
    const image = await this.#store.images.take();
    const savedOn = clock.now();
    return { name, image, clock: clock.state, idsMade: ids?.count ?? 0, savedOn, isImported: false };
  }

  #keep(snapshot: Snapshot): Snapshot {
    const others = this.snapshots.filter(({ name }) => name !== snapshot.name);
    const bytes = others.reduce((sum, { image }) => sum + image.length, snapshot.image.length);
    if (others.length >= snapshotsMax || bytes > bytesMax) {
      throw new AppError(
        "invalid",
        errorCodes.testControls.tooManySnapshots,
        `There may be at most ${snapshotsMax} snapshots, of ${bytesMax / 1024 ** 2} MiB together: delete some`,
      );
    }
    this.#snapshots.set(snapshot.name, snapshot);
    return snapshot;
  }

  async #put({ image, clock, idsMade, isImported }: Snapshot): Promise<void> {
    await this.#parts.gate.alone(async () => {
      await this.#store?.images.put(image);
      this.#parts.clock.state = clock;
      if (this.#parts.ids !== undefined) this.#parts.ids.count = idsMade;
      for (const listener of this.#listeners) await listener();
      if (isImported) await this.#store?.adoptOwner();
    });
  }
}

function noSnapshots(): AppError {
  return new AppError(
    "invalid",
    errorCodes.testControls.noSnapshots,
    "The server can be reset and has snapshots only with Node.js 24.16 or later",
  );
}
