import { DenialChain } from "../dnssec/denial-chain.ts";
import type { DenialForm } from "../dnssec/denial-forms.ts";
import type { OwnedSet } from "./record-sets.ts";
import { ZoneNodes } from "./zone-nodes.ts";

/** What proves that names and types of a signed zone do not exist. */
export class ZoneDenials {
  readonly form: DenialForm;
  /** By the owners' names of the records. */
  readonly nodes = new ZoneNodes();
  readonly #chain: DenialChain;
  readonly #ttl: number;

  constructor(form: DenialForm, ttl: number) {
    this.form = form;
    this.#chain = new DenialChain(form);
    this.#ttl = ttl;
  }

  /** Says which types a name has; undefined for a name that is not proved to exist. */
  set(name: string, types: readonly number[] | undefined): void {
    this.#chain.set(name, types);
  }

  /** Makes the records fit what `set` said. Yields at each. */
  *update(): Generator<void, void, undefined> {
    for (const [owner, rdata] of this.#chain.changes()) {
      const node = this.nodes.get(owner) ?? this.nodes.add(owner);
      const sets = rdata === undefined ? [] : [{ type: this.form.type, ttl: this.#ttl, rdatas: [rdata] }];
      this.nodes.put(owner, { ...node, sets });
      if (rdata === undefined) this.nodes.delete(owner);
      yield;
    }
  }

  /** The record that says which types a name has; undefined for a name that has none of its own. */
  matching(name: string): OwnedSet | undefined {
    return this.#at(this.#chain.ownerMatching(name));
  }

  /** The record that says that a name does not exist. */
  covering(name: string): OwnedSet | undefined {
    return this.#at(this.#chain.ownerCovering(name));
  }

  #at(owner: string | undefined): OwnedSet | undefined {
    if (owner === undefined) return undefined;
    const [set] = this.nodes.get(owner)?.sets ?? [];
    return set && { name: owner, set };
  }
}
