import type { ZoneApex } from "./apex.ts";
import { isCut, NameTree } from "../names/name-tree.ts";
import { Signatures, ZoneSigner, type ZoneSigning } from "../dnssec/zone-signer.ts";
import { typeCodes } from "../wire/codes.ts";
import { isAtOrBelow } from "../wire/names.ts";
import {
  apexSets,
  servedName,
  withNameServers,
  type ServedName,
  type ServingRules,
  type ZoneRecord,
  type FlattenedCname,
} from "./record-sets.ts";
import type { RecordSet, OwnedSet } from "../wire/record-data.ts";
import { signedSets, TransferContent } from "./transfer-content.ts";
import { ZoneJournal, ZoneStep, type ChangedName } from "./zone-journal.ts";
import { signatureAmong, TransferredProofs } from "./transferred-proofs.ts";
import { provedTypes, ZoneDenials, type Denials } from "./zone-denials.ts";
import { ZoneNodes, type Finding, type Node, type NodeContent, type NodesSnapshot } from "./zone-nodes.ts";
import { withoutTypes } from "../dnssec/denial.ts";

/** Names that `link` handles before it yields. */
const namesAtOnce = 500;

/**
 * A zone as it is served. Names are folded and without final dot. The cost of a query does not depend on the
 * number of names. To change a signed zone, call `setRecords` any number of times, then `changeApex`, which
 * updates its NSEC or NSEC3 records.
 */
export class ZoneView {
  readonly name: string;
  readonly journal = new ZoneJournal();
  /** False for a zone that this server should answer for but cannot: every answer is SERVFAIL. */
  isAvailable = true;
  /** Called after each change of an answer. */
  onChange: (() => void) | undefined;
  readonly #rules: ServingRules;
  readonly #names = new ZoneNodes();
  readonly #signatures = new Signatures();
  #signer: ZoneSigner | undefined;
  #transfer: TransferContent;
  /** Undefined in an unsigned zone, and before `link` has run. */
  #denials: ZoneDenials | undefined;
  /** Undefined unless the zone comes with the signatures of its primary server. */
  readonly #transferredProofs: TransferredProofs | undefined;
  readonly #tree: NameTree<Node>;
  /** Names that were delegated, or are no longer, and whose names below are not proved anew yet. */
  readonly #changedCuts = new Set<string>();
  /** Names that changed and whose NSEC or NSEC3 records are not updated yet. */
  readonly #unproved = new Set<string>();
  #serial: number;
  #apex: ReturnType<typeof apexSets>;
  #apexRecords: readonly ZoneRecord[] = [];
  #recordCount = 0;
  #flattenedCount = 0;

  constructor(apex: ZoneApex, rules: ServingRules, signing?: ZoneSigning) {
    this.name = apex.name;
    this.#rules = rules;
    this.#tree = new NameTree(apex.name, {
      get: (name) => this.#names.get(name),
      add: (name) => this.#addName(name),
      delete: (name) => this.#deleteName(name),
    });
    this.#transferredProofs = rules.presigned && new TransferredProofs(apex.name, rules.presigned.sha1);
    this.#serial = apex.serial;
    this.#apex = apexSets(apex);
    this.#signer = signing && new ZoneSigner(this.name, signing, this.#signatures);
    this.#transfer = new TransferContent(this.name, rules.flattensAll, this.#signer);
    this.#setApex();
  }

  /** Empty where none is known. */
  get accountId(): string {
    return this.#rules.accountId ?? "";
  }

  get serial(): number {
    return this.#serial;
  }

  get soa(): RecordSet {
    return this.#apex.soa;
  }

  get recordCount(): number {
    return this.#recordCount + 2 * (this.#proofNodes?.size ?? 0);
  }

  get negativeSoa(): RecordSet {
    return this.#apex.negativeSoa;
  }

  get size(): number {
    return this.#names.size;
  }

  get signer(): ZoneSigner | undefined {
    return this.#signer;
  }

  /** The NSEC or NSEC3 records; undefined in an unsigned zone, and before `link` has run. */
  get denials(): Denials | undefined {
    return this.#denials ?? this.#transferredProofs;
  }

  /**
   * Builds the NSEC or NSEC3 chain of a signed zone after all its records have been set. Yields now and then,
   * so that the caller can do other work in between.
   */
  *link(): Generator<void, void, undefined> {
    if (this.#signer === undefined) return;
    const denials = new ZoneDenials(this.#signer.mechanism, this.negativeSoa.ttl);
    let count = 0;
    for (const [name, node] of this.#names) {
      this.#names.put(name, { ...node, isBelowCut: this.#isBelowCut(name) });
      denials.set(name, this.#provedTypes(name));
      count += 1;
      if (count % namesAtOnce === 0) yield;
    }
    for (const _ of denials.update()) {
      count += 1;
      if (count % namesAtOnce === 0) yield;
    }
    this.#denials = denials;
    this.#unproved.clear();
  }

  /**
   * Sets another serial, other name servers, or a later day of signing. If the serial changed, everything
   * that changed since the previous one becomes a step of the journal.
   */
  changeApex(apex: ZoneApex, signing?: ZoneSigning): void {
    const before = { serial: this.serial, soa: this.soa, transfer: this.#transfer };
    const dayBefore = this.#signer?.signing.day;
    this.#apex = apexSets(apex);
    this.#serial = apex.serial;
    if (signing !== undefined && this.#signer !== undefined) {
      this.#signer = new ZoneSigner(this.name, signing, this.#signatures);
      this.#transfer = new TransferContent(this.name, this.#rules.flattensAll, this.#signer);
    }
    this.#setApex();
    this.#relink();
    if (dayBefore !== this.#signer?.signing.day) this.#noteRenewed(dayBefore ?? 0);
    if (this.serial === before.serial) return;
    const names = this.#takeChanged(before.transfer);
    const after = { serial: this.serial, soa: this.soa, transfer: this.#transfer };
    if (names === undefined || this.#flattenedCount > 0) this.journal.clear();
    else this.journal.add(new ZoneStep(before, after, names), this.recordCount);
  }

  /** Starts the journal: from now on it records the changes between serials. */
  beginJournal(): void {
    this.journal.clear();
    for (const nodes of this.#transferred()) nodes.takeChanged();
  }

  snapshot(): ZoneSnapshot {
    return new ZoneSnapshot(this.soa, this.#transfer, this.#names.snapshot(), this.#proofNodes?.snapshot());
  }

  setRecords(name: string, records: readonly ZoneRecord[]): void {
    if (name === this.name) {
      this.#apexRecords = records;
      this.#setApex();
      return;
    }
    const served = servedName(records, false, this.#rules);
    const { flattened } = served;
    const sets = this.#transferredProofs?.take(name, served.sets) ?? served.sets;
    const wasCut = isCut(this.#tree.get(name));
    if (sets.length > 0 || flattened !== undefined) this.#putRecords(name, { sets, flattened });
    else this.#removeRecords(name);
    if (this.#denials !== undefined && isCut(this.#tree.get(name)) !== wasCut) this.#changedCuts.add(name);
  }

  find(name: string): Finding {
    return this.#tree.find(name);
  }

  /** The closest encloser of a name that does not exist (RFC 4592 section 3.3.1). */
  closestEncloser(name: string): string {
    return this.#tree.closestEncloser(name);
  }

  /** A record set by name and type, glue included. */
  storedSet(name: string, type: number): RecordSet | undefined {
    return this.#names.get(name)?.sets.find((set) => set.type === type);
  }

  /** The signature of a set that the zone stores at a name; undefined if it is not signed. */
  signatureOf(name: string, set: RecordSet): RecordSet | undefined {
    const node = this.#names.get(name);
    if (this.#transferredProofs !== undefined) {
      const holder = set.type === typeCodes.NSEC3 ? this.#transferredProofs.nodes.get(name) : node;
      return signatureAmong(holder?.sets ?? [], set.type);
    }
    if (set.type === this.#signer?.mechanism.type) return this.#signer.signatureOf(name, set);
    if (this.#signer === undefined || node === undefined) return undefined;
    if (!signedSets(name === this.name, node).includes(set)) return undefined;
    return this.#signer.signatureOf(name, set);
  }

  /** The changes of transferred names; undefined if they cannot be told. */
  #takeChanged(transferBefore: TransferContent): readonly ChangedName[] | undefined {
    const changed: ChangedName[] = [];
    for (const nodes of this.#transferred()) {
      const before = nodes.takeChanged();
      if (before === undefined) return undefined;
      for (const [name, content] of before) {
        const was = transferBefore.transferredAt(name, content);
        // Nobody knows which addresses were transferred in its place.
        if (was.flattened !== undefined) return undefined;
        const node = nodes.get(name);
        const after = node && { ...this.#transfer.transferredAt(name, node).content };
        changed.push({ name, before: was.content, after });
      }
    }
    return changed;
  }

  #transferred(): readonly ZoneNodes[] {
    const proofs = this.#proofNodes;
    return proofs === undefined ? [this.#names] : [this.#names, proofs];
  }

  /** The NSEC or NSEC3 records that a transfer contains besides the names. */
  get #proofNodes(): ZoneNodes | undefined {
    return this.#transfer.isSigned ? this.#denials?.nodes : this.#transferredProofs?.nodes;
  }

  #setApex(): void {
    const { sets, flattened } = servedName(this.#apexRecords, true, this.#rules);
    const own = this.#transferredProofs?.take(this.name, sets) ?? sets;
    const all = [this.#apex.soa, ...withNameServers(own, this.#apex.nameServers)];
    const served = this.#signer?.withApexSets(all) ?? all;
    this.#putRecords(this.name, { sets: served, flattened });
  }

  #put(name: string, node: Node, content: NodeContent): void {
    const before = this.#transfer.transferredAt(name, node);
    const countBefore = this.#recordsOf(name, before.content);
    this.#names.put(name, content);
    this.onChange?.();
    const after = this.#transfer.transferredAt(name, content);
    this.#recordCount += this.#recordsOf(name, after.content) - countBefore;
    this.#flattenedCount += Number(after.flattened !== undefined) - Number(before.flattened !== undefined);
    if (this.#denials !== undefined) this.#unproved.add(name);
  }

  #recordsOf(name: string, content: NodeContent): number {
    let count = this.#transfer.signedSets(name, content).length;
    for (const { type, rdatas } of content.sets) if (type !== typeCodes.SOA) count += rdatas.length;
    return count;
  }

  /** Makes the proofs fit the names that have changed. */
  #relink(): void {
    const denials = this.#denials;
    if (denials === undefined) return;
    for (const changed of this.#changedCuts) {
      if ((this.#names.get(changed)?.children ?? 0) === 0) continue;
      for (const [name, node] of this.#names) {
        if (name === changed || !isAtOrBelow(name, changed)) continue;
        this.#put(name, node, { ...node, isBelowCut: this.#isBelowCut(name) });
      }
    }
    for (const name of this.#unproved) {
      denials.set(name, this.#provedTypes(name));
      if (this.#names.get(name) === undefined) this.#signatures.forget(name);
    }
    this.#changedCuts.clear();
    this.#unproved.clear();
    Array.from(denials.update());
  }

  #provedTypes(name: string): readonly number[] | undefined {
    const node = this.#names.get(name);
    return node && provedTypes(node, name === this.name, this.#signer?.mechanism.hasEmptyNames === true);
  }

  /** Names whose signatures have been renewed are others in a transfer. */
  #noteRenewed(dayBefore: number): void {
    const signer = this.#signer;
    if (signer === undefined) return;
    const before = new ZoneSigner(this.name, { ...signer.signing, day: dayBefore }, this.#signatures);
    for (const nodes of this.#transferred()) {
      for (const [name, node] of nodes) {
        if (before.inceptionOf(name) !== signer.inceptionOf(name)) nodes.willChange(name, node);
      }
    }
  }

  #putRecords(name: string, { sets, flattened }: ServedName): void {
    const has = (code: number): boolean => sets.some(({ type }) => type === code);
    const node = this.#tree.put(name, { ns: has(typeCodes.NS), dname: has(typeCodes.DNAME) });
    this.#put(name, node, { sets, flattened, isBelowCut: this.#isBelowCut(name) });
  }

  #removeRecords(name: string): void {
    const node = this.#names.get(name);
    if (node === undefined) return;
    this.#put(name, node, { sets: [], flattened: undefined, isBelowCut: node.isBelowCut });
    this.#tree.clear(name);
  }

  #addName(name: string): Node {
    if (this.#denials !== undefined) this.#unproved.add(name);
    return this.#names.add(name, this.#isBelowCut(name));
  }

  #deleteName(name: string): void {
    if (this.#denials !== undefined) this.#unproved.add(name);
    this.#names.delete(name);
  }

  /** Asked only where names are signed. */
  #isBelowCut(name: string): boolean {
    return this.#signer !== undefined && this.#tree.isBelowCut(name);
  }
}

/** The content of a name in a transfer. */
interface TransferredName {
  readonly name: string;
  readonly content: NodeContent;
  /** A CNAME that the addresses of its target replace. */
  readonly flattened: FlattenedCname | undefined;
}

const addressTypes = [typeCodes.A, typeCodes.AAAA];

/**
 * A zone as it was when the snapshot was taken, readable while the zone changes. Call `close` if it is not
 * read to its end.
 */
export class ZoneSnapshot {
  readonly soa: RecordSet;
  readonly #transfer: TransferContent;
  readonly #names: NodesSnapshot;
  /** The NSEC or NSEC3 records; undefined in an unsigned transfer. */
  readonly #denials: NodesSnapshot | undefined;
  /**
   * By the owner name of an NSEC or NSEC3 record: address types to remove from its bitmap, as the flattened
   * target has none.
   */
  readonly #absent = new Map<string, readonly number[]>();

  constructor(
    soa: RecordSet,
    transfer: TransferContent,
    names: NodesSnapshot,
    denials: NodesSnapshot | undefined,
  ) {
    this.soa = soa;
    this.#transfer = transfer;
    this.#names = names;
    this.#denials = denials;
  }

  *names(): Generator<TransferredName, void, undefined> {
    for (const [name, its] of this.#names.names()) yield { name, ...this.#transfer.transferredAt(name, its) };
    for (const [name, content] of this.#denials?.names() ?? []) yield { name, content, flattened: undefined };
  }

  /**
   * The sets of a name without SOA. Call it in the order of `names`: flattened names decide what later NSEC
   * records list.
   */
  sets({ name, content, flattened }: TransferredName, addresses: readonly RecordSet[]): Iterable<OwnedSet> {
    const absent = this.#absent.get(name);
    if (flattened === undefined && absent === undefined) return this.#transfer.signed(name, content);
    if (flattened !== undefined) this.#noteAbsent(name, addresses);
    const sets = content.sets.map((set) => (absent === undefined ? set : withoutTypes(set, absent)));
    return this.#transfer.signed(name, { ...content, sets: [...sets, ...addresses] });
  }

  #noteAbsent(name: string, addresses: readonly RecordSet[]): void {
    const owner = this.#transfer.denialOwnerOf(name);
    const absent = addressTypes.filter((type) => !addresses.some((set) => set.type === type));
    if (owner !== undefined && absent.length > 0) this.#absent.set(owner, absent);
  }

  close(): void {
    this.#names.close();
    this.#denials?.close();
  }
}
