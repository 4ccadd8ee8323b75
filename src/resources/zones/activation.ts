import { updateRow } from "../../storage/rows.ts";
import { fromJson, toFlag, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { selectZoneForChange } from "../../operation/store.ts";
import { unitOfWork, type AuditEntry, type ChangeWork } from "../../operation/unit-of-work.ts";
import {
  countedVanityNames,
  lookUpProof,
  type Finding,
  findObstacle,
  type Candidate,
  type Obstacle,
} from "./obstacles.ts";
import { recheckBelow } from "./name-changes.ts";
import { nextActivationOrder, selectActiveNamesake, selectNamesakesForChange } from "./names-store.ts";
import { selectDueZones, selectOldestChecks, selectOldestDueZone, selectZonesToCheck } from "./store.ts";
import { serialAfter } from "./zone.ts";
import type { ZoneContext } from "./zones.ts";

/** Seconds until the next look-up, by status. */
const recheckSeconds: Readonly<Record<ZoneRow["status"], number>> = {
  initializing: 0,
  pending: 5 * 60,
  active: 24 * 60 * 60,
  moved: 60 * 60,
};
const zonesPerRoundMax = 100;

/** Looks up the delegation of the zones that are due; called by a timer. */
export async function advanceZones(context: ZoneContext): Promise<void> {
  const { activation, activationDelayMs } = context.settings;
  const createdBefore = toTimestamp(new Date(context.now().getTime() - activationDelayMs));
  const asked = await selectDueZones(context.db.read, createdBefore, zonesPerRoundMax);
  const byAge = activation === "immediate" ? [] : await selectByAge(context);
  const due = new Map([...asked, ...byAge].map((zone) => [zone.id, zone]));
  // Concurrently: domains with silent servers must not delay others.
  const outcomes = await Promise.allSettled([...due.values()].map((zone) => checkZone(context, zone)));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

/** The zones of which nothing was looked up for as long as their status says. */
async function selectByAge({ db, now }: ZoneContext): Promise<ZoneRow[]> {
  const statuses = Object.keys(recheckSeconds) as ZoneRow["status"][];
  const due = await Promise.all(
    statuses.map((status) => {
      const checkedBefore = toTimestamp(new Date(now().getTime() - recheckSeconds[status] * 1000));
      return selectZonesToCheck(db.read, status, checkedBefore, zonesPerRoundMax);
    }),
  );
  return due.flat();
}

/** The time at which the next zone is due; undefined where none will be. */
export async function nextActivationCheck({ db, settings, now }: ZoneContext): Promise<Date | undefined> {
  const oldest = await selectOldestDueZone(db.read);
  const asked = oldest === undefined ? [] : [Date.parse(oldest) + settings.activationDelayMs];
  const times =
    settings.activation === "immediate"
      ? asked
      : (await selectOldestChecks(db.read)).map(({ status, checked_on }) =>
          checked_on === null ? now().getTime() : Date.parse(checked_on) + recheckSeconds[status] * 1000,
        );
  const first = Math.min(...asked, ...times);
  return first === Infinity ? undefined : new Date(first);
}

async function checkZone(context: ZoneContext, zone: ZoneRow): Promise<void> {
  const check = await askForActivation(context, zone, context.now());
  await unitOfWork(
    context,
    { interface: "timer" },
    async (tx) => {
      const current = await selectZoneForChange(tx, zone.id);
      return { scope: { current }, owner: current && { zone: current } };
    },
    async ({ current, ...work }) => {
      if (current !== undefined) await settleActivation({ ...work, context, zone: current }, check);
    },
  );
}

/** The answers of the look-ups, and when they began. */
interface ActivationCheck {
  readonly askedOn: Timestamp;
  readonly finding: Finding | undefined;
  /** The vanity name servers of the zone that count. */
  readonly vanityNameServers: readonly string[];
  /** The active zone of the same name in another account. */
  readonly rival: Candidate["rival"];
}

/** Looks a zone up before the transaction, as a resolver may take seconds. */
export async function askForActivation(
  context: ZoneContext,
  zone: ZoneRow,
  now: Date,
): Promise<ActivationCheck> {
  const askedOn = toTimestamp(now);
  const lookUp = (one: ZoneRow, vanity: readonly string[]): Promise<Finding | undefined> =>
    context.settings.activation === "immediate" || one.type === "internal"
      ? Promise.resolve({ isOurs: true, foreignNameServers: undefined })
      : lookUpProof(context, one, vanity);
  const vanityNameServers = await countedVanityNames(context, zone);
  const finding = await lookUp(zone, vanityNameServers);
  const other = zone.type === "internal" ? undefined : await selectActiveNamesake(context.db.read, zone);
  const rival = other && {
    zone: other,
    finding: await lookUp(other, await countedVanityNames(context, other)),
  };
  return { askedOn, finding, vanityNameServers, rival };
}

/**
 * Applies what was looked up, unless a later look-up was applied first, and judges whether the zone may be
 * active beside those of other accounts. Returns the status that the zone has then, and what stands in its
 * way.
 */
export async function settleActivation(
  {
    tx,
    zone,
    context,
    audit,
    afterCommit,
  }: ChangeWork & { readonly zone: ZoneRow; readonly context: ZoneContext },
  { askedOn, finding, vanityNameServers, rival }: ActivationCheck,
): Promise<{ readonly status: ZoneRow["status"]; readonly obstacle?: Obstacle }> {
  if ((zone.checked_on ?? "") > askedOn) return { status: zone.status };
  // A change while the answers are waited for counts for the next check.
  const namesakes = zone.type === "internal" ? [] : await selectNamesakesForChange(tx, zone);
  const active = namesakes.find(({ status }) => status === "active");
  const { isProven, obstacle } = await findObstacle(context, tx, {
    zone,
    vanityNameServers,
    isProven: finding?.isOurs === true,
    rival: active && (rival?.zone.id === active.id ? rival : { zone: active, finding: undefined }),
  });
  const judged =
    obstacle === undefined && !isProven
      ? finding
      : { foreignNameServers: undefined, ...finding, isOurs: isProven };
  const change = judged === undefined ? {} : afterCheck(zone, judged, context);
  const isTooYoung = isProven && change.status === "pending";
  const status = change.status ?? zone.status;
  const isActivated = status === "active" && zone.status !== "active";
  const leaving = isActivated ? namesakes.filter((one) => one.status !== "moved") : [];
  for (const one of leaving) await move(tx, one, context.now());
  if (isActivated || (zone.status === "active" && status !== "active")) await recheckBelow(tx, zone);
  await updateRow(tx, "zones", zone.id, {
    ...change,
    // Zones of the type `internal` were never first in the public DNS.
    ...(isActivated &&
      zone.type !== "internal" && {
        activation_order: zone.activation_order ?? (await nextActivationOrder(tx)),
      }),
    checked_on: askedOn,
    check_due: toFlag(isTooYoung),
  });
  if (status === zone.status) return { status, obstacle };
  if (isActivated) {
    await context.zoneActivated(tx, zone);
    afterCommit(context.afterActivation);
  }
  audit({ action: "zone_status", id: zone.id, before: { status: zone.status }, after: { status } });
  for (const one of leaving) audit(movedEntry(one));
  return { status, obstacle };
}

/** Another account has proven that the name of the zone is its own. */
async function move(tx: Db, zone: ZoneRow, now: Date): Promise<void> {
  if (zone.status === "active") await recheckBelow(tx, zone);
  await updateRow(tx, "zones", zone.id, {
    status: "moved",
    modified_on: toTimestamp(now),
    dns_serial: serialAfter(zone, now),
  });
}

/** The account of the zone may not know whose check it was. */
function movedEntry(zone: ZoneRow): AuditEntry {
  const [before, after] = [{ status: zone.status }, { status: "moved" }];
  return { action: "zone_status", owner: { zone }, id: zone.id, before, after, isByStranger: true };
}

/** The columns that a finding changes. */
function afterCheck(
  zone: ZoneRow,
  finding: Finding,
  { settings, ...context }: Pick<ZoneContext, "settings" | "now">,
): Partial<ZoneRow> {
  const now = toTimestamp(context.now());
  const isOldEnough = Date.parse(now) - Date.parse(zone.created_on) >= settings.activationDelayMs;
  const status =
    finding.isOurs && isOldEnough
      ? "active"
      : zone.status === "active" || zone.status === "moved"
        ? "moved"
        : "pending";
  const known = zone.original_name_servers && fromJson(zone.original_name_servers);
  const original = known ?? finding.foreignNameServers;
  return {
    status,
    original_name_servers: original === undefined ? null : toJson([...original]),
    ...(status !== zone.status && { modified_on: now, dns_serial: serialAfter(zone, new Date(now)) }),
    ...(status === "active" && zone.status !== "active" && { activated_on: now }),
  };
}
