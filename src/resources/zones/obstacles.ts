import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { ownerOf, readAuthority } from "./active-zones.ts";
import type { Finding } from "./activation-proof.ts";
import { selectActiveNamesake } from "./names-store.ts";
import { isPublicSuffix } from "./public-suffix.ts";
import type { ZoneContext } from "./zones.ts";

/** What is known of a zone that may become active, or remain so. */
export interface Candidate {
  readonly zone: ZoneRow;
  /** Its vanity name servers that count. */
  readonly vanityNameServers: readonly string[];
  readonly isProven: boolean;
  /** The active zone of its name in another account, with what the public DNS says of that; undefined for no answer. */
  readonly rival: { readonly zone: ZoneRow; readonly finding: Finding | undefined } | undefined;
}

/** Why a zone is not to be active, in words for its account; undefined where nothing is in its way. */
export type Obstacle = string | undefined;

/**
 * What stands in the way of a zone beside its own proof: a zone above it or a hold of another account, or that another
 * account's zone of this name is as good. Only an explicit permission of the zone above counts as a proof of its own.
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

/** What a zone waits for, in words for its account; undefined where it is active and answers for its name. */
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
