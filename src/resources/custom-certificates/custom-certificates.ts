import { hash } from "node:crypto";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier } from "../../core/error.ts";
import type { SealedCertificate } from "../../core/documents/zone-document.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { byZone, findRow } from "../../storage/rows.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { CustomCertificateRow } from "../../storage/schema/certificates.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Context } from "../../operation/context.ts";
import { readBundle, type Bundle } from "./bundle.ts";
import { selectCustomCertificatesOfZones } from "./store.ts";
import type { CreateCustomCertificateBody, CustomCertificate, EditCustomCertificateBody } from "./schema.ts";

export interface CustomCertificateContext extends Context {
  readonly secretBox: SecretBox;
}

type BundleColumns = Pick<
  CustomCertificateRow,
  "chain" | "private_key" | "hosts" | "issuer" | "signature" | "expires_on"
>;

export function toColumns(
  { secretBox }: CustomCertificateContext,
  id: string,
  { chain, privateKey, facts }: Bundle,
): BundleColumns {
  return {
    chain,
    private_key: secretBox.seal(privateKey, sealedPlace("custom_certificates.private_key", id)),
    hosts: toJson(facts.hosts),
    issuer: facts.issuer,
    signature: facts.signature,
    expires_on: toTimestamp(facts.expiresOn),
  };
}

/** The columns that a new certificate or key changes. The secret key is only needed if either was sent. */
export function bundleChange(
  context: CustomCertificateContext,
  zone: ZoneRow,
  { id, chain, private_key: sealed }: CustomCertificateRow,
  { certificate, private_key }: EditCustomCertificateBody,
): Partial<BundleColumns> {
  if (certificate === undefined && private_key === undefined) return {};
  const privateKey =
    private_key ?? context.secretBox.open(sealed, sealedPlace("custom_certificates.private_key", id));
  const bundle = readBundle(certificate ?? chain, privateKey, zone.name, context.now());
  return toColumns(context, id, bundle);
}

/** The custom certificates of zones; the result finds those of one zone. */
export async function readCustomCertificates(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => (Omit<SealedCertificate, "rank"> & Pick<CustomCertificateRow, "priority">)[]> {
  const rowsOf = byZone(await selectCustomCertificatesOfZones(db, zoneIds));
  return (zoneId) =>
    rowsOf(zoneId).map(({ id, hosts, priority, chain, private_key, expires_on }) => ({
      hosts: fromJson(hosts),
      priority,
      chains: [
        {
          id: hash("sha256", chain + private_key),
          chain,
          privateKey: private_key,
          place: sealedPlace("custom_certificates.private_key", id),
          expiresOn: expires_on,
        },
      ],
    }));
}

export function geoRestrictionsColumn(
  sent: CreateCustomCertificateBody["geo_restrictions"],
): CustomCertificateRow["geo_restrictions"] {
  return sent == null || sent.label === "" ? null : toJson({ label: sent.label });
}

export function toCustomCertificate(row: CustomCertificateRow, now: Timestamp): CustomCertificate {
  const { geo_restrictions } = row;
  return {
    id: row.id,
    zone_id: row.zone_id,
    type: row.type,
    hosts: [...fromJson(row.hosts)],
    issuer: row.issuer,
    signature: row.signature,
    status: row.expires_on <= now ? "expired" : "active",
    bundle_method: row.bundle_method,
    ...(geo_restrictions !== null && { geo_restrictions: fromJson(geo_restrictions) }),
    priority: row.priority,
    uploaded_on: row.uploaded_on,
    modified_on: row.modified_on,
    expires_on: row.expires_on,
  };
}

/** Errors: 404 code 1459. */
export async function findCertificate(db: Db, zoneId: string, id: string): Promise<CustomCertificateRow> {
  return findRow(db, "custom_certificates", { zone_id: zoneId, id }, () =>
    invalidIdentifier("custom certificate", errorCodes.customCertificates.unknown),
  );
}
