import { fairShare } from "../../core/fair-share.ts";
import { eachAtOnce } from "../../operation/pause.ts";

/** A zone of which no more is known than its name and its account. */
export interface UnreadZone {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  /** Where it throws, the zone remains unread. */
  readonly read: () => Promise<void>;
}

interface Entry {
  zone: UnreadZone;
  reading: Promise<void> | undefined;
}

/** The zones that were not read yet. Each is read when it is asked for, or in its turn. */
export class UnreadZones {
  readonly #byId = new Map<string, Entry>();
  readonly #byName = new Map<string, Entry>();

  get size(): number {
    return this.#byId.size;
  }

  get ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  at(name: string): UnreadZone | undefined {
    return this.#byName.get(name)?.zone;
  }

  hasId(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Adds a zone, or changes how it is read: one that is being read is read once more. */
  add(zone: UnreadZone): void {
    const known = this.#byId.get(zone.id);
    if (known !== undefined) {
      known.zone = zone;
      return;
    }
    const entry = { zone, reading: undefined };
    this.#byId.set(zone.id, entry);
    this.#byName.set(zone.name, entry);
  }

  /** Removes a zone. `undo` is called if it is being read, once it was. */
  remove(id: string, undo: () => void): void {
    const entry = this.#byId.get(id);
    if (entry?.reading !== undefined) entry.zone = { ...entry.zone, read: async () => undo() };
    else if (entry !== undefined) this.#delete(entry);
  }

  clear(): void {
    this.#byId.clear();
    this.#byName.clear();
  }

  /** Reads a zone, which then is unread no longer. Throws what reading throws. */
  async read(name: string): Promise<void> {
    const entry = this.#byName.get(name);
    if (entry !== undefined) await this.#read(entry);
  }

  /** Reads all zones, `atOnce` of them at the same time, those of accounts in turns. Throws the first failure. */
  async readAll(atOnce: number): Promise<void> {
    while (this.size > 0) {
      const inTurns = fairShare([...this.#byId.values()], ({ zone }) => zone.accountId, this.size);
      await eachAtOnce(inTurns, atOnce, async (entry) => {
        if (this.#byId.get(entry.zone.id) === entry) await this.#read(entry);
      });
    }
  }

  #read(entry: Entry): Promise<void> {
    return (entry.reading ??= this.#readNewest(entry));
  }

  async #readNewest(entry: Entry): Promise<void> {
    let read: UnreadZone | undefined;
    try {
      while (read !== entry.zone) {
        read = entry.zone;
        await read.read();
      }
      this.#delete(entry);
    } finally {
      entry.reading = undefined;
    }
  }

  #delete(entry: Entry): void {
    const { id, name } = entry.zone;
    this.#byId.delete(id);
    if (this.#byName.get(name) === entry) this.#byName.delete(name);
  }
}
