import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { TotalTlsHostRow, TotalTlsRow } from "../../storage/schema/certificates.ts";

/** Makes the timer examine all names of a zone again, if it ever had Total TLS. */
export async function reviseTotalTls(tx: Db, zoneId: string): Promise<void> {
  await tx
    .updateTable("total_tls")
    .set((row) => ({ revision: row("revision", "+", 1) }))
    .where("zone_id", "=", zoneId)
    .execute();
}

/** A zone with changes that the timer has not processed. */
export interface UnseenZone extends TotalTlsRow {
  readonly dns_records_version: number;
}

/**
 * Zones with changes that Total TLS has not processed. Where it is off, that is only its turning off. Where
 * it is on, the zone must be active and full, as for a universal pack.
 */
export async function selectUnseenZones(db: Db): Promise<UnseenZone[]> {
  return db
    .selectFrom("total_tls")
    .innerJoin("zones", "zones.id", "total_tls.zone_id")
    .selectAll("total_tls")
    .select("zones.dns_records_version")
    .where(({ and, or, eb }) => {
      const isRevised = eb("revision", "<>", eb.ref("seen_revision"));
      return or([
        and([eb("enabled", "=", 0), isRevised]),
        and([
          eb("enabled", "=", 1),
          eb("zones.status", "=", "active"),
          eb("zones.type", "=", "full"),
          or([isRevised, eb("seen_records_version", "<>", eb.ref("dns_records_version"))]),
        ]),
      ]);
    })
    .execute();
}

/** Notes what the timer has processed. Changes that arrived meanwhile remain to be processed. */
export async function updateSeen(
  db: Db,
  { zone_id, revision, dns_records_version }: UnseenZone,
): Promise<void> {
  await db
    .updateTable("total_tls")
    .set({ seen_revision: revision, seen_records_version: dns_records_version })
    .where("zone_id", "=", zone_id)
    .execute();
}

/** Those of the hosts for which a pack was ordered. */
export async function selectOrderedHosts(
  db: Db,
  zoneId: string,
  hosts: readonly string[],
): Promise<TotalTlsHostRow[]> {
  return db
    .selectFrom("total_tls_hosts")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .where("host", "in", hosts)
    .execute();
}

/** The next hosts of a zone for which there is a pack. */
export async function selectHostsAfter(
  db: Db,
  zoneId: string,
  host: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("total_tls_hosts")
    .select("host")
    .where("zone_id", "=", zoneId)
    .where("host", ">", host)
    .where("pack_id", "is not", null)
    .orderBy("host")
    .limit(limit)
    .execute();
  return rows.map((row) => row.host);
}

/** The hosts of all packs of a zone but those of Total TLS. */
export async function selectOtherHosts(db: Db, zoneId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("certificate_packs")
    .select("hosts")
    .where("zone_id", "=", zoneId)
    .where("type", "<>", "total_tls")
    .execute();
  return new Set(rows.flatMap(({ hosts }) => fromJson(hosts)));
}
