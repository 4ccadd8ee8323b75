import type { Hash } from "../dnssec/keys.ts";
import { orderKey } from "../dnssec/canonical.ts";
import { fromBase32hex, sha1Algorithm } from "../dnssec/denial.ts";
import { SortedEntries } from "../dnssec/sorted-entries.ts";
import { nsec3HashingOf, signedTypeOf, type Nsec3Hashing } from "../dnssec/transferred-data.ts";
import { typeCodes } from "../wire/codes.ts";
import { nameToOctets, parentOf } from "../wire/names.ts";
import type { OwnedSet, RecordSet } from "../wire/record-data.ts";
import type { Denials } from "./zone-denials.ts";
import { ZoneNodes } from "./zone-nodes.ts";

/** A record of a chain under the key that it is sorted by. */
interface Link {
  readonly key: string;
  readonly owned: OwnedSet;
}

export function signatureAmong(sets: readonly RecordSet[], type: number): RecordSet | undefined {
  return sets.find((set) => set.type === typeCodes.RRSIG && signedTypeOf(set.rdatas[0] ?? "") === type);
}

/**
 * The NSEC or NSEC3 records of a zone that its primary server has signed. They are taken as they come: where the
 * chain is not whole, a proof lacks records.
 */
export class TransferredProofs implements Denials {
  /** NSEC3 records and their signatures by owner name. Questions do not find these names (RFC 5155 section 7.2.8). */
  readonly nodes = new ZoneNodes();
  readonly #zone: string;
  readonly #sha1: Hash;
  readonly #nsec = new SortedEntries<Link>();
  /** A zone has several chains while its primary changes from one to another. */
  readonly #nsec3 = new Map<string, SortedEntries<Link>>();
  /** The hashing of the complete chain (RFC 5155 section 7.3); undefined for NSEC. */
  #hashing: Nsec3Hashing | undefined;

  constructor(zone: string, sha1: Hash) {
    this.#zone = zone;
    this.#sha1 = sha1;
  }

  get type(): number {
    return this.#hashing === undefined ? typeCodes.NSEC : typeCodes.NSEC3;
  }

  /** Takes the chains' records of a name, instead of those it had. Returns the remaining sets of the name itself. */
  take(name: string, sets: readonly RecordSet[]): readonly RecordSet[] {
    const hashed = sets.filter((set) => isOfNsec3(set));
    this.#putHashed(name, hashed);
    const own = hashed.length === 0 ? sets : sets.filter((set) => !hashed.includes(set));
    if (name === this.#zone) this.#hashing = hashingOfZone(own);
    const nsec = own.find(({ type }) => type === typeCodes.NSEC);
    const key = orderKey(name);
    if (nsec === undefined) this.#nsec.delete(key);
    else this.#nsec.set({ key, owned: { name, set: nsec } });
    return own;
  }

  matching(name: string): OwnedSet | undefined {
    return this.#chain?.at(this.#keyOf(name))?.owned;
  }

  covering(name: string): OwnedSet | undefined {
    return this.#chain?.previous(this.#keyOf(name))?.owned;
  }

  get #chain(): SortedEntries<Link> | undefined {
    return this.#hashing === undefined ? this.#nsec : this.#nsec3.get(chainName(this.#hashing));
  }

  #keyOf(name: string): string {
    if (this.#hashing === undefined) return orderKey(name);
    const { iterations, salt } = this.#hashing;
    let hash = this.#sha1(nameToOctets(name) + salt);
    for (let left = iterations; left > 0; left -= 1) hash = this.#sha1(hash + salt);
    return hash;
  }

  #putHashed(name: string, sets: readonly RecordSet[]): void {
    const known = this.nodes.get(name);
    if (known === undefined && sets.length === 0) return;
    const key = fromBase32hex(name.slice(0, name.indexOf("."))) ?? "";
    for (const chain of this.#chainsOf(known?.sets ?? [])) chain.delete(key);
    const node = known ?? this.nodes.add(name);
    this.nodes.put(name, { ...node, sets });
    if (sets.length === 0) this.nodes.delete(name);
    if (parentOf(name) !== this.#zone) return;
    const set = sets.find(({ type }) => type === typeCodes.NSEC3);
    if (set !== undefined) for (const chain of this.#chainsOf(sets)) chain.set({ key, owned: { name, set } });
  }

  #chainsOf(sets: readonly RecordSet[]): SortedEntries<Link>[] {
    const rdatas = sets.find(({ type }) => type === typeCodes.NSEC3)?.rdatas ?? [];
    return rdatas.map((rdata) => {
      const name = chainName(nsec3HashingOf(rdata));
      const chain = this.#nsec3.get(name) ?? new SortedEntries<Link>();
      this.#nsec3.set(name, chain);
      return chain;
    });
  }
}

function isOfNsec3({ type, rdatas }: RecordSet): boolean {
  return (
    type === typeCodes.NSEC3 ||
    (type === typeCodes.RRSIG && signedTypeOf(rdatas[0] ?? "") === typeCodes.NSEC3)
  );
}

function hashingOfZone(sets: readonly RecordSet[]): Nsec3Hashing | undefined {
  const rdatas = sets.find(({ type }) => type === typeCodes.NSEC3PARAM)?.rdatas ?? [];
  return rdatas.map(nsec3HashingOf).find(({ algorithm }) => algorithm === sha1Algorithm);
}

function chainName({ algorithm, iterations, salt }: Nsec3Hashing): string {
  return `${algorithm} ${iterations} ${salt}`;
}
