import type { SealedCertificate } from "../../core/documents/zone-document.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { aboveQuota, invalidIdentifier, invalidRequest } from "../../core/error.ts";
import type { ChangeWork } from "../../operation/unit-of-work.ts";
import { byZone, deleteRow, insertRow } from "../../storage/rows.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import { fromJson, toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { CertificatePackRow, TotalTlsRow } from "../../storage/schema/certificates.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Context } from "../../operation/context.ts";
import { invalidHosts, parseHosts, universalHosts, foreignHosts, type NameSettings } from "./hosts.ts";
import { toCertificatePack, type PackWithCertificates } from "./pack.ts";
import type { CreateCertificatePackBody } from "./schema.ts";
import {
  countAdvancedPacks,
  isUniversalEnabled,
  selectAuthorities,
  selectCertificatesInUse,
  selectPack,
  selectPacksOfZone,
  reviseTotalTls,
} from "./store.ts";

export interface CertificatePackContext extends Context {
  /** Maximum of advanced packs per zone; 0 forbids them. */
  readonly certificatePackQuota: number;
  /** Delay between the order, or the activation of a zone, and the first step. */
  readonly issuanceDelayMs: number;
  /** Runs the due steps now instead of at the timer's next round. */
  readonly wakeIssuance: () => void;
}

/** Days for which the certificates of Total TLS are valid. */
export const totalTlsDays = 90;

/**
 * Adds a pack to a zone that the transaction has locked. Omitted fields get the defaults of before 2021.
 * Errors: 400 code 1452 for invalid hosts and those of another account's zone, 1450 where packs are not
 * granted, 1451 at the quota.
 */
export async function addAdvancedPack(
  context: Omit<CertificatePackContext, "wakeIssuance"> & NameSettings,
  tx: Db,
  zone: ZoneRow,
  body: CreateCertificatePackBody,
): Promise<CertificatePackRow> {
  const { certificatePackQuota: quota } = context;
  const pack = newPack(context, zone, {
    type: "advanced",
    hosts: parseHosts(body.hosts, zone.name),
    validation_method: body.validation_method ?? "txt",
    validity_days: body.validity_days ?? 365,
    certificate_authority: body.certificate_authority ?? "digicert",
    cloudflare_branding: toFlag(body.cloudflare_branding === true),
  });
  refuseWithoutPacks(context);
  await refuseForeignHosts(context, tx, zone, fromJson(pack.hosts));
  if ((await countAdvancedPacks(tx, zone.id)) >= quota) {
    throw aboveQuota(errorCodes.certificatePacks.quotaReached, quota, "advanced certificate packs");
  }
  await insertRow(tx, "certificate_packs", pack);
  return pack;
}

/**
 * A zone above another account's has no say in what lies there. One that does not answer for its own name yet
 * may order, and gets nothing issued before it does. Errors: 400 code 1452.
 */
async function refuseForeignHosts(
  context: NameSettings,
  tx: Db,
  zone: ZoneRow,
  hosts: readonly string[],
): Promise<void> {
  const foreign = await foreignHosts(context, tx, zone, [zone.name, ...hosts]);
  if (foreign[0] === undefined || foreign[0] === zone.name) return;
  throw invalidHosts(
    `\`hosts/${hosts.indexOf(foreign[0])}\`: a zone of another account answers for ${foreign[0]}`,
    `/hosts/${hosts.indexOf(foreign[0])}`,
  );
}

/** Errors: 400 code 1450 where advanced packs are not granted. */
export function refuseWithoutPacks({
  certificatePackQuota,
}: Pick<CertificatePackContext, "certificatePackQuota">): void {
  if (certificatePackQuota > 0) return;
  throw invalidRequest(
    errorCodes.certificatePacks.notGranted,
    "Access to configure this resource has not been granted for this zone. This feature is available with the Advanced Certificate Manager.",
  );
}

/** Adds the universal pack to a zone in the transaction that activates it, unless that is turned off. */
export async function addUniversalPack(context: PackDelay, tx: Db, zone: ZoneRow): Promise<void> {
  const packs = await selectPacksOfZone(tx, zone.id);
  if (packs.some(({ pack }) => pack.type === "universal")) return;
  if (!(await isUniversalEnabled(tx, zone.id))) return;
  await insertRow(
    tx,
    "certificate_packs",
    newPack(context, zone, {
      type: "universal",
      hosts: universalHosts(zone.name),
      validation_method: "txt",
      validity_days: 90,
      certificate_authority: "google",
      cloudflare_branding: 0,
    }),
  );
}

export async function addTotalTlsPack(
  context: PackDelay,
  tx: Db,
  zone: ZoneRow,
  { host, certificate_authority }: Pick<TotalTlsRow, "certificate_authority"> & { readonly host: string },
): Promise<CertificatePackRow> {
  const pack = newPack(context, zone, {
    type: "total_tls",
    hosts: [host],
    validation_method: "txt",
    validity_days: totalTlsDays,
    certificate_authority,
    cloudflare_branding: 0,
  });
  await insertRow(tx, "certificate_packs", pack);
  await insertRow(tx, "total_tls_hosts", { zone_id: zone.id, host, pack_id: pack.id });
  return pack;
}

/**
 * Deletes a pack with its certificates and their keys. Total TLS may then order packs for the names that it
 * covered.
 */
export async function deletePack(
  { tx, now, audit }: ChangeWork & { readonly now: Date },
  found: PackWithCertificates,
): Promise<void> {
  const { id, zone_id } = found.pack;
  await deleteRow(tx, "certificate_packs", id);
  await reviseTotalTls(tx, zone_id);
  const before = toCertificatePack(found, toTimestamp(now));
  audit({ action: "certificate_pack_delete", id: found.pack.id, before });
}

type AskedFor = Pick<
  CertificatePackRow,
  "type" | "validation_method" | "validity_days" | "certificate_authority" | "cloudflare_branding"
> & { readonly hosts: string[] };

/** The context for ordering packs. */
export type PackDelay = Context & Pick<CertificatePackContext, "issuanceDelayMs">;

function newPack(
  { now, newId, issuanceDelayMs }: PackDelay,
  zone: ZoneRow,
  { hosts, ...asked }: AskedFor,
): CertificatePackRow {
  const orderedOn = now();
  return {
    id: toUuid(newId()),
    zone_id: zone.id,
    ...asked,
    hosts: toJson(hosts),
    status: "initializing",
    validation_errors: toJson([]),
    validation_records: toJson([]),
    failures: 0,
    step_on: toTimestamp(new Date(orderedOn.getTime() + issuanceDelayMs)),
    expires_on: null,
    created_on: toTimestamp(orderedOn),
  };
}

/** A UUID of version 7, made from an id that begins with the time. */
function toUuid(id: string): string {
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-7${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20)}`;
}

/** Errors: 404 code 1001. */
export async function findPack(db: Db, zoneId: string, id: string): Promise<PackWithCertificates> {
  const found = await selectPack(db, zoneId, id);
  if (found === undefined) throw invalidIdentifier("certificate pack");
  return found;
}

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
