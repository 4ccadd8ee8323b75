const retryMs = 400;
/** If more zones have changed, all are read. */
const idsMax = 1_000;

interface Follower {
  /** Reads the state of these zones; undefined: of all. */
  readonly read: (ids: readonly string[] | undefined) => Promise<void>;
  /** Called when `read` failed; all zones are read again a little later. */
  readonly onFailure: (error: unknown) => void;
}

/** Follows the changes of zones: reads the store again and again, as long as something has changed. */
export class ZoneChanges {
  readonly #follower: Follower;
  #ids = new Set<string>();
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

  /** Notes that zones have changed; undefined: any. */
  add(ids: Iterable<string> | undefined): void {
    if (ids === undefined) this.#isAny = true;
    else for (const id of ids) this.#ids.add(id);
    this.#wake();
  }

  /** Reads until nothing more has changed. Throws what `read` throws. */
  async catchUp(): Promise<void> {
    while (!this.#isStopped && this.#isPending()) {
      const ids = this.#isAny || this.#ids.size > idsMax ? undefined : [...this.#ids];
      this.#ids = new Set();
      this.#isAny = false;
      await this.#follower.read(ids);
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
    return this.#isAny || this.#ids.size > 0;
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
