import { nameServerTtl, timesOf } from "../../core/dns/served/apex.ts";
import type { StartOfAuthority } from "../../core/dns/wire/start-of-authority.ts";
import type { Transferred } from "../../core/dns/wire/transfer-reader.ts";
import type { Context } from "../../operation/context.ts";
import { zoneUnitOfWork } from "../../operation/scope.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import { selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { IncomingTransferRow, TransferredApex } from "../../storage/schema/zone-transfers.ts";
import { clearStaging, showTransferred, stageTransferred } from "./transferred.ts";
import { selectIncomingNames, selectIncomingPeers, updateIncoming, type DueTransfer } from "./store.ts";
import { rulesFor, type StoredTransferRules } from "./outgoing.ts";
import type { TransferKeyContext } from "./zone-transfers.ts";

/** The retry interval until the zone's SOA record is known. */
const firstRetrySeconds = 60;
/** The lower bound of a retry interval that a zone's SOA record sets. */
const retrySecondsMin = 5;

/** The apex of the zone when it was last transferred; undefined before that, and once it has expired. */
export function apexOf({ soa }: Pick<IncomingTransferRow, "soa">): TransferredApex | undefined {
  return soa === null ? undefined : fromJson(soa);
}

/**
 * Stores what a transfer brought, if the transfer is still configured as it was when it was due: in portions,
 * and shows all of it at once in a short transaction. Answers how many records were left out. Throws as
 * `stageTransferred`.
 */
export async function storeTransferred(
  context: Context,
  due: DueTransfer,
  transferred: Transferred,
): Promise<number> {
  const found = await selectRow(context.db.read, "zones", { id: due.zone_id });
  if (found === undefined) return 0;
  const staged = await stageTransferred(context, found, transferred);
  try {
    await show(context, due, transferred.soa, staged);
  } finally {
    await clearStaging(context, due.zone_id);
  }
  return staged?.leftOut ?? 0;
}

async function show(
  context: Context,
  due: DueTransfer,
  soa: StartOfAuthority,
  staged: Awaited<ReturnType<typeof stageTransferred>>,
): Promise<void> {
  await zoneUnitOfWork(context, { interface: "timer" }, due.zone_id, async (work) => {
    const { tx, zone, now, publication } = work;
    const row = await selectRow(tx, "incoming_transfers", { zone_id: due.zone_id });
    if (row === undefined || row.modified_on !== due.modified_on) return;
    publication.zone(zone.id, staged === undefined ? ["transfers"] : ["records", "transfers"]);
    if (staged !== undefined) await showTransferred(work, staged);
    const apex = apexFrom(soa);
    const checked_on = toTimestamp(now);
    await updateIncoming(tx, due.zone_id, {
      soa: toJson(apex),
      checked_on,
      expires_on: secondsAfter(now, soa.expire),
      // Somebody may have asked for another one meanwhile.
      ...(row.due_on === due.due_on && { due_on: secondsAfter(now, row.auto_refresh_seconds) }),
      ...(row.wants_whole === due.wants_whole && { wants_whole: 0 }),
    });
  });
}

/**
 * Schedules the next attempt after no peer answered. An expired zone is no longer served (RFC 1035 section
 * 3.3.13).
 */
export async function noteFailedTransfer(context: Context, due: DueTransfer): Promise<void> {
  const now = context.now();
  const known = apexOf(due);
  const retry = Math.max(retrySecondsMin, known === undefined ? firstRetrySeconds : timesOf(known).retry);
  const isExpired = due.expires_on !== null && due.expires_on <= toTimestamp(now);
  await context.db.transaction(async (tx, publication) => {
    const row = await selectRow(tx, "incoming_transfers", { zone_id: due.zone_id });
    if (row === undefined) return;
    if (isExpired) publication.zone(due.zone_id, ["transfers"]);
    await updateIncoming(tx, due.zone_id, {
      ...(row.due_on === due.due_on && {
        due_on: secondsAfter(now, Math.min(retry, row.auto_refresh_seconds)),
      }),
      ...(isExpired && { soa: null, expires_on: null }),
    });
  });
}

/** Makes the peers of a zone due at once. */
export async function requestTransfer(context: Context, zoneId: string): Promise<void> {
  await context.db.transaction((tx) => updateIncoming(tx, zoneId, { due_on: toTimestamp(context.now()) }));
}

/** A zone that is transferred to us, and who may tell of its changes. */
export interface IncomingZone {
  readonly id: string;
  readonly accountId: string;
}

export async function findIncomingZones(db: Db): Promise<ReadonlyMap<string, IncomingZone>> {
  const rows = await selectIncomingNames(db);
  return new Map(rows.map(({ id, name, account_id: accountId }) => [name, { id, accountId }]));
}

/**
 * Finds who may notify of changes of a zone: its peers, and the addresses in the access lists of the account.
 */
export async function findNotifyRules(
  context: Pick<TransferKeyContext, "secretBox">,
  db: Db,
  { id, accountId }: IncomingZone,
): Promise<StoredTransferRules> {
  return rulesFor(context, db, accountId, await selectIncomingPeers(db, { zoneId: id }));
}

function apexFrom({
  serial,
  primary,
  hostmaster,
  refresh,
  retry,
  expire,
  minimum,
  ttl,
}: StartOfAuthority): TransferredApex {
  const times = { refresh, retry, expire, minimum, soaTtl: ttl, nameServerTtl };
  return { serial, primary, hostmaster, times };
}

function secondsAfter(now: Date, seconds: number) {
  return toTimestamp(new Date(now.getTime() + seconds * 1000));
}
