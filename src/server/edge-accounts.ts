import type { Logger } from "pino";

import type { ListContents } from "../core/lists/contents.ts";
import { readEdgeAccount, type StoredEdgeAccount } from "../resources/edge-zones/edge-zones.ts";
import { readListContents, type ReferredList } from "../resources/lists/lists.ts";
import type { RulesetContext } from "../resources/rulesets/rulesets.ts";
import { recordReads, replayReads, type RecordedReads } from "../storage/recorded-reads.ts";
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

  constructor({ db }: Pick<RulesetContext, "db">, options: EdgeAccountOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Undefined where it was not read, or cannot be compiled. */
  get(id: string): StoredEdgeAccount | undefined {
    return this.#byId.get(id)?.stored;
  }

  /** Where it cannot be compiled, what was read before stays. Throws what the store throws. */
  async read(id: string): Promise<void> {
    const { snapshot } = this.#options;
    const known = this.#byId.get(id)?.lists;
    const { db, reads } = this.#reading();
    const isLoaded = await this.#load(id, db, async (list) => {
      const one = known?.get(list.id);
      return one?.version === list.items_version ? one.contents : this.#readList(list);
    });
    if (isLoaded) snapshot?.put(`account/${id}`, reads);
  }

  /** Throws what reading throws. */
  async restore(id: string, kept: KeptSnapshot): Promise<void> {
    const reads = kept.open(`account/${id}`) as RecordedReads;
    await this.#load(id, replayReads(reads), async (list) =>
      readListContents(replayReads(kept.open(`list/${list.id}`) as RecordedReads), list),
    );
  }

  /** Forgets those of which nothing is served. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [id, { free }] of this.#byId) {
      if (ids.has(id)) continue;
      this.#byId.delete(id);
      this.#options.snapshot?.remove(`account/${id}`);
      free();
    }
  }

  async #load(
    id: string,
    db: RulesetContext["db"]["read"],
    contentsOf: (list: ReferredList) => Promise<ListContents>,
  ): Promise<boolean> {
    const { compiler, logger } = this.#options;
    const lists = new Map<string, ReadList>();
    const stored = await readEdgeAccount(db, id, async (list) => {
      const contents = await contentsOf(list);
      lists.set(list.id, { version: list.items_version, contents });
      return contents;
    });
    try {
      const { free } = await compiler.compile({
        ...stored,
        products: { products: [], transforms: undefined },
      });
      this.#byId.get(id)?.free();
      this.#byId.set(id, { stored, lists, free });
      return true;
    } catch (error) {
      logger.error(
        { err: error, account: id },
        "the rules of an account cannot be compiled, and stay as they were",
      );
      return false;
    }
  }

  async #readList(list: ReferredList): Promise<ListContents> {
    const { db, reads } = this.#reading();
    const contents = await readListContents(db, list);
    this.#options.snapshot?.put(`list/${list.id}`, reads);
    return contents;
  }

  #reading(): ReturnType<typeof recordReads> {
    const { read } = this.#db;
    return this.#options.snapshot === undefined
      ? { db: read, reads: {} }
      : recordReads((query) => read.executeQuery(query));
  }
}
