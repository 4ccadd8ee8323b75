import type { SealedCertificate } from "../../core/documents/zone-document.ts";
import { fromJson } from "../../storage/columns.ts";
import { byZone } from "../../storage/rows.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { CertificatePackRow } from "../../storage/schema/certificates.ts";
import { selectAuthorities, selectCertificatesInUse } from "./store.ts";

type PackInUse = Omit<SealedCertificate, "rank"> & Pick<CertificatePackRow, "type">;

/** The packs of zones that have certificates in use; the result finds those of one zone. */
export async function readPackCertificates(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => PackInUse[]> {
  const rowsOf = byZone(await selectCertificatesInUse(db, zoneIds));
  return (zoneId) =>
    [...Map.groupBy(rowsOf(zoneId), ({ pack_id }) => pack_id).values()].flatMap((rows) => {
      const [pack] = rows;
      if (pack === undefined) return [];
      return {
        type: pack.type,
        hosts: fromJson(pack.hosts),
        chains: rows.map(({ id, chain, private_key, expires_on }) => ({
          id,
          chain: chain ?? "",
          privateKey: private_key,
          place: sealedPlace("pack_certificates.private_key", id),
          expiresOn: expires_on ?? "",
        })),
      };
    });
}

/** The certificates (PEM) of the local CA, where it has issued any. */
export async function readLocalAuthorities(db: Db): Promise<string[]> {
  return (await selectAuthorities(db)).map(({ certificate }) => certificate);
}
