import { updateRow } from "../../storage/rows.ts";
import { fromJson, toJson, toTimestamp, type Timestamp } from "../../storage/columns.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { selectZoneForChange } from "../../operation/store.ts";
import { unitOfWork, type ChangeWork } from "../../operation/unit-of-work.ts";
import { selectAskedZones, selectOldestAskedZone, selectOldestChecks, selectZonesToCheck } from "./store.ts";
import { serialAfter } from "./serial.ts";
import { expectedNameServers } from "./zone.ts";
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
  if (context.settings.activation === "immediate") {
    await activateAskedZones(context);
    return;
  }
  const statuses = Object.keys(recheckSeconds) as ZoneRow["status"][];
  const due = await Promise.all(
    statuses.map((status) => {
      const checkedBefore = toTimestamp(new Date(context.now().getTime() - recheckSeconds[status] * 1000));
      return selectZonesToCheck(context.db.read, status, checkedBefore, zonesPerRoundMax);
    }),
  );
  // Concurrently: domains with silent servers must not delay others.
  const outcomes = await Promise.allSettled(due.flat().map((zone) => checkZone(context, zone)));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

/** Activates the zones that were too young when somebody asked. */
async function activateAskedZones(context: ZoneContext): Promise<void> {
  const { activationDelayMs } = context.settings;
  if (activationDelayMs === 0) return;
  const createdBefore = toTimestamp(new Date(context.now().getTime() - activationDelayMs));
  const due = await selectAskedZones(context.db.read, createdBefore, zonesPerRoundMax);
  for (const zone of due) await checkZone(context, zone);
}

/** When the next zone is due; undefined where none will be. */
export async function nextActivationCheck({ db, settings, now }: ZoneContext): Promise<Date | undefined> {
  if (settings.activation === "immediate") {
    const oldest = settings.activationDelayMs > 0 ? await selectOldestAskedZone(db.read) : undefined;
    return oldest && new Date(Date.parse(oldest) + settings.activationDelayMs);
  }
  const times = (await selectOldestChecks(db.read)).map(({ status, checked_on }) =>
    checked_on === null ? now().getTime() : Date.parse(checked_on) + recheckSeconds[status] * 1000,
  );
  return times.length === 0 ? undefined : new Date(Math.min(...times));
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

/** The result of a look-up, and when it began. */
interface ActivationCheck {
  readonly askedOn: Timestamp;
  readonly finding: Finding | undefined;
}

/** Looks a zone up before the transaction, as a resolver may take seconds. */
export async function askForActivation(
  context: ZoneContext,
  zone: ZoneRow,
  now: Date,
): Promise<ActivationCheck> {
  return { askedOn: toTimestamp(now), finding: await lookUp(context, zone) };
}

/** Applies the result of a look-up, unless a later one was applied first. Returns the status that the zone has then. */
export async function settleActivation(
  {
    tx,
    zone,
    context,
    audit,
    afterCommit,
  }: ChangeWork & { readonly zone: ZoneRow; readonly context: ZoneContext },
  { askedOn, finding }: ActivationCheck,
): Promise<ZoneRow["status"]> {
  if ((zone.checked_on ?? "") > askedOn) return zone.status;
  const change = finding === undefined ? {} : afterCheck(zone, finding, context);
  await updateRow(tx, "zones", zone.id, { ...change, checked_on: askedOn });
  if (change.status === undefined || change.status === zone.status) return zone.status;
  if (change.status === "active") {
    await context.zoneActivated(tx, zone);
    afterCommit(context.afterActivation);
  }
  audit({
    action: "zone_status",
    id: zone.id,
    before: { status: zone.status },
    after: { status: change.status },
  });
  return change.status;
}

/** Whether the domain is delegated to us, and its name servers if not. */
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

/** The columns that a finding changes. Without an answer from the resolver nothing changes. */
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
