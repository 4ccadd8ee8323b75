import { withoutTypes } from "../dnssec/denial-mechanisms.ts";
import { typeCodes } from "../wire/codes.ts";
import type { FlattenedCname } from "./record-sets.ts";
import type { OwnedSet, RecordSet } from "../wire/record-data.ts";
import type { TransferContent } from "./transfer-content.ts";
import type { NodeContent, NodesSnapshot } from "./zone-nodes.ts";

/** The content of a name in a transfer. */
export interface TransferredName {
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
