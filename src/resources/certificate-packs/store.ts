import type { Page, PageRequest } from "../../core/page.ts";
import { selectRow, selectRows } from "../../storage/rows.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import { turnOfAccount } from "../../storage/turns-of-accounts.ts";
import type {
  CertificateAuthorityRow,
  CertificatePackRow,
  PackCertificateRow,
  TotalTlsHostRow,
  TotalTlsRow,
} from "../../storage/schema/certificates.ts";
import type { PackWithCertificates } from "./pack.ts";
import type { PackStatus } from "./schema.ts";

type PackOrdering = "created_on";

/** Whether the zone has, or will have with its activation, a universal pack. */
export async function isUniversalEnabled(db: Db, zoneId: string): Promise<boolean> {
  const row = await selectRow(db, "universal_settings", { zone_id: zoneId });
  return row?.enabled !== 0;
}

export async function countAdvancedPacks(db: Db, zoneId: string): Promise<number> {
  return countRows(
    db.selectFrom("certificate_packs").where("zone_id", "=", zoneId).where("type", "=", "advanced"),
  );
}

export async function selectPack(
  db: Db,
  zoneId: string,
  id: string,
): Promise<PackWithCertificates | undefined> {
  const pack = await selectRow(db, "certificate_packs", { id, zone_id: zoneId });
  return pack && (await withCertificates(db, [pack]))[0];
}

export async function selectPacksOfZone(db: Db, zoneId: string): Promise<PackWithCertificates[]> {
  return withCertificates(
    db,
    await selectRows(db, "certificate_packs", { zone_id: zoneId }, ["created_on", "id"]),
  );
}

/** Packs that have the status at the time `now`; all packs if none is given. */
export async function selectPacks(
  db: Db,
  zoneId: string,
  status: PackStatus | undefined,
  now: Timestamp,
  page: PageRequest<PackOrdering>,
): Promise<Page<PackWithCertificates>> {
  const ofZone = db.selectFrom("certificate_packs").where("zone_id", "=", zoneId);
  const query =
    status === undefined
      ? ofZone
      : status === "active" || status === "expired"
        ? ofZone.where("status", "=", "active").where("expires_on", status === "active" ? ">" : "<=", now)
        : ofZone.where("status", "=", status as CertificatePackRow["status"]);
  const { items, totalCount } = await selectPage(
    query.selectAll().orderBy(page.order, page.direction).orderBy("id", page.direction),
    page,
  );
  return { items: await withCertificates(db, items), totalCount };
}

async function withCertificates(
  db: Db,
  packs: readonly CertificatePackRow[],
): Promise<PackWithCertificates[]> {
  if (packs.length === 0) return [];
  const rows = await db
    .selectFrom("pack_certificates")
    .selectAll()
    .where("status", "=", "active")
    .where(
      "pack_id",
      "in",
      packs.map(({ id }) => id),
    )
    .orderBy("key_type")
    .execute();
  return packs.map((pack) => ({ pack, certificates: rows.filter(({ pack_id }) => pack_id === pack.id) }));
}

/** The certificates in use of the packs of zones, the oldest pack first. */
export async function selectCertificatesInUse(db: Db, zoneIds: readonly string[]) {
  return db
    .selectFrom("certificate_packs as packs")
    .innerJoin("pack_certificates as certificates", "certificates.pack_id", "packs.id")
    .select(["packs.zone_id", "packs.id as pack_id", "packs.type", "packs.hosts"])
    .select(["certificates.id", "certificates.chain", "certificates.private_key", "certificates.expires_on"])
    .where("packs.zone_id", "in", zoneIds)
    .where("certificates.status", "=", "active")
    .where("certificates.chain", "is not", null)
    .orderBy("packs.created_on")
    .orderBy("packs.id")
    .orderBy("certificates.key_type")
    .execute();
}

/** Packs that are due by `now`, the longest waiting first. */
export async function selectDuePackIds(db: Db, now: Timestamp, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("certificate_packs")
    .select("id")
    .where("step_on", "<=", now)
    .orderBy(turnOfAccount("certificate_packs.zone_id", "step_on"))
    .orderBy("step_on")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The time of the earliest step that is still to be taken. */
export async function selectFirstStep(db: Db): Promise<Timestamp | null> {
  const { first } = await db
    .selectFrom("certificate_packs")
    .select(({ fn }) => fn.min("step_on").as("first"))
    .executeTakeFirstOrThrow();
  return first;
}

/** The pack, locked until the transaction ends. */
export async function selectPackForChange(db: Db, id: string): Promise<CertificatePackRow | undefined> {
  return db.selectFrom("certificate_packs").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

export async function selectCertificates(
  db: Db,
  packId: string,
  status: PackCertificateRow["status"],
): Promise<PackCertificateRow[]> {
  return selectRows(db, "pack_certificates", { pack_id: packId, status }, ["key_type"]);
}

export async function selectAuthorities(db: Db): Promise<CertificateAuthorityRow[]> {
  return db.selectFrom("certificate_authorities").selectAll().orderBy("key_type").execute();
}

/** Keeps existing rows. */
export async function insertAuthorities(db: Db, rows: readonly CertificateAuthorityRow[]): Promise<void> {
  await db
    .insertInto("certificate_authorities")
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

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
