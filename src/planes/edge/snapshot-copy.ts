import type { Logger } from "pino";

import { createPause } from "../../operation/pause.ts";
import { listAccounts, listZones } from "../../resources/zone-documents/zone-documents.ts";
import { asUnavailable } from "../../storage/errors.ts";
import type { Database } from "../../storage/database.ts";
import type { ActiveZones } from "../active-zones.ts";
import type { EdgeAccounts } from "./edge-accounts.ts";
import type { EdgeSnapshot } from "./edge-snapshot.ts";
import { versionOf, type EdgeZoneReader } from "./edge-zone-reader.ts";

interface CopyContext {
  readonly snapshot: EdgeSnapshot;
  readonly db: Pick<Database, "read">;
  readonly index: ActiveZones;
  readonly reader: Pick<EdgeZoneReader, "keep">;
  readonly accounts: Pick<EdgeAccounts, "read">;
  /** Is called with a zone that cannot be kept as the store has it. */
  readonly onUnusable: (id: string) => void;
  readonly logger: Pick<Logger, "error">;
}

const comparedAtOnce = 500;
const keptAtOnce = 16;

/**
 * Keeps a snapshot equal to the store: of all zones, whether anybody has asked for them or not. Zones are compared
 * by their versions, and those that differ are read a few at a time, beside what visitors ask for.
 */
export class SnapshotCopy {
  readonly #context: CopyContext;
  /** Zones that the store has otherwise, or may have, with the number of the change that said so. */
  readonly #unkept = new Map<string, number>();
  #changes = 0;
  /** Zones that cannot be kept as the store has them, until they change. */
  readonly #unusable = new Set<string>();
  /** Whether everything is to be compared, and whether it was since. */
  #isToCompare = true;
  #isCompared = false;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(context: CopyContext) {
    this.#context = context;
    context.index.onEnter(({ id }) => {
      if (!this.#isToCompare) this.changed([id]);
    });
    context.index.onLeave(({ id }) => {
      this.#unkept.delete(id);
      this.#unusable.delete(id);
      this.#write(() => context.snapshot.remove("zone", id));
    });
  }

  /** Whether what is kept equals the store, as far as that is possible. */
  get isComplete(): boolean {
    return this.missing === 0;
  }

  /** Zones that are still to be kept: all of them until they have been compared. */
  get missing(): number {
    return this.#isCompared ? this.#unkept.size : this.#context.index.size;
  }

  /** Whether a zone is kept as the store has it. */
  isFresh(id: string): boolean {
    return this.#isCompared && !this.#unkept.has(id) && !this.#unusable.has(id);
  }

  /** Notes that zones may have changed. */
  changed(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#unusable.delete(id);
      // At the end, where a run that has passed it finds it again.
      this.#unkept.delete(id);
      this.#unkept.set(id, (this.#changes += 1));
    }
  }

  /** Notes that a zone is kept as the store has it. */
  kept(id: string): void {
    this.#unkept.delete(id);
    this.#unusable.delete(id);
  }

  /** Compares everything again: the file is another one, or anything may have changed. */
  compareAgain(): void {
    this.#isToCompare = true;
    this.#isCompared = false;
  }

  /** Goes on with what is to be kept, unless it is at it. Never rejects: what fails is tried again at the next call. */
  run(): Promise<void> {
    this.#running ??= this.#run()
      .catch((error: unknown) => {
        if (asUnavailable(error) === undefined) this.#context.snapshot.failed(error);
      })
      .finally(() => (this.#running = undefined));
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    if (this.#isToCompare) await this.#compare();
    const pause = createPause();
    for (const portion of portionsOf(this.#unkept, keptAtOnce)) {
      if (this.#isStopped) return;
      // Read with the same statements.
      const kept = await Promise.allSettled(portion.map(([id, change]) => this.#keep(id, change)));
      for (const one of kept) if (one.status === "rejected") throw one.reason;
      await pause();
    }
  }

  async #keep(id: string, change: number): Promise<void> {
    const { index, reader, logger, onUnusable } = this.#context;
    try {
      if (index.withId(id) !== undefined) await reader.keep(id);
      // Otherwise it changed while it was read, and its turn comes again.
      if (this.#unkept.get(id) === change) this.kept(id);
    } catch (error) {
      if (asUnavailable(error) !== undefined) throw error;
      logger.error({ err: error, zone: id }, "a zone cannot be read or compiled, and is kept as it was");
      this.#unkept.delete(id);
      this.#unusable.add(id);
      onUnusable(id);
    }
  }

  async #compare(): Promise<void> {
    const { snapshot, db, index, accounts } = this.#context;
    this.#isToCompare = false;
    try {
      const accountIds = new Set<string>();
      const pause = createPause();
      for (const ids of portionsOf(index.ids(), comparedAtOnce)) {
        if (this.#isStopped) return;
        const kept = snapshot.versions("zone", ids);
        for (const listed of await listZones(db.read, ids)) {
          accountIds.add(listed.accountId);
          if (kept.get(listed.id) !== versionOf(listed)) this.changed([listed.id]);
        }
        await pause();
      }
      for (const id of snapshot.ids("zone")) if (index.withId(id) === undefined) snapshot.remove("zone", id);
      for (const ids of portionsOf(snapshot.ids("account"), comparedAtOnce)) {
        const kept = snapshot.versions("account", ids);
        const stored = await listAccounts(db.read, ids);
        for (const id of ids) {
          if (!accountIds.has(id)) snapshot.remove("account", id);
          else if (kept.get(id) !== stored.get(id)) await accounts.read(id);
        }
      }
      // Unless it was to be compared again meanwhile.
      this.#isCompared = !this.#isToCompare;
    } catch (error) {
      this.#isToCompare = true;
      throw error;
    }
  }

  #write(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#context.snapshot.failed(error);
      this.compareAgain();
    }
  }
}

function* portionsOf<Item>(items: Iterable<Item>, atOnce: number): Generator<Item[]> {
  let portion: Item[] = [];
  for (const item of items) {
    portion.push(item);
    if (portion.length < atOnce) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
