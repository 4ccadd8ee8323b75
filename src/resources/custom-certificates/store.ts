import type { Page, PageRequest } from "../../core/page.ts";
import type { Timestamp } from "../../storage/columns.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import type { CustomCertificateRow, Db } from "../../storage/tables.ts";

export type CustomCertificateOrdering = "priority" | "expires_on" | "uploaded_on";

export async function insertCustomCertificate(db: Db, row: CustomCertificateRow): Promise<void> {
  await db.insertInto("custom_certificates").values(row).execute();
}

export async function updateCustomCertificate(
  db: Db,
  id: string,
  change: Partial<CustomCertificateRow>,
): Promise<void> {
  await db.updateTable("custom_certificates").set(change).where("id", "=", id).execute();
}

export async function deleteCustomCertificateRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("custom_certificates").where("id", "=", id).execute();
}

export async function countCustomCertificates(db: Db, zoneId: string): Promise<number> {
  return countRows(db.selectFrom("custom_certificates").where("zone_id", "=", zoneId));
}

export async function selectCustomCertificate(
  db: Db,
  zoneId: string,
  id: string,
): Promise<CustomCertificateRow | undefined> {
  return db
    .selectFrom("custom_certificates")
    .selectAll()
    .where("id", "=", id)
    .where("zone_id", "=", zoneId)
    .executeTakeFirst();
}

/** The highest priority first. */
export async function selectCustomCertificatesOfZone(
  db: Db,
  zoneId: string,
): Promise<CustomCertificateRow[]> {
  return db
    .selectFrom("custom_certificates")
    .selectAll()
    .where("zone_id", "=", zoneId)
    .orderBy("priority", "desc")
    .orderBy("id")
    .execute();
}

/** Those that are active at the time `now`, have expired by then, or all without a status. */
export async function selectCustomCertificates(
  db: Db,
  zoneId: string,
  status: "active" | "expired" | undefined,
  now: Timestamp,
  page: PageRequest<CustomCertificateOrdering>,
): Promise<Page<CustomCertificateRow>> {
  const ofZone = db.selectFrom("custom_certificates").where("zone_id", "=", zoneId);
  const query =
    status === undefined ? ofZone : ofZone.where("expires_on", status === "active" ? ">" : "<=", now);
  return selectPage(
    query.selectAll().orderBy(page.order, page.direction).orderBy("id", page.direction),
    page,
  );
}
