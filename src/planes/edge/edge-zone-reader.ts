import { setImmediate as nextTurn } from "node:timers/promises";

import type { CoreRules } from "../../core/judging/core-rules.ts";
import { listNamesOf } from "../../core/judging/zone-rules.ts";
import { documentParts, type DocumentPart, type ZoneDocument } from "../../core/documents/zone-document.ts";
import type { EdgeZone } from "../../edge/zones/edge-zone.ts";
import { version as softwareVersion } from "../../process/version.ts";
import type { RulesetContext } from "../../resources/rulesets/rulesets.ts";
import {
  listZones,
  readZoneDocuments,
  type ListedZone,
  type NamedZone,
  type RulesCompiler,
} from "../../resources/zone-documents/zone-documents.ts";
import type { ZoneSettings } from "../../resources/zones/zones.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { asUnavailable } from "../../storage/errors.ts";
import type { EdgeAccount, EdgeAccounts } from "./edge-accounts.ts";
import { EdgeNames } from "./edge-names.ts";
import type { EdgeSnapshot } from "./edge-snapshot.ts";
import { makeEdgeZone, rulesOf, withAccount } from "./make-edge-zone.ts";
import type { ReadyZones } from "./ready-zones.ts";

export interface EdgeZoneContext extends RulesetContext {
  readonly settings: ZoneSettings;
  readonly secretBox: SecretBox;
}

/** The read parts of a zone. */
interface ReadZone {
  readonly document: ZoneDocument;
  readonly names: EdgeNames;
  /** The entry of the listing; after a change of its records alone, the latest one. */
  listed: ListedZone;
}

/** A zone that was read, in the version that is served. */
export interface LoadedZone extends ReadZone {
  readonly account: EdgeAccount;
  readonly coreRules: CoreRules | undefined;
  readonly zone: EdgeZone;
  /** Memory of all but its names and its ready rules. */
  readonly octets: number;
}

interface ReaderOptions {
  readonly accounts: EdgeAccounts;
  readonly compiler: RulesCompiler;
  readonly ready: ReadyZones;
  readonly snapshot: EdgeSnapshot | undefined;
}

/** Memory of a zone without anything, of a name with a record, and of a character of the rest, as measured. */
const octetsOf = { zone: 6_000, name: 400, character: 3 } as const;

/** The memory that a zone takes, but for its ready rules. */
export const octetsOfZone = ({ octets, names }: LoadedZone): number => octets + names.count * octetsOf.name;

/**
 * Reads zones from the store, or from the `snapshot`, and makes them ready to serve. What is read of one is
 * compiled aside, and then replaces what was served. What was read and can be served is kept in the snapshot.
 */
export class EdgeZoneReader {
  readonly #context: EdgeZoneContext;
  readonly #options: ReaderOptions;
  readonly #lists: Together<ListedZone>;
  readonly #documents = new Map<string, Together<Partial<ZoneDocument>>>();
  /** The last of what reads a zone, by the id of the zone. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(context: EdgeZoneContext, options: ReaderOptions) {
    this.#context = context;
    this.#options = options;
    this.#lists = new Together(async (ids) => {
      const listed = await listZones(context.db.read, ids);
      return new Map(listed.map((one) => [one.id, one]));
    });
  }

  /** Reads a zone; undefined where it is not active. Throws what reading and compiling throw. */
  read({ id }: NamedZone): Promise<LoadedZone | undefined> {
    return this.#inTurn(id, async () => {
      const listed = await this.#lists.read(id);
      return listed && this.#readParts(listed, documentParts, undefined);
    });
  }

  /**
   * Reads the changes of a zone since it was `known`, and returns `known` where nothing has changed. Throws as `read`
   * does.
   */
  follow(listed: ListedZone, known: LoadedZone): Promise<LoadedZone | undefined> {
    return this.#inTurn(listed.id, () => this.#follow(listed, known));
  }

  async #follow(listed: ListedZone, known: LoadedZone): Promise<LoadedZone | undefined> {
    const isAlike = known.names.isOf(listed);
    const changed = changedParts(listed, isAlike ? known.listed : undefined);
    if (changed.length > 0) return this.#readParts(listed, changed, isAlike ? known : undefined);
    const { recordsVersion } = known.listed;
    await known.names.follow(this.#context.db.read, listed);
    known.listed = listed;
    if (recordsVersion !== listed.recordsVersion)
      await known.names.keep(async (snapshot) => snapshot.setVersion("zone", listed.id, versionOf(listed)));
    return this.refresh(known);
  }

  /**
   * The zone with its account and the Core Rule Set as they are now; the same where they are. Throws what compiling
   * throws.
   */
  async refresh(known: LoadedZone): Promise<LoadedZone> {
    const account = this.#options.accounts.get(known.listed.accountId) ?? known.account;
    const isSame = known.account === account && known.coreRules === this.#context.managed.coreRules;
    return isSame ? known : this.#make(known, account, known);
  }

  /** Reads a zone as it was kept; undefined where it was not. Throws what decrypting and compiling throw. */
  async restore({ id, accountId }: NamedZone): Promise<LoadedZone | undefined> {
    const { snapshot, accounts } = this.#options;
    const kept = snapshot?.find("zone", id);
    if (snapshot === undefined || kept === undefined) return undefined;
    if (accounts.get(accountId) === undefined) await accounts.restore(accountId);
    const account = this.#accountOf(accountId);
    const { listed, document } = listedOf(id, kept);
    const names = new EdgeNames(listed, snapshot);
    names.restore(snapshot);
    return this.#make({ listed, document, names }, account);
  }

  /**
   * Brings the kept documents of a zone up to date, without serving it. A state that cannot be compiled is not kept:
   * the one served last is. Throws what reading and compiling throw.
   */
  keep(id: string): Promise<void> {
    return this.#inTurn(id, () => this.#keep(id));
  }

  async #keep(id: string): Promise<void> {
    const { snapshot, compiler } = this.#options;
    const listed = await this.#lists.read(id);
    if (listed === undefined || snapshot === undefined) return;
    const kept = snapshot.find("zone", id);
    const before = kept && listedOf(id, kept);
    const isAlike = before?.listed.name === listed.name && before.listed.isSecondary === listed.isSecondary;
    const known = isAlike ? before : undefined;
    const read = await this.#readDocument(id, changedParts(listed, known?.listed));
    if (read === undefined) return;
    const document = { ...known?.document, ...read } as ZoneDocument;
    const account = await this.#readAccount(listed.accountId, document);
    const { free } = await compiler.compile(rulesOf(document, account), this.#context.managed);
    free();
    const names = new EdgeNames(listed, snapshot);
    if (isAlike) names.resume(snapshot);
    await names.follow(this.#context.db.read, listed);
    await names.keep((to) => to.put("zone", id, versionOf(listed), document, listed));
  }

  /** Runs what reads one zone one after another: otherwise an earlier version could be kept in place of a later one. */
  async #inTurn<Done>(id: string, work: () => Promise<Done>): Promise<Done> {
    const before = this.#turns.get(id);
    const done = before === undefined ? work() : before.then(work);
    const turn = done.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(id, turn);
    try {
      return await done;
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    }
  }

  /** Reads these parts, and takes the others from `known`. */
  async #readParts(
    listed: ListedZone,
    parts: readonly DocumentPart[],
    known: LoadedZone | undefined,
  ): Promise<LoadedZone | undefined> {
    const read = await this.#readDocument(listed.id, parts);
    if (read === undefined) return undefined;
    const document = { ...known?.document, ...read } as ZoneDocument;
    const account = await this.#readAccount(listed.accountId, document);
    const names = known?.names ?? new EdgeNames(listed, this.#options.snapshot);
    // Records first: a zone on disk is never newer than its records.
    await names.follow(this.#context.db.read, listed);
    // A state that cannot be served is not kept: the one served last is.
    const made = await this.#make({ listed, document, names }, account);
    await names.keep((snapshot) => snapshot.put("zone", listed.id, versionOf(listed), document, listed));
    return made;
  }

  /** Reads these parts of a zone; undefined where it is not active. */
  async #readDocument(
    id: string,
    parts: readonly DocumentPart[],
  ): Promise<Partial<ZoneDocument> | undefined> {
    const all: readonly DocumentPart[] = [...new Set<DocumentPart>(["facts", ...parts])];
    const key = all.join();
    const reads =
      this.#documents.get(key) ?? new Together((ids) => readZoneDocuments(this.#context.db.read, ids, all));
    this.#documents.set(key, reads);
    const read = await reads.read(id);
    return read?.facts?.status === "active" ? read : undefined;
  }

  /** Reads an account that is not held, or of which a rule is the first to name a list. */
  async #readAccount(id: string, { rules }: ZoneDocument): Promise<EdgeAccount> {
    const { accounts } = this.#options;
    const lists = accounts.get(id)?.lists;
    if (lists === undefined || [...listNamesOf(rules)].some((name) => !lists.has(name)))
      await accounts.read(id);
    return this.#accountOf(id);
  }

  #accountOf(id: string): EdgeAccount {
    const account = this.#options.accounts.get(id);
    if (account === undefined) throw new Error(`nothing is known of the account ${id}`);
    return account;
  }

  /** Compiles a zone. `same` is served already, and differs only in its account. Throws what compiling throws. */
  async #make(
    { listed, document, names }: ReadZone,
    account: EdgeAccount,
    same?: LoadedZone,
  ): Promise<LoadedZone> {
    const { compiler, ready } = this.#options;
    const { managed } = this.#context;
    const { coreRules } = managed;
    const zone =
      same === undefined
        ? makeEdgeZone(this.#context, document, names.names, account)
        : withAccount(same.zone, document, account);
    const compile = (onOctets: () => void) => compiler.compile(rulesOf(document, account), managed, onOctets);
    await (same === undefined ? ready.add(zone, compile) : ready.replace(same.zone, zone, compile));
    const octets = same?.octets ?? octetsOf.zone + JSON.stringify(document).length * octetsOf.character;
    return { listed, document, names, account, coreRules, zone, octets };
  }
}

/** The version of what is kept of a zone: another program may make something else of the same versions. */
export function versionOf({ versions, recordsVersion, isSecondary }: ListedZone): string {
  return JSON.stringify([software, documentParts.map((part) => versions[part]), recordsVersion, isSecondary]);
}

const software = softwareVersion();

function listedOf(
  id: string,
  { version, value }: { readonly version: string; readonly value: unknown },
): { readonly listed: ListedZone; readonly document: ZoneDocument } {
  const document = value as ZoneDocument;
  const { name, accountId } = document.facts;
  const [by, versions, recordsVersion, isSecondary] = JSON.parse(version) as [
    string,
    readonly number[],
    number,
    boolean,
  ];
  return {
    document,
    listed: {
      id,
      name,
      accountId,
      recordsVersion,
      isSecondary,
      // Documents that another program kept are served while nothing else is there, and count as changed.
      versions:
        by === software ? Object.fromEntries(documentParts.map((part, at) => [part, versions[at]])) : {},
    },
  };
}

const changedParts = (listed: ListedZone, known: ListedZone | undefined): readonly DocumentPart[] =>
  documentParts.filter((part) => known?.versions[part] !== listed.versions[part]);

/** Reads what is asked for in the same turn of the event loop together. */
class Together<Value> {
  readonly #read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  #asked: { readonly ids: Set<string>; readonly reading: Promise<ReadonlyMap<string, Value>> } | undefined;

  constructor(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#read = read;
  }

  async read(id: string): Promise<Value | undefined> {
    const { ids, reading } = (this.#asked ??= this.#ask());
    ids.add(id);
    try {
      return (await reading).get(id);
    } catch (error) {
      if (ids.size === 1 || asUnavailable(error) !== undefined) throw error;
      // One of them cannot be read, and the others can.
      return (await this.#read([id])).get(id);
    }
  }

  #ask() {
    const ids = new Set<string>();
    const reading = nextTurn().then(() => {
      this.#asked = undefined;
      return this.#read([...ids]);
    });
    return { ids, reading };
  }
}
