import type { ActiveZone, NameAuthority } from "../../core/dns/names/name-authority.ts";
import { isWithin } from "../../core/dns/content/name.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { ownerOf, readAuthority } from "./active-zones.ts";
import { selectAddressesAt, selectActiveNamesake } from "./names-store.ts";
import type { ZoneContext } from "./zones.ts";
import { isPublicSuffix } from "./public-suffix.ts";

/** The answer of the public DNS about a zone: whether its domain is delegated to us, and to whom if not. */
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
 * Finds the vanity name servers of a zone that count: they lie within active zones of its account, its own
 * too once it is active, and have addresses of this name server and no others.
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

/** The facts of a zone that may become active, or remain so. */
export interface Candidate {
  readonly zone: ZoneRow;
  /** Its vanity name servers that count. */
  readonly vanityNameServers: readonly string[];
  readonly isProven: boolean;
  /**
   * The active zone of its name in another account, with what the public DNS says of that; undefined for no
   * answer.
   */
  readonly rival: { readonly zone: ZoneRow; readonly finding: Finding | undefined } | undefined;
}

/**
 * The reason why a zone is not to be active, in words for its account; undefined where nothing is in its way.
 */
export type Obstacle = string | undefined;

/**
 * Finds what stands in the way of a zone beside its own proof: a zone above it or a hold of another account,
 * or that another account's zone of this name is as good. Only an explicit permission of the zone above
 * counts as a proof of its own.
 */
export async function findObstacle(
  context: Pick<ZoneContext, "settings" | "isHeldName">,
  db: Db,
  { zone, vanityNameServers, isProven, rival }: Candidate,
): Promise<{ readonly isProven: boolean; readonly obstacle: Obstacle }> {
  if (zone.type === "internal") return { isProven, obstacle: undefined };
  const { settings } = context;
  const parent = zone.name.slice(zone.name.indexOf(".") + 1);
  const authority = await readAuthority(db, settings, [zone.name]);
  const upper = authority.inChargeOf(parent);
  const owner = { ...ownerOf(zone, settings), vanityNameServers };
  const isPermitted =
    upper !== undefined && upper.accountId !== owner.accountId && authority.permits(upper, owner);
  const hasConsent = isPermitted && upper.consents.some(({ name }) => name === zone.name);
  const refuse = (obstacle: string) => ({ isProven: false, obstacle });

  if (zone.status !== "active" && (await isPublicSuffix(zone.name)))
    return refuse(`${zone.name} is a public suffix, which no account can have`);
  if (zone.status !== "active" && (await context.isHeldName(db, zone.name, zone.account_id)))
    return refuse(`the account that holds ${zone.name} has to release it`);
  if (upper !== undefined && !authority.yields(upper, owner)) {
    const servers = owner.nameServers.join(" and ");
    return refuse(
      `${upper.name} has to delegate ${zone.name} to ${servers} by NS records, or its account has to consent`,
    );
  }
  if (rival !== undefined) {
    const other = ownerOf(rival.zone, settings);
    const isChosen = isPermitted && !authority.permits(upper, other);
    const hasLost = isProven && rival.finding?.isOurs === false;
    if (!isChosen && !hasLost)
      return refuse(
        `${zone.name} is active in another account, until it is delegated to ${owner.nameServers.join(" and ")} instead`,
      );
  }
  return { isProven: isProven || hasConsent, obstacle: undefined };
}

/**
 * Says what a zone waits for, in words for its account; undefined where it is active and answers for its
 * name.
 */
export async function waitsFor(
  context: Pick<ZoneContext, "settings" | "isHeldName">,
  db: Db,
  zone: ZoneRow,
): Promise<Obstacle> {
  const { settings } = context;
  const { vanityNameServers, nameServers } = ownerOf(zone, settings);
  const active = zone.type === "internal" ? undefined : await selectActiveNamesake(db, zone);
  const rival = active && { zone: active, finding: undefined };
  const isProven = settings.activation === "immediate";
  const { obstacle } = await findObstacle(context, db, { zone, vanityNameServers, isProven, rival });
  if (obstacle !== undefined || zone.status === "active") return obstacle;
  if (isProven) return "an activation check (`PUT`) makes it active";
  return zone.type === "partial"
    ? `a TXT record at ${settings.vendor}-verify.${zone.name} has to hold its verification key`
    : `${zone.name} has to be delegated to ${nameServers.join(" and ")}`;
}
