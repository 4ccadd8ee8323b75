import { DenialChain } from "../dnssec/denial-chain.ts";
import type { DenialForm } from "../dnssec/denial-forms.ts";
import type { OwnedSet } from "./record-sets.ts";
import { ZoneNodes } from "./zone-nodes.ts";

/** The NSEC or NSEC3 records of a signed zone. */
export class ZoneDenials {
  readonly form: DenialForm;
  /** Keyed by the owner names of the records. */
  readonly nodes = new ZoneNodes();
  readonly #chain: DenialChain;
  readonly #ttl: number;

  constructor(form: DenialForm, ttl: number) {
    this.form = form;
    this.#chain = new DenialChain(form);
    this.#ttl = ttl;
  }

  /** Sets the types of a name; undefined takes it out of the chain. */
  set(name: string, types: readonly number[] | undefined): void {
    this.#chain.set(name, types);
  }

  /** Applies the calls of `set` to the records. Yields after each record. */
  *update(): Generator<void, void, undefined> {
    for (const [owner, rdata] of this.#chain.changes()) {
      const node = this.nodes.get(owner) ?? this.nodes.add(owner);
      const sets = rdata === undefined ? [] : [{ type: this.form.type, ttl: this.#ttl, rdatas: [rdata] }];
      this.nodes.put(owner, { ...node, sets });
      if (rdata === undefined) this.nodes.delete(owner);
      yield;
    }
  }

  /** The record that matches a name; undefined if the name is not in the chain. */
  matching(name: string): OwnedSet | undefined {
    return this.#at(this.#chain.ownerMatching(name));
  }

  /** The record that covers a name: it proves that the name does not exist. */
  covering(name: string): OwnedSet | undefined {
    return this.#at(this.#chain.ownerCovering(name));
  }

  #at(owner: string | undefined): OwnedSet | undefined {
    if (owner === undefined) return undefined;
    const [set] = this.nodes.get(owner)?.sets ?? [];
    return set && { name: owner, set };
  }
}
