import { withoutTypes } from "../dnssec/denial-forms.ts";
import { typeCodes } from "../wire/codes.ts";
import type { NodesSnapshot } from "./nodes-snapshot.ts";
import type { FlattenedCname, OwnedSet, RecordSet } from "./record-sets.ts";
import type { TransferForm } from "./transfer-form.ts";
import type { NodeContent } from "./zone-node.ts";

/** What a name has in a transfer. */
export interface TransferredName {
  readonly name: string;
  readonly content: NodeContent;
  /** A CNAME in whose place the addresses of its target are. */
  readonly flattened: FlattenedCname | undefined;
}

const addressTypes = [typeCodes.A, typeCodes.AAAA];

/** A zone as it was when this was made, while it changes. To be closed when it is not read to its end. */
export class ZoneSnapshot {
  readonly soa: RecordSet;
  readonly #form: TransferForm;
  readonly #names: NodesSnapshot;
  /** What proves that others do not exist; none in an unsigned transfer. */
  readonly #denials: NodesSnapshot | undefined;
  /** By the owners of what proves which types a name has: those of addresses that it turned out not to have. */
  readonly #absent = new Map<string, readonly number[]>();

  constructor(soa: RecordSet, form: TransferForm, names: NodesSnapshot, denials: NodesSnapshot | undefined) {
    this.soa = soa;
    this.#form = form;
    this.#names = names;
    this.#denials = denials;
  }

  *names(): Generator<TransferredName, void, undefined> {
    for (const [name, its] of this.#names.names()) yield { name, ...this.#form.transferredAt(name, its) };
    for (const [name, content] of this.#denials?.names() ?? []) yield { name, content, flattened: undefined };
  }

  /** The sets of a name, apart from that of the SOA record, in the order of `names`. */
  sets({ name, content, flattened }: TransferredName, addresses: readonly RecordSet[]): Iterable<OwnedSet> {
    const absent = this.#absent.get(name);
    if (flattened === undefined && absent === undefined) return this.#form.signed(name, content);
    if (flattened !== undefined) this.#noteAbsent(name, addresses);
    const sets = content.sets.map((set) => (absent === undefined ? set : withoutTypes(set, absent)));
    return this.#form.signed(name, { ...content, sets: [...sets, ...addresses] });
  }

  #noteAbsent(name: string, addresses: readonly RecordSet[]): void {
    const owner = this.#form.denialOwnerOf(name);
    const absent = addressTypes.filter((type) => !addresses.some((set) => set.type === type));
    if (owner !== undefined && absent.length > 0) this.#absent.set(owner, absent);
  }

  close(): void {
    this.#names.close();
    this.#denials?.close();
  }
}
