import type { AccountPart, ChangedZones, Changes, ZonePart } from "../storage/changes.ts";

const retryMs = 400;
/** If more zones or accounts have changed, all zones are read. */
const idsMax = 1_000;

interface Follower {
  /** Parts that it reads of zones and accounts; changes of the rest are nothing to it. */
  readonly zoneParts: ReadonlySet<ZonePart>;
  readonly accountParts: ReadonlySet<AccountPart>;
  /** Reads the state of these zones; undefined: of all. */
  readonly read: (changed: ChangedZones | undefined) => Promise<void>;
  /** Called when `read` failed; all zones are read again a little later. */
  readonly onFailure: (error: unknown) => void;
}

/** Follows the changes of zones: reads the store again and again, as long as something has changed. */
export class ZoneChanges {
  readonly #follower: Follower;
  #ids = new Set<string>();
  #accountIds = new Set<string>();
  #isAny = false;
  #running: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isFollowing = false;
  #isStopped = false;

  constructor(follower: Follower) {
    this.#follower = follower;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The reads in progress; never rejects. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Notes what has changed; undefined: anything. */
  add(changes: Changes | undefined): void {
    if (changes === undefined) this.#isAny = true;
    else {
      for (const id of idsWith(changes.zones, this.#follower.zoneParts)) this.#ids.add(id);
      for (const id of idsWith(changes.accounts, this.#follower.accountParts)) this.#accountIds.add(id);
    }
    this.#wake();
  }

  addZone(id: string): void {
    this.#ids.add(id);
    this.#wake();
  }

  /** Reads until nothing more has changed. Throws what `read` throws. */
  async catchUp(): Promise<void> {
    while (!this.#isStopped && this.#isPending()) {
      const isAll = this.#isAny || this.#ids.size > idsMax || this.#accountIds.size > idsMax;
      const changed = isAll ? undefined : { ids: [...this.#ids], accountIds: [...this.#accountIds] };
      this.#ids = new Set();
      this.#accountIds = new Set();
      this.#isAny = false;
      await this.#follower.read(changed);
    }
  }

  /** Notes that zones could not be read: all are read again a little later. */
  fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#follower.onFailure(error);
    this.#isAny = true;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#wake(), retryMs).unref();
  }

  /** From now on, every `add` starts a read. */
  follow(): void {
    this.#isFollowing = true;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    await this.#running;
  }

  #isPending(): boolean {
    return this.#isAny || this.#ids.size > 0 || this.#accountIds.size > 0;
  }

  #wake(): void {
    if (!this.#isFollowing || this.#isStopped || this.#running !== undefined || !this.#isPending()) return;
    this.#running = this.catchUp()
      .catch((error: unknown) => {
        this.fail(error);
        return true;
      })
      .then((hasFailed) => {
        this.#running = undefined;
        if (hasFailed !== true) this.#wake();
      });
  }
}

function idsWith<Part>(
  changed: ReadonlyMap<string, ReadonlySet<Part>>,
  parts: ReadonlySet<Part>,
): readonly string[] {
  return Array.from(changed).flatMap(([id, its]) => (its.isDisjointFrom(parts) ? [] : [id]));
}

/** Whether changes may concern which zones are transferred, from whom and to whom. */
export function areOfTransfers(changes: Changes | undefined): boolean {
  if (changes === undefined) return true;
  const { zones, accounts } = changes;
  return idsWith(zones, transferParts).length > 0 || idsWith(accounts, new Set(["dns"])).length > 0;
}

const transferParts: ReadonlySet<ZonePart> = new Set(["facts", "transfers"]);
