import { parentOf } from "../wire/names.ts";

/** An account that may have a zone of this name below the zone that consents. Names are ASCII and lower case. */
export interface SubdomainConsent {
  readonly name: string;
  readonly accountId: string;
}

/** A zone and its account, as far as they matter for who answers for a name. Names are ASCII and lower case. */
export interface ZoneOwner {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  /** Its place among all zones by the time of their first activation; `Infinity` where that is not known. */
  readonly activationOrder: number;
  readonly nameServers: readonly string[];
  /** The names for them that it chose; each counts only in another zone of its account. */
  readonly vanityNameServers: readonly string[];
  readonly consents: readonly SubdomainConsent[];
}

export interface ActiveZone extends ZoneOwner {
  /** The name servers that its NS records name at a name below its own; none where there are no such records. */
  readonly delegationOf: (name: string) => readonly string[];
}

/**
 * Tells which zone answers for a name. Accounts are strangers to each other: below a zone, another account's zone
 * answers only if the upper one delegates to it by NS records, its account has consented, or the lower one was
 * there first (docs/operating/zones.md#zones-below-those-of-others). Every plane asks here, and so do operations.
 */
export class NameAuthority<Zone extends ActiveZone> {
  readonly #zoneAt: (name: string) => Zone | undefined;

  constructor(zoneAt: (name: string) => Zone | undefined) {
    this.#zoneAt = zoneAt;
  }

  /** The zone that answers for a folded name; undefined where none encloses it. */
  inChargeOf(name: string): Zone | undefined {
    return this.#lowestPermitted(name, (upper, lower) => this.yields(upper, lower));
  }

  /** Whether `upper`, which is in charge of the name of `lower`, lets it answer for its names. */
  yields(upper: Zone, lower: ZoneOwner): boolean {
    return (
      upper.accountId === lower.accountId ||
      lower.activationOrder < upper.activationOrder ||
      this.permits(upper, lower)
    );
  }

  /**
   * Whether `upper` delegates to `lower`, or its account has consented. Which of the two was first does not count.
   */
  permits(upper: Zone, lower: ZoneOwner): boolean {
    if (upper.accountId === lower.accountId) return true;
    const consents = upper.consents.filter(({ name }) => name === lower.name);
    // A consent names the account, which shared name servers do not.
    if (consents.length > 0) return consents.some(({ accountId }) => accountId === lower.accountId);
    const delegatedTo = upper.delegationOf(lower.name);
    return delegatedTo.length > 0 && delegatedTo.every((server) => this.#isServerOf(lower, server));
  }

  #isServerOf(zone: ZoneOwner, server: string): boolean {
    if (zone.nameServers.includes(server)) return true;
    return zone.vanityNameServers.includes(server) && this.backsVanityName(zone, server);
  }

  /**
   * Whether a name server's name lies within another zone of the account of `zone`. A name within `zone` does not
   * count: whether it may answer for that is the question.
   */
  backsVanityName(zone: ZoneOwner, server: string): boolean {
    const backing = this.#lowestPermitted(
      server,
      (upper, lower) =>
        upper.accountId === lower.accountId ||
        lower.activationOrder < upper.activationOrder ||
        this.permits(upper, { ...lower, vanityNameServers: [] }),
      zone.id,
    );
    return backing?.accountId === zone.accountId;
  }

  #lowestPermitted(
    name: string,
    isPermitted: (upper: Zone, lower: Zone) => boolean,
    skippedId?: string,
  ): Zone | undefined {
    let lowest: Zone | undefined;
    let uppers: Zone[] | undefined;
    for (let at: string | undefined = name; at !== undefined; at = parentOf(at)) {
      const zone = this.#zoneAt(at);
      if (zone === undefined || zone.id === skippedId) continue;
      if (lowest === undefined) lowest = zone;
      else (uppers ??= []).push(zone);
    }
    if (lowest === undefined || uppers === undefined) return lowest;
    // From the top, as a resolver finds its way.
    return [lowest, ...uppers].reduceRight((upper, lower) => (isPermitted(upper, lower) ? lower : upper));
  }
}
