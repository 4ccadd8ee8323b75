import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type { SecretBox } from "../../secret-box.ts";
import { fromJson, toJson, toTimestamp, type Timestamp } from "../../storage/columns.ts";
import type { CustomCertificateRow, Db, ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type Change, type ChangeSubject } from "../audit-logs/audit-logs.ts";
import type { Context } from "../context.ts";
import { findZone, lockZone } from "../zones/zones.ts";
import { readBundle, type Bundle } from "./bundle.ts";
import type {
  CreateCustomCertificateBody,
  CustomCertificate,
  EditCustomCertificateBody,
  ListCustomCertificatesQuery,
  PrioritizeCustomCertificatesBody,
} from "./schema.ts";
import {
  countCustomCertificates,
  deleteCustomCertificateRow,
  insertCustomCertificate,
  selectCustomCertificate,
  selectCustomCertificates,
  selectCustomCertificatesOfZone,
  updateCustomCertificate,
  type CustomCertificateOrdering,
} from "./store.ts";

export interface CustomCertificateContext extends Context {
  readonly secretBox: SecretBox;
}

/** Most custom certificates of a zone. */
const certificatesMax = 100;

/** Errors: 404 code 1001. */
export async function listCustomCertificates(
  { db, now }: Context,
  zoneId: string,
  { status }: ListCustomCertificatesQuery,
  page: PageRequest<CustomCertificateOrdering>,
): Promise<Page<CustomCertificate>> {
  await findZone(db.read, zoneId);
  if (status !== undefined && status !== "active" && status !== "expired")
    return { items: [], totalCount: 0 };
  const at = toTimestamp(now());
  const { items, totalCount } = await selectCustomCertificates(db.read, zoneId, status, at, page);
  return { items: items.map((row) => toCustomCertificate(row, at)), totalCount };
}

/** Errors: 404 code 1001 for the zone, 404 code 1459 for the certificate. */
export async function getCustomCertificate(
  { db, now }: Context,
  zoneId: string,
  id: string,
): Promise<CustomCertificate> {
  await findZone(db.read, zoneId);
  return toCustomCertificate(await findCertificate(db.read, zoneId, id), toTimestamp(now()));
}

/** Errors: as `readBundle`; 400 code 1458 for one too many, 404 code 1001, 503 code 10504 without a secret key. */
export async function createCustomCertificate(
  context: CustomCertificateContext,
  caller: Caller,
  zoneId: string,
  body: CreateCustomCertificateBody,
): Promise<CustomCertificate> {
  const at = toTimestamp(context.now());
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const id = context.newId();
    const bundle = readBundle(body.certificate, body.private_key, zone.name, context.now());
    const row: CustomCertificateRow = {
      id,
      zone_id: zoneId,
      type: body.type ?? "legacy_custom",
      ...toColumns(context, id, bundle),
      bundle_method: body.bundle_method ?? "ubiquitous",
      geo_restrictions: geoRestrictionsColumn(body.geo_restrictions),
      priority: 0,
      uploaded_on: at,
      modified_on: at,
    };
    if ((await countCustomCertificates(tx, zoneId)) >= certificatesMax) {
      throw new AppError(
        "invalid",
        1458,
        `The zone already has its maximum of ${certificatesMax} custom certificates`,
      );
    }
    await insertCustomCertificate(tx, row);
    const after = toCustomCertificate(row, at);
    await recordChanges(context, tx, caller, [
      { action: "custom_certificate_add", ...subjectOf(zone, id), after },
    ]);
    return after;
  });
}

/**
 * Changes a certificate: what is left out stays, and all of it has to fit together.
 * Errors: as `createCustomCertificate`, and 404 code 1459.
 */
export async function editCustomCertificate(
  context: CustomCertificateContext,
  caller: Caller,
  zoneId: string,
  id: string,
  body: EditCustomCertificateBody,
): Promise<CustomCertificate> {
  const at = toTimestamp(context.now());
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const row = await findCertificate(tx, zoneId, id);
    const change: Partial<CustomCertificateRow> = {
      ...bundleChange(context, zone, row, body),
      ...(body.bundle_method && { bundle_method: body.bundle_method }),
      ...(body.geo_restrictions !== undefined && {
        geo_restrictions: geoRestrictionsColumn(body.geo_restrictions),
      }),
    };
    const before = toCustomCertificate(row, at);
    if (Object.keys(change).length === 0) return before;
    const changed = { ...change, modified_on: at };
    await updateCustomCertificate(tx, id, changed);
    const after = toCustomCertificate({ ...row, ...changed }, at);
    await recordChanges(context, tx, caller, [
      { action: "custom_certificate_edit", ...subjectOf(zone, id), before, after },
    ]);
    return after;
  });
}

/** Errors: 404 code 1001 for the zone, 404 code 1459 for the certificate. */
export async function deleteCustomCertificate(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
): Promise<{ id: string }> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const row = await findCertificate(tx, zoneId, id);
    await deleteCustomCertificateRow(tx, id);
    const before = toCustomCertificate(row, toTimestamp(context.now()));
    await recordChanges(context, tx, caller, [
      { action: "custom_certificate_delete", ...subjectOf(zone, id), before },
    ]);
    return { id };
  });
}

/**
 * Sets the priorities of those that are named, and answers all, the highest priority first.
 * Errors: 404 code 1001 for the zone, 404 code 1459 for a certificate; nothing changes then.
 */
export async function prioritizeCustomCertificates(
  context: Context,
  caller: Caller,
  zoneId: string,
  { certificates }: PrioritizeCustomCertificatesBody,
): Promise<CustomCertificate[]> {
  const at = toTimestamp(context.now());
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const changes: Change[] = [];
    for (const { id, priority } of certificates) {
      const row = await findCertificate(tx, zoneId, id);
      const changed = { priority, modified_on: at };
      await updateCustomCertificate(tx, id, changed);
      changes.push({
        action: "custom_certificate_prioritize",
        ...subjectOf(zone, id),
        before: toCustomCertificate(row, at),
        after: toCustomCertificate({ ...row, ...changed }, at),
      });
    }
    const rows = await selectCustomCertificatesOfZone(tx, zoneId);
    await recordChanges(context, tx, caller, changes);
    return rows.map((row) => toCustomCertificate(row, at));
  });
}

/** Where the key of a certificate is stored, for the secret box. */
export const placeOfCustomKey = (id: string): string => `custom_certificates.private_key ${id}`;

type BundleColumns = Pick<
  CustomCertificateRow,
  "chain" | "private_key" | "hosts" | "issuer" | "signature" | "expires_on"
>;

function toColumns(
  { secretBox }: CustomCertificateContext,
  id: string,
  { chain, privateKey, facts }: Bundle,
): BundleColumns {
  return {
    chain,
    private_key: secretBox.seal(privateKey, placeOfCustomKey(id)),
    hosts: toJson(facts.hosts),
    issuer: facts.issuer,
    signature: facts.signature,
    expires_on: toTimestamp(facts.expiresOn),
  };
}

/** What another certificate or key changes; nothing where neither was sent, for which no secret key is needed. */
function bundleChange(
  context: CustomCertificateContext,
  zone: ZoneRow,
  { id, chain, private_key: sealed }: CustomCertificateRow,
  { certificate, private_key }: EditCustomCertificateBody,
): Partial<BundleColumns> {
  if (certificate === undefined && private_key === undefined) return {};
  const privateKey = private_key ?? context.secretBox.open(sealed, placeOfCustomKey(id));
  const bundle = readBundle(certificate ?? chain, privateKey, zone.name, context.now());
  return toColumns(context, id, bundle);
}

function geoRestrictionsColumn(
  sent: CreateCustomCertificateBody["geo_restrictions"],
): CustomCertificateRow["geo_restrictions"] {
  return sent == null || sent.label === "" ? null : toJson({ label: sent.label });
}

function toCustomCertificate(row: CustomCertificateRow, now: Timestamp): CustomCertificate {
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

/** Whose the log entry is, and what it is about. */
function subjectOf(zone: ZoneRow, id: string): ChangeSubject {
  return { owner: { zone }, resource: { type: "custom_certificate", id } };
}

async function findCertificate(db: Db, zoneId: string, id: string): Promise<CustomCertificateRow> {
  const row = await selectCustomCertificate(db, zoneId, id);
  if (row === undefined) throw new AppError("not-found", 1459, "Invalid custom certificate identifier");
  return row;
}
