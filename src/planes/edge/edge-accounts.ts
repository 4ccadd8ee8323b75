import type { Logger } from "pino";

import type { ListContents } from "../../core/lists/contents.ts";
import { readEdgeAccount, type StoredEdgeAccount } from "../../resources/edge-zones/edge-zones.ts";
import { readListContents, type ReferredList } from "../../resources/lists/lists.ts";
import type { RulesetContext } from "../../resources/rulesets/rulesets.ts";
import { asUnavailable } from "../../storage/errors.ts";
import { recordReads, replayReads, type RecordedReads } from "../../storage/recorded-reads.ts";
import type { EdgeCompiler } from "./edge-compiler.ts";
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";

interface ReadList {
  readonly version: number;
  readonly contents: ListContents;
}

interface Loaded {
  readonly stored: StoredEdgeAccount;
  /** By their ids. */
  readonly lists: ReadonlyMap<string, ReadList>;
  readonly free: () => void;
}

interface EdgeAccountOptions {
  readonly compiler: EdgeCompiler;
  readonly logger: Logger;
  readonly snapshot: EdgeSnapshot | undefined;
}

/**
 * What the zones of each account have in common. It is read once for all of them, and its expressions stay compiled. Of its
 * lists, those are read again that have changed.
 */
export class EdgeAccounts {
  readonly #db: RulesetContext["db"];
  readonly #options: EdgeAccountOptions;
  readonly #byId = new Map<string, Loaded>();
  readonly #listIds = new Set<string>();
  readonly #reading = new Map<string, Promise<void>>();
  /** Those that were not read from the store yet. */
  readonly #restored = new Set<string>();

  constructor({ db }: Pick<RulesetContext, "db">, options: EdgeAccountOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Undefined where it was not read, or cannot be compiled. */
  get(id: string): StoredEdgeAccount | undefined {
    return this.#byId.get(id)?.stored;
  }

  /** Whether it is served as a snapshot says. */
  isRestored(id: string): boolean {
    return this.#restored.has(id);
  }

  /** Whether an entry of a snapshot is of what is served. */
  isKept(key: string): boolean {
    const [kind, id = ""] = key.split("/");
    return kind === "account" ? this.#byId.has(id) : kind === "list" && this.#listIds.has(id);
  }

  /**
   * Where it cannot be read or compiled, what was read before stays. Of several reads at the same time the last one counts. Throws where
   * the store is away.
   */
  async read(id: string): Promise<void> {
    const reading = (this.#reading.get(id) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#read(id));
    this.#reading.set(id, reading);
    try {
      await reading;
    } finally {
      if (this.#reading.get(id) === reading) this.#reading.delete(id);
    }
  }

  async #read(id: string): Promise<void> {
    const { logger, snapshot } = this.#options;
    const known = this.#byId.get(id)?.lists;
    const { db, reads } = this.#recording();
    try {
      await this.#load(id, db, async (list) => {
        const one = known?.get(list.id);
        return one?.version === list.items_version ? one.contents : this.#readList(list);
      });
      snapshot?.put(`account/${id}`, reads);
      this.#forgetLists(known, this.#byId.get(id)?.lists);
      this.#restored.delete(id);
    } catch (error) {
      if (asUnavailable(error) !== undefined) throw error;
      logger.error(
        { err: error, account: id },
        "the rules of an account cannot be read or compiled, and stay as they were",
      );
    }
  }

  /** Throws what reading and compiling throw. */
  async restore(id: string, kept: KeptSnapshot): Promise<void> {
    const reads = kept.open(`account/${id}`) as RecordedReads;
    await this.#load(id, replayReads(reads), async (list) =>
      readListContents(replayReads(kept.open(`list/${list.id}`) as RecordedReads), list),
    );
    this.#restored.add(id);
  }

  /** Forgets those of which nothing is served. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [id, { lists, free }] of this.#byId) {
      if (ids.has(id)) continue;
      this.#byId.delete(id);
      this.#options.snapshot?.remove(`account/${id}`);
      this.#forgetLists(lists);
      free();
    }
  }

  async #load(
    id: string,
    db: RulesetContext["db"]["read"],
    contentsOf: (list: ReferredList) => Promise<ListContents>,
  ): Promise<void> {
    const { compiler } = this.#options;
    const lists = new Map<string, ReadList>();
    const stored = await readEdgeAccount(db, id, async (list) => {
      const contents = await contentsOf(list);
      lists.set(list.id, { version: list.items_version, contents });
      return contents;
    });
    const { free } = await compiler.compile({ ...stored, products: { products: [], transforms: undefined } });
    const before = this.#byId.get(id);
    this.#byId.set(id, { stored, lists, free });
    before?.free();
    for (const listId of lists.keys()) this.#listIds.add(listId);
  }

  #forgetLists(lists: Loaded["lists"] = new Map(), but: Loaded["lists"] = new Map()): void {
    for (const id of lists.keys()) {
      if (but.has(id)) continue;
      this.#listIds.delete(id);
      this.#options.snapshot?.remove(`list/${id}`);
    }
  }

  async #readList(list: ReferredList): Promise<ListContents> {
    const { db, reads } = this.#recording();
    const contents = await readListContents(db, list);
    this.#options.snapshot?.put(`list/${list.id}`, reads);
    return contents;
  }

  #recording(): ReturnType<typeof recordReads> {
    const { read } = this.#db;
    return this.#options.snapshot === undefined
      ? { db: read, reads: {} }
      : recordReads((query) => read.executeQuery(query));
  }
}
