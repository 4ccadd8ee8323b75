import type { Logger } from "pino";

import { assembleAccountRules } from "../../core/judging/zone-rules.ts";
import type { ListContents } from "../../core/lists/contents.ts";
import type { AccountDocument, ListDocument, ListReference } from "../../core/documents/zone-document.ts";
import { indexList, readListDocument } from "../../resources/lists/lists.ts";
import type { RulesetContext } from "../../resources/rulesets/rulesets.ts";
import { readAccountDocument, type RulesCompiler } from "../../resources/zone-documents/zone-documents.ts";
import { asUnavailable } from "../../storage/errors.ts";
import type { EdgeSnapshot, KeptSnapshot } from "./edge-snapshot.ts";

/** What the zones of an account have in common. */
export interface EdgeAccount {
  readonly document: AccountDocument;
  /** By their names. */
  readonly lists: ReadonlyMap<string, ListContents>;
}

interface Loaded extends EdgeAccount {
  readonly free: () => void;
}

interface EdgeAccountOptions {
  readonly compiler: RulesCompiler;
  readonly logger: Logger;
  readonly snapshot: EdgeSnapshot | undefined;
}

/**
 * What the zones of each account have in common. It is read once for all of them, and its expressions stay compiled. Of its
 * lists, those are read again that have changed.
 */
export class EdgeAccounts {
  readonly #context: Pick<RulesetContext, "db" | "managed">;
  readonly #options: EdgeAccountOptions;
  readonly #byId = new Map<string, Loaded>();
  readonly #listIds = new Set<string>();
  readonly #reading = new Map<string, Promise<void>>();
  /** Those that were not read from the store yet. */
  readonly #restored = new Set<string>();

  constructor(context: Pick<RulesetContext, "db" | "managed">, options: EdgeAccountOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Undefined where it was not read, or cannot be compiled. */
  get(id: string): EdgeAccount | undefined {
    return this.#byId.get(id);
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
    const { read } = this.#context.db;
    const known = this.#byId.get(id);
    try {
      const document = await readAccountDocument(read, id);
      this.#restored.delete(id);
      if (known !== undefined && JSON.stringify(document) === JSON.stringify(known.document)) return;
      await this.#load(document, async (list) => {
        const items = await readListDocument(read, list);
        snapshot?.put(`list/${list.id}`, items);
        return items;
      });
      snapshot?.put(`account/${id}`, document);
      this.#forgetLists(known, document);
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
    const document = kept.open(`account/${id}`) as AccountDocument;
    await this.#load(document, async (list) => kept.open(`list/${list.id}`) as ListDocument);
    this.#restored.add(id);
  }

  /** Forgets those of which nothing is served. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [id, loaded] of this.#byId) {
      if (ids.has(id)) continue;
      this.#byId.delete(id);
      this.#options.snapshot?.remove(`account/${id}`);
      this.#forgetLists(loaded);
      loaded.free();
    }
  }

  /** Reads those lists anew that have changed. */
  async #load(
    document: AccountDocument,
    readList: (list: ListReference) => Promise<ListDocument>,
  ): Promise<void> {
    const before = this.#byId.get(document.id);
    const lists = new Map<string, ListContents>();
    for (const list of document.lists) {
      const { id, name, version } = list;
      const known = before?.document.lists.find((one) => one.id === id && one.version === version);
      const contents = known && before?.lists.get(known.name);
      lists.set(name, contents ?? (await indexList(await readList(list))));
    }
    const { compiler } = this.#options;
    const { free } = await compiler.compile(assembleAccountRules(document, lists), this.#context.managed);
    this.#byId.set(document.id, { document, lists, free });
    before?.free();
    for (const { id } of document.lists) this.#listIds.add(id);
  }

  #forgetLists(before: EdgeAccount | undefined, now?: AccountDocument): void {
    for (const { id } of before?.document.lists ?? []) {
      if (now?.lists.some((list) => list.id === id) === true) continue;
      this.#listIds.delete(id);
      this.#options.snapshot?.remove(`list/${id}`);
    }
  }
}
