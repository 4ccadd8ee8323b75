import type { ZoneSigner } from "../dnssec/zone-signer.ts";
import { typeCodes } from "../wire/codes.ts";
import { nameToOctets } from "../wire/names.ts";
import type { FlattenedCname } from "./record-sets.ts";
import type { OwnedSet, RecordSet } from "../wire/record-data.ts";
import type { NodeContent } from "./zone-nodes.ts";

/** The sets of a name that are signed: at a delegation only DS, below one none. */
export function signedSets(isApex: boolean, { sets, isBelowCut }: NodeContent): readonly RecordSet[] {
  if (isBelowCut) return [];
  const isCut = !isApex && sets.some(({ type }) => type === typeCodes.NS);
  return isCut ? sets.filter(({ type }) => type === typeCodes.DS) : sets;
}

/** The record sets of a zone that its transfers contain. */
export class TransferContent {
  readonly #zone: string;
  readonly #flattensAll: boolean;
  readonly #signer: ZoneSigner | undefined;

  constructor(zone: string, flattensAll: boolean, signer: ZoneSigner | undefined) {
    this.#zone = zone;
    this.#flattensAll = flattensAll;
    this.#signer = signer;
  }

  /**
   * Whether transfers include signatures: not in a zone with several signers, where each provider makes its
   * own.
   */
  get isSigned(): boolean {
    return this.#signer?.signing.isMultiSigner === false;
  }

  /**
   * The content of a name in a transfer. `flattened` is a CNAME that the addresses of its target replace. A
   * CNAME flattened by its own setting is transferred as a CNAME, unless the transfer is signed.
   */
  transferredAt(
    name: string,
    its: NodeContent,
  ): { readonly content: NodeContent; readonly flattened: FlattenedCname | undefined } {
    const { sets, flattened } = its;
    if (name === this.#zone) {
      const kept = this.#signer === undefined || this.isSigned ? sets : this.#signer.withoutApexSets(sets);
      return { content: { ...its, sets: kept }, flattened };
    }
    if (flattened === undefined || this.#flattensAll || this.isSigned) return { content: its, flattened };
    return { content: { ...its, sets: [...sets, cnameSet(flattened)] }, flattened: undefined };
  }

  /** The sets of a name without SOA, followed by the signatures of those for which `isNeeded` is true. */
  *signed(
    name: string,
    content: NodeContent,
    isNeeded: (set: RecordSet) => boolean = () => true,
  ): Generator<OwnedSet, void, undefined> {
    for (const set of content.sets) if (set.type !== typeCodes.SOA) yield { name, set };
    for (const set of this.signedSets(name, content)) {
      const signature = isNeeded(set) ? this.#signer?.signatureOf(name, set) : undefined;
      if (signature !== undefined) yield { name, set: signature };
    }
  }

  signedSets(name: string, content: NodeContent): readonly RecordSet[] {
    return this.isSigned ? signedSets(name === this.#zone, content) : [];
  }

  /** The inception of the signatures of a name, in seconds since 1970; undefined in an unsigned transfer. */
  inceptionOf(name: string): number | undefined {
    return this.isSigned ? this.#signer?.inceptionOf(name) : undefined;
  }

  denialOwnerOf(name: string): string | undefined {
    return this.#signer?.mechanism.ownerOf({ key: this.#signer.mechanism.keyOf(name), name, bitmap: "" });
  }
}

function cnameSet({ target, ttl }: FlattenedCname): RecordSet {
  return { type: typeCodes.CNAME, ttl, rdatas: [nameToOctets(target)] };
}
