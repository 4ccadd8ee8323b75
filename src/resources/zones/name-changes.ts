import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { isWithin } from "../../core/dns/content/name.ts";
import {
  recheckAllZonesBelow,
  recheckZones,
  recheckZonesBelow,
  recheckZonesNamed,
  selectDependents,
  selectVanityZones,
} from "./names-store.ts";

/**
 * Lets the timer judge again whoever depends on records of an active zone: zones of other accounts below it,
 * and zones of its account with vanity name servers in it. `names` are those that changed; undefined for all
 * of the zone.
 */
export async function recheckDependents(
  tx: Db,
  { account_id: accountId, name, status }: ZoneRow,
  names: ReadonlySet<string> | undefined,
): Promise<void> {
  if (status !== "active") return;
  if (names === undefined) {
    await recheckZonesBelow(tx, accountId, name);
    await recheckVanityZones(tx, accountId, (server) => isWithin(server, name));
    return;
  }
  const [first = "", ...others] = [...names].filter((each) => each !== name);
  const dependents = await selectDependents(tx, { accountId, name: first });
  const dependOnNames = dependents.filter(
    ({ vanity_name_servers: servers }) =>
      servers === null || fromJson(servers).some((server) => names.has(server)),
  );
  await recheckZones(
    tx,
    dependOnNames.map(({ id }) => id),
  );
  await recheckZonesNamed(tx, accountId, others);
}

/**
 * The same where a zone becomes active, or is so no longer: another zone answers for what lies below then,
 * and may be a stranger to zones of the same account too.
 */
export async function recheckBelow(tx: Db, { account_id: accountId, name }: ZoneRow): Promise<void> {
  await recheckAllZonesBelow(tx, name);
  await recheckVanityZones(tx, accountId, (server) => isWithin(server, name));
}

async function recheckVanityZones(
  tx: Db,
  accountId: string,
  depends: (server: string) => boolean,
): Promise<void> {
  const vanity = await selectVanityZones(tx, { accountId });
  await recheckZones(
    tx,
    vanity.filter((zone) => fromJson(zone.vanity_name_servers).some(depends)).map(({ id }) => id),
  );
}
