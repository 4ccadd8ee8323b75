import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest, notFound } from "../../core/error.ts";
import { openText } from "../../operation/open.ts";
import { zoneList, zoneRead, zoneWrite, type ZoneRead, type ZoneWrite } from "../../operation/scope.ts";
import { updateRow, putRow, selectRow } from "../../storage/rows.ts";
import { toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import type { CertificatePackRow, TotalTlsRow } from "../../storage/schema/certificates.ts";
import { findAuthorities, type CertificateAuthorityContext } from "./local-issuer.ts";
import {
  addAdvancedPack,
  deletePack,
  findPack,
  type CertificatePackContext,
  addUniversalPack,
  refuseWithoutPacks,
  totalTlsDays,
} from "./certificate-packs.ts";
import type { NameSettings } from "./hosts.ts";
import { toCertificatePack, toVerification } from "./pack.ts";
import {
  CertificatePack,
  CertificatePackId,
  CertificatePackQuota,
  CertificateVerification,
  CreateCertificatePackBody,
  EditCertificatePackBody,
  EditedVerification,
  EditVerificationBody,
  ListCertificatePacksQuery,
  OrderCertificatePackBody,
  EditUniversalSettingsBody,
  UniversalSettings,
  EditTotalTlsBody,
  TotalTls,
} from "./schema.ts";
import {
  countAdvancedPacks,
  selectAuthorities,
  selectPackForChange,
  selectPacks,
  selectPacksOfZone,
  isUniversalEnabled,
} from "./store.ts";
import type { Db } from "../../storage/tables.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ids = { certificate_pack_id: uuid };
const read = "SSL and Certificates Read";
const write = "SSL and Certificates Write";

/**
 * Creates the local CA on first use. Errors: 404 code 1001 where an ACME CA issues and there never was a
 * local one.
 */
export const getCertificateAuthority = openText({
  name: "getCertificateAuthority",
  summary: "Get the certificates of the local certificate authority",
  path: "/certificate_authority.pem",
  contentType: "application/x-pem-file",
  result: Type.String({ description: "PEM: one for ECDSA, one for RSA. Clients must trust both." }),
  run: async (context: CertificateAuthorityContext) => {
    const authorities =
      context.certificateIssuer === "local"
        ? await findAuthorities(context)
        : await selectAuthorities(context.db.read);
    if (authorities.length === 0) {
      throw notFound(errorCodes.certificatePacks.unknown, "There is no local certificate authority");
    }
    return authorities.map(({ certificate }) => certificate).join("");
  },
});

export const listCertificatePacks = zoneList({
  name: "listCertificatePacks",
  summary: "List certificate packs",
  path: "/zones/{zone_id}/ssl/certificate_packs",
  permission: read,
  query: ListCertificatePacksQuery,
  result: CertificatePack,
  list: { orderings: ["created_on"], perPageMax: 1_000 },
  run: async ({ db, zone, now }, { query: { status, ssl_status, deploy }, page }) => {
    if (deploy === "staging") return { items: [], totalCount: 0 };
    const at = toTimestamp(now);
    const asked = status ?? ssl_status ?? "active";
    const ofStatus = asked === "all" ? undefined : asked;
    const { items, totalCount } = await selectPacks(db, zone.id, ofStatus, at, page);
    return { items: items.map((item) => toCertificatePack(item, at)), totalCount };
  },
});

/** The certificates are issued afterwards. Errors: as `addAdvancedPack`. */
export const orderCertificatePack = zoneWrite({
  name: "orderCertificatePack",
  summary: "Order an advanced certificate pack",
  method: "POST",
  path: "/zones/{zone_id}/ssl/certificate_packs/order",
  permission: write,
  body: OrderCertificatePackBody,
  result: CertificatePack,
  run: (work: ZoneWrite<CertificatePackContext & NameSettings>, { body }) => orderPack(work, body),
});

/** Errors: as `orderCertificatePack`. */
export const createCertificatePack = zoneWrite({
  name: "createCertificatePack",
  summary: "Order a certificate pack with a request body from before 2021",
  method: "POST",
  path: "/zones/{zone_id}/ssl/certificate_packs",
  permission: write,
  body: CreateCertificatePackBody,
  result: CertificatePack,
  run: (work: ZoneWrite<CertificatePackContext & NameSettings>, { body }) => orderPack(work, body),
});

export const getCertificatePackQuota = zoneRead({
  name: "getCertificatePackQuota",
  summary: "Get the quota of advanced certificate packs",
  path: "/zones/{zone_id}/ssl/certificate_packs/quota",
  permission: read,
  result: CertificatePackQuota,
  run: async ({ db, zone, context }: ZoneRead<CertificatePackContext>) => ({
    advanced: { allocated: context.certificatePackQuota, used: await countAdvancedPacks(db, zone.id) },
  }),
});

/** Errors: 404 code 1001. */
export const getCertificatePack = zoneRead({
  name: "getCertificatePack",
  summary: "Get a certificate pack",
  path: "/zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}",
  ids,
  permission: read,
  result: CertificatePack,
  run: async ({ db, zone, now }, { params }) =>
    toCertificatePack(await findPack(db, zone.id, params.certificate_pack_id), toTimestamp(now)),
});

/** Restarts a failed validation; otherwise only the branding changes. Errors: 404 code 1001. */
export const editCertificatePack = zoneWrite({
  name: "editCertificatePack",
  summary: "Restart the validation of a certificate pack",
  method: "PATCH",
  path: "/zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}",
  ids,
  permission: write,
  body: EditCertificatePackBody,
  result: CertificatePack,
  run: async (work: ZoneWrite<CertificatePackContext & NameSettings>, { params, body }) => {
    const branding = body?.cloudflare_branding;
    return restartPack(work, params.certificate_pack_id, {
      ...(branding != null && { cloudflare_branding: toFlag(branding) }),
    });
  },
});

/**
 * Also deletes the certificates and keys. Total TLS orders none again for the host of a pack of its own.
 * Errors: 400 code 1453 for the universal pack, which is turned off instead; 404 code 1001.
 */
export const deleteCertificatePack = zoneWrite({
  name: "deleteCertificatePack",
  summary: "Delete an advanced certificate pack, or one of Total TLS",
  method: "DELETE",
  path: "/zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}",
  ids,
  permission: write,
  result: CertificatePackId,
  run: async (work, { params: { certificate_pack_id: id } }) => {
    const found = await findPack(work.tx, work.zone.id, id);
    if (found.pack.type === "universal") {
      throw invalidRequest(
        errorCodes.certificatePacks.universal,
        "The universal certificate pack of a zone cannot be deleted; it can be turned off",
      );
    }
    await deletePack(work, found);
    return { id };
  },
});

export const getCertificateVerification = zoneRead({
  name: "getCertificateVerification",
  summary: "Get the status of the certificates of a zone",
  path: "/zones/{zone_id}/ssl/verification",
  permission: read,
  result: Type.Array(CertificateVerification),
  run: async ({ db, zone, now }) => {
    const packs = await selectPacksOfZone(db, zone.id);
    return packs.map((pack) => toVerification(pack, toTimestamp(now)));
  },
});

/**
 * Retries an unfinished validation at once, by the given method; a finished one uses the method when its
 * certificates are renewed. Errors: 404 code 1001.
 */
export const editCertificateVerification = zoneWrite({
  name: "editCertificateVerification",
  summary: "Restart the validation of a certificate pack, by another method",
  method: "PATCH",
  path: "/zones/{zone_id}/ssl/verification/{certificate_pack_id}",
  ids,
  permission: write,
  body: EditVerificationBody,
  result: EditedVerification,
  run: async (
    work: ZoneWrite<CertificatePackContext & NameSettings>,
    { params, body: { validation_method } },
  ) => {
    const pack = await restartPack(work, params.certificate_pack_id, {
      ...(validation_method !== undefined && { validation_method }),
    });
    return { status: pack.status, validation_method: pack.validation_method };
  },
});

/** Changes a pack and tries its validation again at once if that failed. */
async function restartPack(
  { tx, zone, context, now, audit, afterCommit }: ZoneWrite<CertificatePackContext & NameSettings>,
  id: string,
  wanted: Partial<Pick<CertificatePackRow, "cloudflare_branding" | "validation_method">>,
): Promise<CertificatePack> {
  const at = toTimestamp(now);
  // Against the timer, which does not lock the zone.
  await selectPackForChange(tx, id);
  const { pack, certificates } = await findPack(tx, zone.id, id);
  const change: Partial<CertificatePackRow> = {
    ...wanted,
    ...(pack.failures > 0 && { failures: 0, step_on: at, validation_errors: toJson([]) }),
    ...(pack.status === "validation_timed_out" && { status: "initializing" }),
  };
  afterCommit(context.wakeIssuance);
  const before = toCertificatePack({ pack, certificates }, at);
  if (Object.keys(change).length === 0) return before;
  await updateRow(tx, "certificate_packs", id, change);
  const after = toCertificatePack({ pack: { ...pack, ...change }, certificates }, at);
  audit({ action: "certificate_pack_edit", id: pack.id, before, after });
  return after;
}

async function orderPack(
  { tx, zone, context, now, audit, afterCommit }: ZoneWrite<CertificatePackContext & NameSettings>,
  body: CreateCertificatePackBody,
): Promise<CertificatePack> {
  const pack = await addAdvancedPack(context, tx, zone, body);
  const after = toCertificatePack({ pack, certificates: [] }, toTimestamp(now));
  audit({ action: "certificate_pack_order", id: pack.id, after });
  afterCommit(context.wakeIssuance);
  return after;
}

const universalPath = "/zones/{zone_id}/ssl/universal/settings";

export const getUniversalSettings = zoneRead({
  name: "getUniversalSettings",
  summary: "Get whether a zone has a universal certificate pack",
  path: universalPath,
  permission: "SSL and Certificates Read",
  result: UniversalSettings,
  run: async ({ db, zone }) => ({ enabled: await isUniversalEnabled(db, zone.id) }),
});

/**
 * Turning it off deletes the universal pack with its certificates and their keys, and the next activation
 * adds none. Turning it on adds one to an active zone; its certificates are issued afterwards.
 */
export const editUniversalSettings = zoneWrite({
  name: "editUniversalSettings",
  summary: "Turn the universal certificate pack of a zone on or off",
  method: "PATCH",
  path: universalPath,
  permission: "SSL and Certificates Write",
  body: EditUniversalSettingsBody,
  result: UniversalSettings,
  run: async (work: ZoneWrite<CertificatePackContext>, { body }) => {
    const { tx, zone, context, audit, afterCommit } = work;
    const before = { enabled: await isUniversalEnabled(tx, zone.id) };
    const after = { enabled: body.enabled ?? before.enabled };
    if (after.enabled === before.enabled) return before;
    await putRow(tx, "universal_settings", { zone_id: zone.id, enabled: toFlag(after.enabled) });
    audit({ action: "universal_ssl_edit", id: zone.id, before, after });
    if (after.enabled) {
      if (zone.status === "active") await addUniversalPack(context, tx, zone);
      afterCommit(context.wakeIssuance);
      return after;
    }
    const packs = await selectPacksOfZone(tx, zone.id);
    for (const found of packs.filter(({ pack }) => pack.type === "universal")) await deletePack(work, found);
    return after;
  },
});

const totalTlsPath = "/zones/{zone_id}/acm/total_tls";

/** The authority of packs where none was chosen. */
const defaultAuthority = "google";

export const getTotalTls = zoneRead({
  name: "getTotalTls",
  summary: "Get whether Total TLS orders certificates for a zone",
  path: totalTlsPath,
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
  path: totalTlsPath,
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
