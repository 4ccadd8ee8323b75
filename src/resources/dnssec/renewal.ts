import { dayOf } from "../../core/dns/dnssec/signatures.ts";
import { selectZoneForChange } from "../../operation/store.ts";
import { unitOfWork, type ChangeWork } from "../../operation/unit-of-work.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { selectRow } from "../../storage/rows.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { zoneAnswersChanged, type ZoneContext } from "../zones/zones.ts";
import { findEntryPoints, toDnssec } from "./dnssec.ts";
import { selectZonesToCheck, selectZonesToSign, updateDnssec, selectSignersOf } from "./store.ts";
import { recordData } from "../../core/dns/wire/record-data.ts";
import { isSignerOf } from "../../core/dns/dnssec/keys.ts";
import { parentOf } from "../../core/dns/wire/names.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneDnssecRow } from "../../storage/schema/dns.ts";
import type { Rdata } from "../../core/dns/content/record-types.ts";
import { sha256 } from "./p256.ts";

const zonesPerRoundMax = 100;
/** Milliseconds after which parents are asked again while something has to happen there, and otherwise. */
const recheckMs = 5 * 60 * 1_000;
const settledRecheckMs = 24 * 60 * 60 * 1_000;

/** Renews what has to be signed anew, and asks parents for their DS records; called by a timer. */
export async function advanceDnssec(context: ZoneContext): Promise<void> {
  const { db, now } = context;
  const today = dayOf(now().getTime());
  for (const zoneId of await selectZonesToSign(db.read, today, zonesPerRoundMax)) {
    await inZone(context, zoneId, async ({ tx, publication }, zone) => {
      publication.zone(zoneId, ["settings"]);
      await updateDnssec(tx, zoneId, { signed_day: today });
      await zoneAnswersChanged(tx, zone, now());
    });
  }
  const before = (ms: number) => toTimestamp(new Date(now().getTime() - ms));
  const due = [
    ...(await selectZonesToCheck(
      db.read,
      ["pending", "pending-disabled", "error"],
      before(recheckMs),
      zonesPerRoundMax,
    )),
    ...(await selectZonesToCheck(db.read, ["active"], before(settledRecheckMs), zonesPerRoundMax)),
  ];
  // Concurrently: parents with silent servers must not delay others.
  const outcomes = await Promise.allSettled(due.map((zoneId) => checkParent(context, zoneId)));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

async function checkParent(context: ZoneContext, zoneId: string): Promise<void> {
  const { db, now } = context;
  const zone = await selectRow(db.read, "zones", { id: zoneId });
  if (zone === undefined) return;
  const checked_on = toTimestamp(now());
  const signers = await findSigners(context, db.read, zone);
  await inZone(context, zoneId, async ({ tx, audit }, current) => {
    const row = await selectRow(tx, "zone_dnssec", { zone_id: zoneId });
    if (row === undefined || (row.checked_on ?? "") > checked_on) return;
    const entryPoints = await findEntryPoints(tx, current, row);
    const after = { ...row, checked_on, status: statusAfter(current, row, entryPoints, signers) };
    if (after.status === row.status) {
      await updateDnssec(tx, zoneId, { checked_on });
      return;
    }
    after.modified_on = checked_on;
    await updateDnssec(tx, zoneId, after);
    audit({
      action: "dnssec_status",
      id: zoneId,
      before: toDnssec(current, row, entryPoints),
      after: toDnssec(current, after, entryPoints),
    });
  });
}

async function inZone(
  context: ZoneContext,
  zoneId: string,
  change: (work: ChangeWork, zone: ZoneRow) => Promise<void>,
): Promise<void> {
  await unitOfWork(
    context,
    { interface: "timer" },
    async (tx) => {
      const zone = await selectZoneForChange(tx, zoneId);
      return { scope: { zone }, owner: zone && { zone } };
    },
    async ({ zone, ...work }) => {
      if (zone !== undefined) await change(work, zone);
    },
  );
}

/** The data of the DS records of a zone at its parent; undefined if they cannot be looked up. */
export async function findSigners(
  { settings, delegation }: ZoneContext,
  db: Db,
  zone: ZoneRow,
): Promise<readonly string[] | undefined> {
  const parents: string[] = [];
  for (let at = parentOf(zone.name); at !== undefined; at = parentOf(at)) parents.push(at);
  const here =
    parents.length > 0 ? await selectSignersOf(db, zone.account_id, zone.name, parents) : undefined;
  if (here !== undefined) return here.map((record) => recordData("DS", JSON.parse(record) as Rdata));
  return settings.activation === "check-ns" ? delegation.signers(zone.name) : undefined;
}

/** The status of a zone with these keys whose parent has these DS records; unchanged if they are unknown. */
export function statusAfter(
  zone: ZoneRow,
  row: Pick<ZoneDnssecRow, "status" | "multi_signer">,
  entryPoints: readonly string[],
  signers: readonly string[] | undefined,
): ZoneDnssecRow["status"] {
  if (signers === undefined) return row.status;
  if (row.status === "disabled" || row.status === "pending-disabled") {
    return signers.length === 0 ? "disabled" : "pending-disabled";
  }
  const isOurs = (ds: string): boolean =>
    entryPoints.some((dnskey) => isSignerOf(ds, zone.name, dnskey, sha256));
  if (signers.some(isOurs)) return "active";
  const isUnknown = signers.length === 0 || entryPoints.length === 0 || row.multi_signer === 1;
  return isUnknown ? "pending" : "error";
}
