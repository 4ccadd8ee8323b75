import type { Page, PageRequest } from "../../core/page.ts";
import { selectRow, selectRows } from "../../storage/rows.ts";
import type { Timestamp } from "../../storage/columns.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import { turnOfAccount } from "../../storage/turns-of-accounts.ts";
import type {
  CertificateAuthorityRow,
  CertificatePackRow,
  PackCertificateRow,
} from "../../storage/schema/certificates.ts";
import type { PackWithCertificates } from "./pack.ts";
import type { PackStatus } from "./schema.ts";

export type PackOrdering = "created_on";

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
