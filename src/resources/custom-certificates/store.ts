import type { Page, PageRequest } from "../../core/page.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import { countRows, selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { CustomCertificateRow } from "../../storage/schema/certificates.ts";

export type CustomCertificateOrdering = "priority" | "expires_on" | "uploaded_on";

export async function countCustomCertificates(db: Db, zoneId: string): Promise<number> {
  return countRows(db.selectFrom("custom_certificates").where("zone_id", "=", zoneId));
}

export async function selectCustomCertificatesOfZones(
  db: Db,
  zoneIds: readonly string[],
): Promise<CustomCertificateRow[]> {
  return db
    .selectFrom("custom_certificates")
    .selectAll()
    .where("zone_id", "in", zoneIds)
    .orderBy("priority", "desc")
    .orderBy("id")
    .execute();
}

/** Selects those active or expired at the time `now`; all without a status. */
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
