import type { ZoneSigner } from "../dnssec/zone-signer.ts";
import { typeCodes } from "../wire/codes.ts";
import { nameToOctets } from "../wire/names.ts";
import type { FlattenedCname, OwnedSet, RecordSet } from "./record-sets.ts";
import type { NodeContent } from "./zone-node.ts";

/** The sets of a name that are signed: of a delegation, what says who signs the zone below. */
export function signedSets(isApex: boolean, { sets, isBelowCut }: NodeContent): readonly RecordSet[] {
  if (isBelowCut) return [];
  const isCut = !isApex && sets.some(({ type }) => type === typeCodes.NS);
  return isCut ? sets.filter(({ type }) => type === typeCodes.DS) : sets;
}

/** What of a zone is transferred. */
export class TransferForm {
  readonly #zone: string;
  readonly #flattensAll: boolean;
  readonly #signer: ZoneSigner | undefined;

  constructor(zone: string, flattensAll: boolean, signer: ZoneSigner | undefined) {
    this.#zone = zone;
    this.#flattensAll = flattensAll;
    this.#signer = signer;
  }

  /** Whether signatures are transferred: not to those who make their own. */
  get isSigned(): boolean {
    return this.#signer?.signing.isMultiSigner === false;
  }

  /**
   * What a name has in a transfer. `flattened` is a CNAME in whose place its addresses are. One that its own setting flattens
   * remains as it is, unless it has to be what the signed zone says.
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

  /** The sets of a name without the SOA record, and the signatures of those for which `isNeeded`. */
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

  /** The sets of a name that have signatures. */
  signedSets(name: string, content: NodeContent): readonly RecordSet[] {
    return this.isSigned ? signedSets(name === this.#zone, content) : [];
  }

  /** Since when the signatures of a name are valid; undefined where there are none. */
  inceptionOf(name: string): number | undefined {
    return this.isSigned ? this.#signer?.inceptionOf(name) : undefined;
  }

  /** Whose record proves which types a name has. */
  denialOwnerOf(name: string): string | undefined {
    return this.#signer?.form.ownerOf({ key: this.#signer.form.keyOf(name), name, bitmap: "" });
  }
}

function cnameSet({ target, ttl }: FlattenedCname): RecordSet {
  return { type: typeCodes.CNAME, ttl, rdatas: [nameToOctets(target)] };
}
