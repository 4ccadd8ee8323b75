import { FairMap } from "../../core/fair-map.ts";
import type { Logger } from "pino";

import { assembleAccountRules } from "../../core/judging/zone-rules.ts";
import type { ListContents } from "../../core/lists/contents.ts";
import type { AccountDocument, ListDocument, ListReference } from "../../core/documents/zone-document.ts";
import { indexList, readListDocument } from "../../resources/lists/lists.ts";
import type { RulesetContext } from "../../resources/rulesets/rulesets.ts";
import {
  listAccounts,
  readAccountDocument,
  type RulesCompiler,
} from "../../resources/zone-documents/zone-documents.ts";
import { asUnavailable } from "../../storage/errors.ts";
import type { EdgeSnapshot } from "./edge-snapshot.ts";

/** The rules and lists that the zones of an account share. */
export interface EdgeAccount {
  readonly document: AccountDocument;
  readonly lists: ReadonlyMap<string, ListContents>;
}

interface Held extends EdgeAccount {
  /** Another one after every change; undefined where that is not known. */
  version: string | undefined;
  readonly free: () => void;
}

interface EdgeAccountOptions {
  readonly compiler: RulesCompiler;
  readonly logger: Pick<Logger, "error">;
  readonly snapshot: EdgeSnapshot | undefined;
  /** Memory for all accounts that are held. */
  readonly octetsMax: number;
  /** Is called with the id of an account that had to make room. */
  readonly dropped: (id: string) => void;
}

/** Memory of an item of a list, and of a character of the rest, as measured. */
const octetsOfItem = 200;
const octetsOfCharacter = 3;

/**
 * The rules and lists that the zones of each account share. They are read once for all of them, and their expressions
 * stay compiled. Of its lists, those are read again that have changed.
 */
export class EdgeAccounts {
  readonly #context: Pick<RulesetContext, "db" | "managed">;
  readonly #options: EdgeAccountOptions;
  readonly #held: FairMap<string, Held>;
  readonly #reading = new Map<string, Promise<unknown>>();

  constructor(context: Pick<RulesetContext, "db" | "managed">, options: EdgeAccountOptions) {
    this.#context = context;
    this.#options = options;
    this.#held = new FairMap({
      weightMax: options.octetsMax,
      onDrop: ({ document: { id }, free }) => {
        free();
        options.dropped(id);
      },
    });
  }

  /** Undefined where it is not held; otherwise the last one that was used. */
  get(id: string): EdgeAccount | undefined {
    return this.#held.get(id);
  }

  /** The ids of those that are held and that the store has otherwise. Throws what reading throws. */
  async changed(): Promise<readonly string[]> {
    const held = Array.from(this.#held);
    const ids = held.map(([id]) => id);
    const versions = await listAccounts(this.#context.db.read, ids);
    return held.filter(([id, { version }]) => version !== versions.get(id)).map(([id]) => id);
  }

  /**
   * Reads an account from the store. Where it cannot be compiled, the earlier state stays. Throws what reading
   * throws.
   */
  async read(id: string): Promise<void> {
    await this.#inTurn(id, () => this.#read(id));
  }

  /**
   * Takes an account as it was kept, unless it is held. Throws what decrypting and compiling throw, and where it was
   * not kept.
   */
  async restore(id: string): Promise<void> {
    await this.#inTurn(id, async () => {
      const { snapshot } = this.#options;
      if (this.#held.peek(id) !== undefined) return;
      const kept = snapshot?.find("account", id);
      if (kept === undefined) throw new Error(`nothing was kept of the account ${id}`);
      await this.#load(kept.value as AccountDocument, kept.version, async (list) => {
        const items = snapshot?.find("list", list.id);
        if (items === undefined) throw new Error(`the list ${list.id} was not kept`);
        return items.value as ListDocument;
      });
    });
  }

  async #read(id: string): Promise<void> {
    const { logger, snapshot } = this.#options;
    const { read } = this.#context.db;
    const known = this.#held.peek(id);
    try {
      const version = (await listAccounts(read, [id])).get(id);
      const document = await readAccountDocument(read, id);
      if (known !== undefined && JSON.stringify(document) === JSON.stringify(known.document)) {
        known.version = version;
      } else {
        await this.#load(document, version, async (list) => {
          const items = await readListDocument(read, list);
          await snapshot?.put("list", list.id, String(list.version), items);
          return items;
        });
        for (const { id: listId } of known?.document.lists ?? [])
          if (!document.lists.some((list) => list.id === listId)) snapshot?.remove("list", listId);
      }
      if (version !== undefined) await snapshot?.put("account", id, version, document);
    } catch (error) {
      if (asUnavailable(error) !== undefined || known === undefined) throw error;
      logger.error(
        { err: error, account: id },
        "the rules of an account cannot be read or compiled, and stay as they were",
      );
    }
  }

  /** Reads those lists anew that have changed. */
  async #load(
    document: AccountDocument,
    version: string | undefined,
    readList: (list: ListReference) => Promise<ListDocument>,
  ): Promise<void> {
    const before = this.#held.peek(document.id);
    const lists = new Map<string, ListContents>();
    for (const list of document.lists) {
      const known = before?.document.lists.find(
        ({ id, version: of }) => id === list.id && of === list.version,
      );
      const contents = known && before?.lists.get(known.name);
      lists.set(list.name, contents ?? (await indexList(await readList(list))));
    }
    const { compiler } = this.#options;
    const { free } = await compiler.compile(assembleAccountRules(document, lists), this.#context.managed);
    this.#held.peek(document.id)?.free();
    this.#hold({ document, lists, free, version });
  }

  #hold(account: Held): void {
    const { document } = account;
    const octets =
      JSON.stringify(document).length * octetsOfCharacter +
      document.lists.reduce((sum, { itemCount }) => sum + itemCount * octetsOfItem, 0);
    this.#held.set(document.id, account, [document.id], Math.min(octets, this.#options.octetsMax));
  }

  /** Puts reads of one account behind each other: the last one counts. */
  async #inTurn(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#reading.get(id);
    const running = (before ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#reading.set(id, running);
    try {
      await running;
    } finally {
      if (this.#reading.get(id) === running) this.#reading.delete(id);
    }
  }
}
