import type { Caller } from "../../core/caller.ts";
import { fromJson, toJson, toTimestamp, type Timestamp } from "../../storage/columns.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type Actor } from "../../operation/audit.ts";
import { findZone } from "../../operation/scope.ts";
import { selectZoneForChange } from "../../operation/store.ts";
import { selectZonesToCheck, updateZone } from "./store.ts";
import { expectedNameServers } from "./zone.ts";
import type { ZoneContext } from "./zones.ts";

/** How long a zone waits for its next look-up, in seconds. */
const recheckSeconds: Readonly<Record<ZoneRow["status"], number>> = {
  initializing: 0,
  pending: 5 * 60,
  active: 24 * 60 * 60,
  moved: 60 * 60,
};
const zonesPerRoundMax = 100;

/**
 * `PUT /zones/{id}/activation_check`. With `activation=immediate` the zone becomes active; with `check-ns`
 * its delegation is looked up now and decides.
 * Errors: 404 code 1001 for a zone that the caller cannot reach.
 */
export async function checkActivation(
  context: ZoneContext,
  caller: Caller,
  id: string,
): Promise<{ id: string }> {
  const zone = await findZone(context.db.read, id);
  await checkZone(context, caller, zone);
  return { id };
}

/** Looks up the delegation of the zones that are due. For the timer; nothing waits for it. */
export async function advanceZones(context: ZoneContext): Promise<void> {
  if (context.settings.activation === "immediate") return;
  const statuses = Object.keys(recheckSeconds) as ZoneRow["status"][];
  const due = await Promise.all(
    statuses.map((status) => {
      const checkedBefore = toTimestamp(new Date(context.now().getTime() - recheckSeconds[status] * 1000));
      return selectZonesToCheck(context.db.read, status, checkedBefore, zonesPerRoundMax);
    }),
  );
  // All at once: a domain whose servers are silent holds up no other.
  const outcomes = await Promise.allSettled(
    due.flat().map((zone) => checkZone(context, { interface: "timer" }, zone)),
  );
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

async function checkZone(context: ZoneContext, actor: Actor, zone: ZoneRow): Promise<void> {
  const { db, now } = context;
  const askedOn = toTimestamp(now());
  // The network is asked before the transaction: a resolver may take seconds.
  const finding = await lookUp(context, zone);
  const becameActive = await db.transaction(async (tx) => {
    const current = await selectZoneForChange(tx, zone.id);
    // What was asked for later knows better.
    if (current === undefined || (current.checked_on ?? "") > askedOn) return false;
    const change = finding === undefined ? {} : afterCheck(current, finding, toTimestamp(now()));
    await updateZone(tx, zone.id, { ...change, checked_on: askedOn });
    if (change.status === undefined || change.status === current.status) return false;
    const isActive = change.status === "active";
    if (isActive) await context.zoneActivated(tx, current);
    await recordChanges(context, tx, actor, [
      {
        action: "zone_status",
        owner: { zone: current },
        resource: { type: "zone", id: zone.id },
        before: { status: current.status },
        after: { status: change.status },
      },
    ]);
    return isActive;
  });
  if (becameActive) context.afterActivation();
}

/** What a resolver said: whether the domain is ours, and the name servers of one that is not. */
interface Finding {
  readonly isOurs: boolean;
  readonly foreignNameServers: readonly string[] | undefined;
}

async function lookUp(context: ZoneContext, zone: ZoneRow): Promise<Finding | undefined> {
  const { settings, delegation } = context;
  if (settings.activation === "immediate") return { isOurs: true, foreignNameServers: undefined };
  if (zone.type === "partial") {
    const texts = await delegation.texts(`${settings.vendor}-verify.${zone.name}`);
    return texts && { isOurs: texts.includes(zone.verification_key ?? ""), foreignNameServers: undefined };
  }
  const found = await delegation.nameServers(zone.name);
  if (found === undefined) return undefined;
  const expected = new Set(expectedNameServers(zone, settings).map((name) => name.toLowerCase()));
  const isOurs = found.length > 0 && found.every((name) => expected.has(name.toLowerCase()));
  return { isOurs, foreignNameServers: isOurs ? undefined : found };
}

/** The change that a finding makes. A resolver that gave no answer changes nothing. */
function afterCheck(zone: ZoneRow, finding: Finding, now: Timestamp): Partial<ZoneRow> {
  const status = finding.isOurs
    ? "active"
    : zone.status === "active" || zone.status === "moved"
      ? "moved"
      : "pending";
  const known = zone.original_name_servers && fromJson(zone.original_name_servers);
  const original = known ?? finding.foreignNameServers;
  return {
    status,
    original_name_servers: original === undefined ? null : toJson([...original]),
    ...(status !== zone.status && { modified_on: now }),
    ...(status === "active" && zone.status !== "active" && { activated_on: now }),
  };
}
