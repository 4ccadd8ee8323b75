import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import { zoneRead, zoneWrite, type ZoneWrite } from "../../operation/zone.ts";
import { toFlag } from "../../storage/columns.ts";
import { putRow, selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { TotalTlsRow } from "../../storage/schema/certificates.ts";
import { refuseWithoutPacks, totalTlsDays, type CertificatePackContext } from "./certificate-packs.ts";
import { EditTotalTlsBody, TotalTls } from "./schema.ts";

const path = "/zones/{zone_id}/acm/total_tls";

/** Of packs where none was chosen. */
const defaultAuthority = "google";

export const getTotalTls = zoneRead({
  name: "getTotalTls",
  summary: "Get whether Total TLS orders certificates for a zone",
  path,
  permission: "SSL and Certificates Read",
  result: TotalTls,
  run: async ({ db, zone }) => toTotalTls(await findTotalTls(db, zone.id)),
});

/**
 * Turning it on orders a pack for each name with a proxied record that no pack covers, now and later. Turning
 * it off deletes those packs. Errors: 400 code 1450 where advanced packs are not granted, 1460 in a zone that
 * is not full.
 */
export const editTotalTls = zoneWrite({
  name: "editTotalTls",
  summary: "Turn Total TLS on or off",
  method: "POST",
  path,
  permission: "SSL and Certificates Write",
  body: EditTotalTlsBody,
  result: TotalTls,
  run: async (
    { tx, zone, context, audit, afterCommit }: ZoneWrite<CertificatePackContext>,
    { body: { enabled, certificate_authority } },
  ) => {
    if (enabled) {
      refuseWithoutPacks(context);
      if (zone.type !== "full") {
        throw invalidRequest(
          errorCodes.certificatePacks.fullZoneOnly,
          "Total TLS is available for zones of the type full only",
        );
      }
    }
    const row = await findTotalTls(tx, zone.id);
    const changed: TotalTlsRow = {
      ...row,
      enabled: toFlag(enabled),
      ...(certificate_authority !== undefined && {
        certificate_authority: certificate_authority ?? defaultAuthority,
        is_authority_default: toFlag(certificate_authority === null),
      }),
      revision: row.revision + 1,
    };
    const [before, after] = [toTotalTls(row), toTotalTls(changed)];
    if (before.enabled === after.enabled && before.certificate_authority === after.certificate_authority) {
      return before;
    }
    await putRow(tx, "total_tls", changed);
    audit({ action: "total_tls_edit", id: zone.id, before, after });
    afterCommit(context.wakeIssuance);
    return after;
  },
});

/** The Total TLS setting of a zone; off if it was never set. */
async function findTotalTls(db: Db, zoneId: string): Promise<TotalTlsRow> {
  const row = await selectRow(db, "total_tls", { zone_id: zoneId });
  if (row !== undefined) return row;
  return {
    zone_id: zoneId,
    enabled: 0,
    certificate_authority: defaultAuthority,
    is_authority_default: 1,
    revision: 0,
    seen_revision: 0,
    seen_records_version: 0,
  };
}

function toTotalTls({ enabled, certificate_authority, is_authority_default }: TotalTlsRow): TotalTls {
  return {
    enabled: enabled === 1,
    ...(is_authority_default === 0 && { certificate_authority }),
    validity_days: totalTlsDays,
    validity_period: totalTlsDays,
  };
}
