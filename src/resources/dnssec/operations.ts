import { dayOf } from "../../core/dns/dnssec/signatures.ts";
import { algorithm, keyFlags } from "../../core/dns/dnssec/keys.ts";
import { classCodes, typeCodes } from "../../core/dns/wire/codes.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody, invalidRequest } from "../../core/error.ts";
import { Type } from "@sinclair/typebox";

import { zoneRead, zoneWrite, type ZoneRead, type ZoneWrite } from "../../operation/scope.ts";
import { toFlag, toTimestamp } from "../../storage/columns.ts";
import { insertRow, selectRow } from "../../storage/rows.ts";
import type { Flag } from "../../storage/schema/table.ts";
import type { ZoneDnssecRow } from "../../storage/schema/dns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { zoneAnswersChanged } from "../zones/zones.ts";
import { findSigners, statusAfter } from "./renewal.ts";
import { findEntryPoints, isPresigned, newKeys, toDnssec, type DnssecContext } from "./dnssec.ts";
import { Dnssec, DnssecBody, ZoneSigningKey } from "./schema.ts";
import { deleteDnssec, requestWholeTransfer, updateDnssec } from "./store.ts";

const path = "/zones/{zone_id}/dnssec";
const codes = errorCodes.dnssec;

export const getDnssec = zoneRead({
  name: "getDnssec",
  summary: "Get the DNSSEC status of a zone, and the DS record for its parent",
  path,
  permission: "DNS Read",
  result: Dnssec,
  run: async ({ db, zone }) => {
    const row = await selectRow(db, "zone_dnssec", { zone_id: zone.id });
    return toDnssec(zone, row, row === undefined ? [] : await findEntryPoints(db, zone, row));
  },
});

/**
 * Keys are made when DNSSEC is turned on for the first time. The parent is asked for its DS records before. A
 * zone that becomes presigned is transferred as a whole, and served with its signatures from then on. Errors:
 * 400 code 10052 for a zone without keys that is not turned on, 10053 for one that others serve, 10054 for a
 * presigned zone that is not of the type `secondary` or has several signers; 503 code 10504 without the
 * secret key.
 */
export const editDnssec = zoneWrite({
  name: "editDnssec",
  summary: "Turn DNSSEC of a zone on or off",
  method: "PATCH",
  path,
  permission: "DNS Write",
  body: DnssecBody,
  result: Dnssec,
  prepare: ({ context, db, zone }: ZoneRead<DnssecContext>) => findSigners(context, db, zone),
  run: async ({ tx, zone, context, now, audit }: ZoneWrite<DnssecContext>, { body, prepared }) => {
    const known = await selectRow(tx, "zone_dnssec", { zone_id: zone.id });
    refuseInvalid(zone, body, known);
    if (known === undefined && body.status !== "active") {
      const turnsOn = Object.values(body).includes(true);
      if (!turnsOn) return toDnssec(zone, undefined, []);
      throw invalidRequest(codes.notConfigured, "DNSSEC has to be turned on first: status active");
    }
    const modified_on = toTimestamp(now);
    const row: ZoneDnssecRow = known ?? {
      zone_id: zone.id,
      status: "pending",
      ...newKeys(context.secretBox, zone.id),
      multi_signer: null,
      presigned: null,
      use_nsec3: null,
      signed_day: dayOf(now.getTime()),
      modified_on,
      checked_on: null,
    };
    const asked = {
      ...row,
      ...switchesIn(body),
      status: statusAsked(row.status, body.status),
      checked_on: prepared === undefined ? row.checked_on : modified_on,
    };
    const entryPoints = await findEntryPoints(tx, zone, asked);
    const after: ZoneDnssecRow = { ...asked, status: statusAfter(zone, asked, entryPoints, prepared) };
    if (known !== undefined && isSame(known, after)) return toDnssec(zone, known, entryPoints);
    after.modified_on = modified_on;
    if (known === undefined) await insertRow(tx, "zone_dnssec", after);
    else await updateDnssec(tx, zone.id, after);
    // The serial of a presigned zone is its primary's, as its SOA record is signed.
    if (!isPresigned(zone, after)) await zoneAnswersChanged(tx, zone, now);
    const wasPresigned = known !== undefined && isPresigned(zone, known);
    if (isPresigned(zone, after) !== wasPresigned) await requestWholeTransfer(tx, zone.id, modified_on);
    const shown = toDnssec(zone, after, entryPoints);
    audit({
      action: "dnssec_edit",
      id: zone.id,
      ...(known !== undefined && {
        before: toDnssec(zone, known, await findEntryPoints(tx, zone, known)),
      }),
      after: shown,
    });
    return shown;
  },
});

/** Deletes the keys. Errors: 400 code 10051 unless the status is `disabled`. */
export const deleteDnssecOfZone = zoneWrite({
  name: "deleteDnssec",
  summary: "Sign a zone no longer and delete its keys",
  method: "DELETE",
  path,
  permission: "DNS Write",
  result: Type.String(),
  run: async ({ tx, zone, now, audit }) => {
    const row = await selectRow(tx, "zone_dnssec", { zone_id: zone.id });
    if (row === undefined) return "";
    if (row.status !== "disabled") {
      throw invalidRequest(
        codes.notDisabled,
        "DNSSEC has to be disabled, and the parent to have no DS record",
      );
    }
    const before = toDnssec(zone, row, await findEntryPoints(tx, zone, row));
    await deleteDnssec(tx, zone.id);
    await zoneAnswersChanged(tx, zone, now);
    if (isPresigned(zone, row)) await requestWholeTransfer(tx, zone.id, toTimestamp(now));
    audit({ action: "dnssec_delete", id: zone.id, before });
    return "";
  },
});

/** The private part is never shown. */
export const listZoneSigningKeys = zoneRead({
  name: "listZoneSigningKeys",
  summary: "List the keys that sign the records of a zone, without their private parts",
  path: `${path}/zsk`,
  permission: "DNS Read",
  result: Type.Array(ZoneSigningKey),
  run: async ({ db, zone }) => {
    const row = await selectRow(db, "zone_dnssec", { zone_id: zone.id });
    if (row === undefined || isPresigned(zone, row)) return [];
    const key: ZoneSigningKey = {
      DNSKEY: {
        Algorithm: algorithm,
        Flags: keyFlags.zone,
        Hdr: {
          Class: classCodes.IN,
          Name: `${zone.name}.`,
          Rdlength: 0,
          Rrtype: typeCodes.DNSKEY,
          Ttl: keyTtl,
        },
        Protocol: 3,
        PublicKey: row.zone_signing_public_key,
      },
      Location: "database",
      Name: "zsk_default",
      Tag: "active",
    };
    return [key];
  },
});

/** Seconds. */
const keyTtl = 3_600;

function refuseInvalid(zone: ZoneRow, body: DnssecBody, known: ZoneDnssecRow | undefined): void {
  const isTrue = (asked: boolean | null | undefined, before: Flag | null | undefined): boolean =>
    asked === undefined ? before === 1 : asked === true;
  if (body.dnssec_presigned === true && zone.type !== "secondary") {
    const rule = "must be false: only a zone of the type secondary is transferred here with its signatures";
    throw invalidBody(
      "/dnssec_presigned",
      body.dnssec_use_nsec3 === true ? `Invalid zone plan for action: ${rule}` : rule,
      codes.invalidPresigned,
    );
  }
  if (
    isTrue(body.dnssec_presigned, known?.presigned) &&
    isTrue(body.dnssec_multi_signer, known?.multi_signer)
  ) {
    throw invalidBody(
      "/dnssec_multi_signer",
      "must be false in a presigned zone: this server does not sign it",
      codes.invalidPresigned,
    );
  }
  if (body.status === "active" && zone.type !== "full" && zone.type !== "secondary") {
    throw invalidRequest(codes.notServed, `a zone of the type ${zone.type} is served by others, who sign it`);
  }
}

function switchesIn(body: DnssecBody): Partial<ZoneDnssecRow> {
  const flag = (value: boolean | null | undefined): Flag | null | undefined =>
    value == null ? value : toFlag(value);
  const switches = {
    multi_signer: flag(body.dnssec_multi_signer),
    presigned: flag(body.dnssec_presigned),
    use_nsec3: flag(body.dnssec_use_nsec3),
  };
  return Object.fromEntries(Object.entries(switches).filter(([, value]) => value !== undefined));
}

/** The status before the parent is considered. */
function statusAsked(status: ZoneDnssecRow["status"], asked: DnssecBody["status"]): ZoneDnssecRow["status"] {
  const isOff = status === "disabled" || status === "pending-disabled";
  if (asked === undefined || (asked === "disabled") === isOff) return status;
  if (asked === "active") return "pending";
  // Resolvers that know a DS record take no answers without signatures.
  return status === "pending" ? "disabled" : "pending-disabled";
}

function isSame(one: ZoneDnssecRow, other: ZoneDnssecRow): boolean {
  return (["status", "multi_signer", "presigned", "use_nsec3"] as const).every(
    (column) => one[column] === other[column],
  );
}
