import type { ActiveZone, NameAuthority } from "../../core/dns/name-authority.ts";
import { isWithin } from "../../core/dns/name.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { ownerOf, readAuthority } from "./active-zones.ts";
import { selectAddressesAt } from "./names-store.ts";
import type { ZoneContext } from "./zones.ts";

/** What the public DNS says of a zone: whether its domain is delegated to us, and to whom if not. */
export interface Finding {
  readonly isOurs: boolean;
  readonly foreignNameServers: readonly string[] | undefined;
}

/** Looks up what proves that a domain is the zone's. Undefined if the resolver gave no answer. */
export async function lookUpProof(
  { settings, delegation }: Pick<ZoneContext, "settings" | "delegation">,
  zone: ZoneRow,
  vanityNameServers: readonly string[],
): Promise<Finding | undefined> {
  if (zone.type === "partial") {
    const texts = await delegation.texts(`${settings.vendor}-verify.${zone.name}`);
    return texts && { isOurs: texts.includes(zone.verification_key ?? ""), foreignNameServers: undefined };
  }
  const found = await delegation.nameServers(zone.name);
  if (found === undefined) return undefined;
  const ours = new Set([...ownerOf(zone, settings).nameServers, ...vanityNameServers]);
  const isOurs = found.length > 0 && found.every((name) => ours.has(name.toLowerCase()));
  return { isOurs, foreignNameServers: isOurs ? undefined : found };
}

/**
 * Those of the vanity name servers of a zone that count: they lie within active zones of its account, its own too once it is
 * active, and have addresses of this name server and no others.
 */
export async function countedVanityNames(
  { db, settings, ownAddresses }: Pick<ZoneContext, "db" | "settings" | "ownAddresses">,
  zone: ZoneRow,
): Promise<readonly string[]> {
  const owner = ownerOf(zone, settings);
  const names = owner.vanityNameServers;
  if (names.length === 0) return [];
  const authority = await readAuthority(db.read, settings, [zone.name, ...names]);
  const backed = names.filter(
    (name) =>
      authority.backsVanityName(owner, name) ||
      (isWithin(name, zone.name) && authority.inChargeOf(name)?.id === zone.id),
  );
  if (backed.length === 0) return [];
  const ours = await ownAddresses();
  const counted: string[] = [];
  for (const name of backed) {
    const addresses = await addressesOf(db.read, authority, name);
    if (addresses.length > 0 && addresses.every((address) => ours.has(address))) counted.push(name);
  }
  return counted;
}

/** The addresses of a name that one of our zones answers for. */
async function addressesOf(db: Db, authority: NameAuthority<ActiveZone>, name: string): Promise<string[]> {
  const zone = authority.inChargeOf(name);
  return zone === undefined ? [] : selectAddressesAt(db, zone.id, name);
}
