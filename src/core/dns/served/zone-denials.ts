import { DenialChain, type DenialMechanism } from "../dnssec/denial.ts";
import type { OwnedSet } from "../wire/record-data.ts";
import { typeCodes } from "../wire/codes.ts";
import { ZoneNodes, type NodeContent } from "./zone-nodes.ts";

/** The records of a zone that prove what does not exist. */
export interface Denials {
  readonly type: number;
  /** The record that matches a name; undefined if the name is not in the chain. */
  matching(name: string): OwnedSet | undefined;
  /** The record that covers a name: it proves that the name does not exist. */
  covering(name: string): OwnedSet | undefined;
}

/** The NSEC or NSEC3 records of a zone that is signed here. */
export class ZoneDenials implements Denials {
  readonly mechanism: DenialMechanism;
  /** Keyed by the owner names of the records. */
  readonly nodes = new ZoneNodes();
  readonly #chain: DenialChain;
  readonly #ttl: number;

  constructor(mechanism: DenialMechanism, ttl: number) {
    this.mechanism = mechanism;
    this.#chain = new DenialChain(mechanism);
    this.#ttl = ttl;
  }

  get type(): number {
    return this.mechanism.type;
  }

  /** Sets the types of a name; undefined takes it out of the chain. */
  set(name: string, types: readonly number[] | undefined): void {
    this.#chain.set(name, types);
  }

  /** Applies the calls of `set` to the records. Yields after each record. */
  *update(): Generator<void, void, undefined> {
    for (const [owner, rdata] of this.#chain.changes()) {
      const node = this.nodes.get(owner) ?? this.nodes.add(owner);
      const sets =
        rdata === undefined ? [] : [{ type: this.mechanism.type, ttl: this.#ttl, rdatas: [rdata] }];
      this.nodes.put(owner, { ...node, sets });
      if (rdata === undefined) this.nodes.delete(owner);
      yield;
    }
  }

  matching(name: string): OwnedSet | undefined {
    return this.#at(this.#chain.ownerMatching(name));
  }

  covering(name: string): OwnedSet | undefined {
    return this.#at(this.#chain.ownerCovering(name));
  }

  #at(owner: string | undefined): OwnedSet | undefined {
    if (owner === undefined) return undefined;
    const [set] = this.nodes.get(owner)?.sets ?? [];
    return set && { name: owner, set };
  }
}

/**
 * The types that a name of a zone which is signed here is proved to have; undefined for a name that is not proved
 * to exist.
 */
export function provedTypes(
  { sets, flattened, isBelowCut }: NodeContent,
  isApex: boolean,
  hasEmptyNames: boolean,
): readonly number[] | undefined {
  if (isBelowCut) return undefined;
  if (sets.length === 0 && flattened === undefined) return hasEmptyNames ? [] : undefined;
  const types = sets.map(({ type }) => type);
  if (!isApex && types.includes(typeCodes.NS)) {
    return types.filter((type) => type === typeCodes.NS || type === typeCodes.DS);
  }
  return flattened === undefined ? types : [...types, typeCodes.A, typeCodes.AAAA];
}
