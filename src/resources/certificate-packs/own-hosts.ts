import { selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Context } from "../../operation/context.ts";
import { readAuthority, type ZoneContext } from "../zones/zones.ts";
import { IssuanceError, type TakeIssuanceStep } from "./issuer.ts";

/** What tells whose name it is. */
export type NameSettings = Pick<ZoneContext, "settings">;

/** Those of the hosts that a zone of another account answers for. A wildcard is of the zone that it is named after. */
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

/** Lets an issuer work only where no other account answers for any of the hosts, whatever a CA takes for proven. */
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
