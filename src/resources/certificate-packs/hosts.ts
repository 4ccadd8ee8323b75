import { isWithin, isHostname, toAsciiName } from "../../core/dns/content/name.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidRequest } from "../../core/error.ts";
import { selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Context } from "../../operation/context.ts";
import { readAuthority, type ZoneContext } from "../zones/zones.ts";
import { IssuanceError, type TakeIssuanceStep } from "./renewal.ts";

const hostOctetsMax = 253;

/**
 * The hosts of an order in ASCII, each once: names within the zone, including its own, with an optional `*.`
 * in front.
 * Errors: 400 code 1452 with a pointer to the first invalid one.
 */
export function parseHosts(hosts: readonly string[], zoneName: string): string[] {
  const parsed = hosts.map((host, index) => {
    const name = toAsciiName(host);
    const base = name?.startsWith("*.") === true ? name.slice(2) : name;
    if (name === undefined || base === undefined || !isHostname(base)) {
      throw invalidHosts(`\`hosts/${index}\`: must be a host name`, `/hosts/${index}`);
    }
    if (!isWithin(base, zoneName)) {
      throw invalidHosts(`\`hosts/${index}\`: must be within the zone ${zoneName}`, `/hosts/${index}`);
    }
    return name;
  });
  if (!parsed.includes(zoneName)) throw invalidHosts(`\`hosts\`: must contain ${zoneName}`, "/hosts");
  return [...new Set(parsed)];
}

/** The hosts of the universal pack, without the wildcard where it would be too long. */
export function universalHosts(zoneName: string): string[] {
  return [zoneName, `*.${zoneName}`].filter((host) => host.length <= hostOctetsMax);
}

/** 400 code 1452. */
export function invalidHosts(rule: string, pointer: string): AppError {
  return invalidRequest(errorCodes.certificatePacks.invalidHosts, `Invalid body ${rule}`, pointer);
}

/** The settings that tell whose name it is. */
export type NameSettings = Pick<ZoneContext, "settings">;

/**
 * Finds the hosts that a zone of another account answers for. A wildcard is of the zone that it is named
 * after.
 */
export async function foreignHosts(
  { settings }: NameSettings,
  db: Db,
  zone: Pick<ZoneRow, "account_id">,
  hosts: readonly string[],
): Promise<readonly string[]> {
  const names = hosts.map((host) => host.replace(/^\*\./, ""));
  const authority = await readAuthority(db, settings, names);
  return hosts.filter((_, index) => {
    const inCharge = authority.inChargeOf(names[index] ?? "");
    return inCharge !== undefined && inCharge.accountId !== zone.account_id;
  });
}

/**
 * Lets an issuer work only where no other account answers for any of the hosts, whatever a CA takes for
 * proven.
 */
export function issuingForOwnHosts(
  context: Pick<Context, "db"> & NameSettings,
  takeStep: TakeIssuanceStep,
): TakeIssuanceStep {
  return async (request) => {
    const zone = await selectRow(context.db.read, "zones", { id: request.zoneId });
    // A zone that is gone has no packs.
    if (zone === undefined) return takeStep(request);
    const [foreign] = await foreignHosts(context, context.db.read, zone, request.hosts);
    if (foreign !== undefined)
      throw new IssuanceError(`A zone of another account answers for ${foreign}`, { endsOrder: true });
    return takeStep(request);
  };
}
