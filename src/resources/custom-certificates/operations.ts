import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { aboveQuota } from "../../core/error.ts";
import { zoneList, zoneRead, zoneWrite, type ZoneWrite } from "../../operation/scope.ts";
import { IdOnly } from "../../operation/schema.ts";
import { deleteRow, insertRow, updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { CustomCertificateRow } from "../../storage/schema/certificates.ts";
import { readBundle } from "./bundle.ts";
import {
  bundleChange,
  findCertificate,
  geoRestrictionsColumn,
  toColumns,
  toCustomCertificate,
  type CustomCertificateContext,
} from "./custom-certificates.ts";
import {
  CreateCustomCertificateBody,
  CustomCertificate,
  EditCustomCertificateBody,
  ListCustomCertificatesQuery,
  PrioritizeCustomCertificatesBody,
} from "./schema.ts";
import {
  countCustomCertificates,
  selectCustomCertificates,
  selectCustomCertificatesOfZones,
} from "./store.ts";

const read = "SSL and Certificates Read";
const write = "SSL and Certificates Write";

/** Maximum per zone. */
const certificatesMax = 100;

export const listCustomCertificates = zoneList({
  name: "listCustomCertificates",
  summary: "List custom certificates",
  path: "/zones/{zone_id}/custom_certificates",
  permission: read,
  query: ListCustomCertificatesQuery,
  result: CustomCertificate,
  list: { orderings: ["priority", "expires_on", "uploaded_on"], direction: "desc", perPageMax: 1_000 },
  run: async ({ db, zone, now }, { query: { status }, page }) => {
    if (status !== undefined && status !== "active" && status !== "expired") {
      return { items: [], totalCount: 0 };
    }
    const at = toTimestamp(now);
    const { items, totalCount } = await selectCustomCertificates(db, zone.id, status, at, page);
    return { items: items.map((row) => toCustomCertificate(row, at)), totalCount };
  },
});

/** Errors: as `readBundle`; 400 code 1458 above the maximum, 503 code 10504 without a secret key. */
export const createCustomCertificate = zoneWrite({
  name: "createCustomCertificate",
  summary: "Upload a certificate with its key",
  method: "POST",
  path: "/zones/{zone_id}/custom_certificates",
  permission: write,
  body: CreateCustomCertificateBody,
  result: CustomCertificate,
  run: async ({ tx, zone, context, now, audit }: ZoneWrite<CustomCertificateContext>, { body }) => {
    const at = toTimestamp(now);
    const id = context.newId();
    const bundle = readBundle(body.certificate, body.private_key, zone.name, now);
    const row: CustomCertificateRow = {
      id,
      zone_id: zone.id,
      type: body.type ?? "legacy_custom",
      ...toColumns(context, id, bundle),
      bundle_method: body.bundle_method ?? "ubiquitous",
      geo_restrictions: geoRestrictionsColumn(body.geo_restrictions),
      priority: 0,
      uploaded_on: at,
      modified_on: at,
    };
    if ((await countCustomCertificates(tx, zone.id)) >= certificatesMax) {
      throw aboveQuota(errorCodes.customCertificates.quotaReached, certificatesMax, "custom certificates");
    }
    await insertRow(tx, "custom_certificates", row);
    const after = toCustomCertificate(row, at);
    audit({ action: "custom_certificate_add", id, after });
    return after;
  },
});

/** Answers all, the highest priority first; unnamed ones keep theirs. Errors: 404 code 1459. */
export const prioritizeCustomCertificates = zoneWrite({
  name: "prioritizeCustomCertificates",
  summary: "Set the priorities of custom certificates",
  method: "PUT",
  path: "/zones/{zone_id}/custom_certificates/prioritize",
  permission: write,
  body: PrioritizeCustomCertificatesBody,
  result: Type.Array(CustomCertificate),
  run: async ({ tx, zone, now, audit }, { body }) => {
    const at = toTimestamp(now);
    for (const { id, priority } of body.certificates) {
      const row = await findCertificate(tx, zone.id, id);
      const changed = { priority, modified_on: at };
      await updateRow(tx, "custom_certificates", id, changed);
      audit({
        action: "custom_certificate_prioritize",
        id,
        before: toCustomCertificate(row, at),
        after: toCustomCertificate({ ...row, ...changed }, at),
      });
    }
    const rows = await selectCustomCertificatesOfZones(tx, [zone.id]);
    return rows.map((row) => toCustomCertificate(row, at));
  },
});

/** Errors: 404 code 1459. */
export const getCustomCertificate = zoneRead({
  name: "getCustomCertificate",
  summary: "Get a custom certificate",
  path: "/zones/{zone_id}/custom_certificates/{custom_certificate_id}",
  permission: read,
  result: CustomCertificate,
  run: async ({ db, zone, now }, { params }) =>
    toCustomCertificate(await findCertificate(db, zone.id, params.custom_certificate_id), toTimestamp(now)),
});

/**
 * Certificate and key must match after the change. Errors: as `createCustomCertificate`, and 404 code 1459.
 */
export const editCustomCertificate = zoneWrite({
  name: "editCustomCertificate",
  summary: "Replace a custom certificate or its key",
  method: "PATCH",
  path: "/zones/{zone_id}/custom_certificates/{custom_certificate_id}",
  permission: write,
  body: EditCustomCertificateBody,
  result: CustomCertificate,
  run: async ({ tx, zone, context, now, audit }: ZoneWrite<CustomCertificateContext>, { params, body }) => {
    const id = params.custom_certificate_id;
    const at = toTimestamp(now);
    const row = await findCertificate(tx, zone.id, id);
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
    await updateRow(tx, "custom_certificates", id, changed);
    const after = toCustomCertificate({ ...row, ...changed }, at);
    audit({ action: "custom_certificate_edit", id, before, after });
    return after;
  },
});

/** Errors: 404 code 1459. */
export const deleteCustomCertificate = zoneWrite({
  name: "deleteCustomCertificate",
  summary: "Delete a custom certificate and its key",
  method: "DELETE",
  path: "/zones/{zone_id}/custom_certificates/{custom_certificate_id}",
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, now, audit }, { params: { custom_certificate_id: id } }) => {
    const row = await findCertificate(tx, zone.id, id);
    await deleteRow(tx, "custom_certificates", id);
    const before = toCustomCertificate(row, toTimestamp(now));
    audit({ action: "custom_certificate_delete", id, before });
    return { id };
  },
});
