import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import type { CertificatePackRow, Db, ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type ChangeSubject } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import { parseHosts, universalHosts } from "./hosts.ts";
import { toCertificatePack, toVerification, type PackWithCertificates } from "./pack.ts";
import type {
  CertificatePack,
  CertificatePackQuota,
  CertificateVerification,
  CreateCertificatePackBody,
  ListCertificatePacksQuery,
} from "./schema.ts";
import {
  countAdvancedPacks,
  deletePack,
  insertPack,
  selectPack,
  selectPackForChange,
  selectPacks,
  selectPacksOfZone,
  updatePack,
  type PackOrdering,
} from "./store.ts";

export interface CertificatePackContext extends Context {
  /** Most advanced packs of a zone; without any, ordering is not granted. */
  readonly certificatePackQuota: number;
  /** Has what is due done now instead of at the next round of the timer. */
  readonly wakeIssuance: () => void;
}

/** Errors: 404 code 1001. */
export async function listCertificatePacks(
  { db, now }: Context,
  zoneId: string,
  { status, ssl_status, deploy }: ListCertificatePacksQuery,
  page: PageRequest<PackOrdering>,
): Promise<Page<CertificatePack>> {
  await findZone(db.read, zoneId);
  if (deploy === "staging") return { items: [], totalCount: 0 };
  const at = toTimestamp(now());
  const asked = status ?? ssl_status ?? "active";
  const { items, totalCount } = await selectPacks(
    db.read,
    zoneId,
    asked === "all" ? undefined : asked,
    at,
    page,
  );
  return { items: items.map((item) => toCertificatePack(item, at)), totalCount };
}

/** Errors: 404 code 1001. */
export async function getCertificatePack(
  { db, now }: Context,
  zoneId: string,
  id: string,
): Promise<CertificatePack> {
  await findZone(db.read, zoneId);
  return toCertificatePack(await findPack(db.read, zoneId, id), toTimestamp(now()));
}

/** Orders an advanced pack; its certificates are issued afterwards. Errors: as `addAdvancedPack`, and 404 code 1001. */
export async function orderCertificatePack(
  context: CertificatePackContext,
  caller: Caller,
  zoneId: string,
  body: CreateCertificatePackBody,
): Promise<CertificatePack> {
  const { db, now, wakeIssuance } = context;
  const ordered = await db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const pack = await addAdvancedPack(context, tx, zone, body);
    const after = toCertificatePack({ pack, certificates: [] }, toTimestamp(now()));
    await recordChanges(context, tx, caller, [
      { action: "certificate_pack_order", ...subjectOf(zone, pack), after },
    ]);
    return after;
  });
  wakeIssuance();
  return ordered;
}

/** An order in the form of before 2021. Errors: as `orderCertificatePack`. */
export async function createCertificatePack(
  context: CertificatePackContext,
  caller: Caller,
  zoneId: string,
  body: CreateCertificatePackBody,
): Promise<CertificatePack> {
  return orderCertificatePack(context, caller, zoneId, body);
}

/**
 * Restarts the validation of a pack whose last attempt failed; otherwise only the branding changes.
 * Errors: 404 code 1001.
 */
export async function editCertificatePack(
  context: CertificatePackContext,
  caller: Caller,
  zoneId: string,
  id: string,
  branding: boolean | null | undefined,
): Promise<CertificatePack> {
  const { db, now, wakeIssuance } = context;
  const at = toTimestamp(now());
  const edited = await db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    // Against the timer, which does not hold the zone.
    await selectPackForChange(tx, id);
    const { pack, certificates } = await findPack(tx, zoneId, id);
    const change: Partial<CertificatePackRow> = {
      ...(branding != null && { cloudflare_branding: toFlag(branding) }),
      ...(pack.failures > 0 && { failures: 0, step_on: at, validation_errors: toJson([]) }),
      ...(pack.status === "validation_timed_out" && { status: "initializing" }),
    };
    const before = toCertificatePack({ pack, certificates }, at);
    if (Object.keys(change).length === 0) return before;
    await updatePack(tx, id, change);
    const after = toCertificatePack({ pack: { ...pack, ...change }, certificates }, at);
    await recordChanges(context, tx, caller, [
      { action: "certificate_pack_edit", ...subjectOf(zone, pack), before, after },
    ]);
    return after;
  });
  wakeIssuance();
  return edited;
}

/**
 * Deletes an advanced pack, with its certificates and their keys.
 * Errors: 400 code 1453 for the universal one, which stays as long as its zone; 404 code 1001.
 */
export async function deleteCertificatePack(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
): Promise<{ id: string }> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const found = await findPack(tx, zoneId, id);
    if (found.pack.type === "universal") {
      throw new AppError("invalid", 1453, "The universal certificate pack of a zone cannot be deleted");
    }
    await deletePack(tx, id);
    const before = toCertificatePack(found, toTimestamp(context.now()));
    await recordChanges(context, tx, caller, [
      { action: "certificate_pack_delete", ...subjectOf(zone, found.pack), before },
    ]);
    return { id };
  });
}

/** Errors: 404 code 1001. */
export async function getCertificatePackQuota(
  { db, certificatePackQuota }: CertificatePackContext,
  zoneId: string,
): Promise<CertificatePackQuota> {
  await findZone(db.read, zoneId);
  return { advanced: { allocated: certificatePackQuota, used: await countAdvancedPacks(db.read, zoneId) } };
}

/** Errors: 404 code 1001. */
export async function getCertificateVerification(
  { db, now }: Context,
  zoneId: string,
): Promise<CertificateVerification[]> {
  await findZone(db.read, zoneId);
  const packs = await selectPacksOfZone(db.read, zoneId);
  return packs.map((pack) => toVerification(pack, toTimestamp(now())));
}

/**
 * Adds a pack to a zone that the transaction has locked. What is left out gets the defaults of before 2021.
 * Errors: 400 code 1452 for hosts that it cannot cover, 400 code 1450 where no packs are granted, 400 code 1451 at
 * the quota.
 */
export async function addAdvancedPack(
  context: Context & Pick<CertificatePackContext, "certificatePackQuota">,
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
  if (quota === 0) {
    throw new AppError(
      "invalid",
      1450,
      "Access to configure this resource has not been granted for this zone. This feature is available with the Advanced Certificate Manager.",
    );
  }
  if ((await countAdvancedPacks(tx, zone.id)) >= quota) {
    throw new AppError(
      "invalid",
      1451,
      `The zone already has its maximum of ${quota} advanced certificate packs`,
    );
  }
  await insertPack(tx, pack);
  return pack;
}

/** Gives a zone that becomes active the pack that covers it; part of that transaction. */
export async function addUniversalPack(context: Context, tx: Db, zone: ZoneRow): Promise<void> {
  const packs = await selectPacksOfZone(tx, zone.id);
  if (packs.some(({ pack }) => pack.type === "universal")) return;
  await insertPack(
    tx,
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

/** What entries about a pack are about. */
export function subjectOf(
  zone: Pick<ZoneRow, "id" | "name" | "account_id">,
  { id }: CertificatePackRow,
): ChangeSubject {
  return { owner: { zone }, resource: { type: "certificate_pack", id } };
}

type AskedFor = Pick<
  CertificatePackRow,
  "type" | "validation_method" | "validity_days" | "certificate_authority" | "cloudflare_branding"
> & { readonly hosts: string[] };

function newPack({ now, newId }: Context, zone: ZoneRow, { hosts, ...asked }: AskedFor): CertificatePackRow {
  const created_on = toTimestamp(now());
  return {
    id: toUuid(newId()),
    zone_id: zone.id,
    ...asked,
    hosts: toJson(hosts),
    status: "initializing",
    validation_errors: toJson([]),
    validation_records: toJson([]),
    failures: 0,
    step_on: created_on,
    expires_on: null,
    created_on,
  };
}

/** The id of a pack has dashes. An id that begins with the time becomes a UUID of version 7. */
function toUuid(id: string): string {
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-7${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20)}`;
}

async function findPack(db: Db, zoneId: string, id: string): Promise<PackWithCertificates> {
  const found = await selectPack(db, zoneId, id);
  if (found === undefined) throw new AppError("not-found", 1001, "Invalid certificate pack identifier");
  return found;
}
