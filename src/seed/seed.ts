import { parseZoneName } from "../core/dns/name.ts";
import { errorCodes } from "../core/error-codes.ts";
import { AppError } from "../core/error.ts";
import { bodyValidator } from "../api/validation.ts";
import { addAccount } from "../resources/accounts/accounts.ts";
import {
  addAdvancedPack,
  type CertificatePackContext,
} from "../resources/certificate-packs/certificate-packs.ts";
import { CreateCertificatePackBody } from "../resources/certificate-packs/schema.ts";
import { createBulkAdder } from "../resources/dns-records/bulk.ts";
import { parseRecord, recordRules, type DnsContext } from "../resources/dns-records/record.ts";
import { addList, fillList } from "../resources/lists/add-list.ts";
import { CreateListBody, ListItemsBody } from "../resources/lists/schema.ts";
import { presetEntryPoint, type RulesetContext } from "../resources/rulesets/rulesets.ts";
import type { TokenContext } from "../resources/tokens/tokens.ts";
import { presetZoneSettings } from "../resources/zone-settings/zone-settings.ts";
import { addZone, findPlan, zonesInCharge, type ZoneContext } from "../resources/zones/zones.ts";
import { updateRow } from "../storage/rows.ts";
import type { Db } from "../storage/tables.ts";
import type { ZoneRow } from "../storage/schema/zones.ts";
import { seedInvite } from "./invites.ts";
import { SeedError } from "./read-seed.ts";
import type { Seed, SeedList, SeedZone } from "./schema.ts";
import { seedToken } from "./tokens.ts";
import { seedZoneParts } from "./zone-parts.ts";

interface SeedOwner {
  readonly userId: string;
  readonly email: string;
  readonly account: { readonly id: string; readonly name: string };
}

/** The context of all operations of the seeded bodies. */
export type SeedContext = ZoneContext &
  DnsContext &
  TokenContext &
  RulesetContext &
  Omit<CertificatePackContext, "wakeIssuance">;

/**
 * Stores a seed in an empty store, in the transaction that creates the owner. Throws `SeedError` with all
 * errors.
 */
export async function applySeed(context: SeedContext, tx: Db, seed: Seed, owner: SeedOwner): Promise<void> {
  const issues: string[] = [];
  const ownerAccount = owner.account;
  const accounts = new Map([[ownerAccount.name, ownerAccount.id]]);
  for (const [index, { name }] of (seed.accounts ?? []).entries()) {
    if (accounts.has(name)) issues.push(`accounts/${index}: the account \`${name}\` already exists`);
    else accounts.set(name, (await addAccount(context, tx, { name })).id);
  }

  for (const [index, invite] of (seed.invites ?? []).entries()) {
    const place = `invites/${index}`;
    const names = { accounts, invitedBy: owner.email };
    await attemptAt(place, issues, () => seedInvite(context, tx, invite, names));
  }

  const accountAt = (place: string, name = ownerAccount.name): string | undefined => {
    const id = accounts.get(name);
    if (id === undefined) issues.push(`${place}/account: there is no account \`${name}\``);
    return id;
  };
  const zones = new Map<string, string | undefined>();
  /** Names of active zones, and of each account's zones. */
  const takenNames = new Set<string>();
  const added: { zone: ZoneRow; seed: SeedZone; report: Report }[] = [];
  for (const [index, zone] of (seed.zones ?? []).entries()) {
    const report = { place: `zones/${index}`, issues };
    const name = parseZoneName(zone.name) ?? zone.name;
    const accountId = accountAt(report.place, zone.account);
    if (accountId === undefined) continue;
    const taken =
      takenNames.has(`${accountId} ${name}`) || (zone.status === "active" && takenNames.has(name));
    if (taken) {
      issues.push(`${report.place}/name: the zone already exists`);
      continue;
    }
    const row = await addSeedZone(context, tx, zone, accountId, report);
    takenNames.add(`${accountId} ${name}`);
    if (row?.status === "active" && row.type !== "internal") takenNames.add(name);
    if (!zones.has(name) || row?.status === "active") zones.set(name, row?.id);
    if (row !== undefined) added.push({ zone: row, seed: zone, report });
  }
  // The plans of an account's zones bound its lists, which rules of the zones name.
  for (const [index, { account, ...list }] of (seed.lists ?? []).entries()) {
    const place = `lists/${index}`;
    const accountId = accountAt(place, account);
    if (accountId !== undefined) await seedList(context, tx, accountId, list, { place, issues });
  }
  for (const { zone, seed: parts, report } of added) await fillZone(context, tx, zone, parts, report);
  await withholdEnclosed(
    context,
    tx,
    added.map(({ zone }) => zone),
  );

  for (const [index, token] of (seed.tokens ?? []).entries()) {
    const names = { owner, accounts, zones };
    await attemptAt(`tokens/${index}`, issues, () => seedToken(context, tx, token, names));
  }
  if (issues.length > 0) throw new SeedError(issues);
}

interface Report {
  readonly place: string;
  readonly issues: string[];
}

/** Leaves zones pending that lie below a zone of another account which does not consent. */
async function withholdEnclosed(context: SeedContext, tx: Db, zones: readonly ZoneRow[]): Promise<void> {
  const active = zones.filter(({ status, type }) => status === "active" && type !== "internal");
  const served = new Set((await zonesInCharge(tx, context.settings, active)).map(({ id }) => id));
  for (const { id } of active) {
    if (served.has(id)) continue;
    await updateRow(tx, "zones", id, { status: "pending", activated_on: null, activation_order: null });
  }
}

/** Adds a zone and returns it; undefined if it could not be created. */
async function addSeedZone(
  context: SeedContext,
  tx: Db,
  seed: SeedZone,
  accountId: string,
  { place, issues }: Report,
): Promise<ZoneRow | undefined> {
  const plan = seed.plan === undefined ? undefined : findPlan(seed.plan);
  if (seed.plan !== undefined && plan === undefined) issues.push(`${place}/plan: there is no such plan`);
  const zone = await attemptAt(place, issues, () =>
    addZone(context, tx, {
      name: seed.name,
      type: seed.type ?? "full",
      accountId,
      ...(plan && { plan }),
      ...(seed.status && { status: seed.status }),
      ...(seed.waf && { waf: seed.waf }),
    }),
  );
  if (zone?.waf === "validation" && zone.plan !== "enterprise") {
    issues.push(`${place}/waf: only an Enterprise zone can be in validation`);
  }
  return zone;
}

async function fillZone(
  context: SeedContext,
  tx: Db,
  zone: ZoneRow,
  seed: SeedZone,
  { place, issues }: Report,
): Promise<void> {
  const attempt = <T>(where: string, work: () => Promise<T>): Promise<T | undefined> =>
    attemptAt(place + where, issues, work);
  const records = createBulkAdder({ tx, zone, context, now: context.now() });
  for (const [index, record] of (seed.records ?? []).entries()) {
    const where = `/records/${index}`;
    await attempt(where, async () => {
      const fields = parseRecord(record, recordRules(zone, context));
      await records.add(fields, ({ code, message }) => {
        // A record that the seed contains twice is stored once.
        if (code !== errorCodes.dnsRecords.identical) issues.push(`${place}${where}: ${message}`);
      });
    });
  }
  await records.finish();
  for (const [index, pack] of (seed.certificate_packs ?? []).entries()) {
    await attempt(`/certificate_packs/${index}`, async () =>
      addAdvancedPack(context, tx, zone, readPack(pack)),
    );
  }
  for (const [index, item] of settingsOf(seed).entries()) {
    await attempt(`/settings/${index}`, () => presetZoneSettings(context, tx, zone, [item]));
  }
  await seedZoneParts(context, tx, zone, seed, attempt);
  for (const [index, body] of (seed.rulesets ?? []).entries()) {
    await attempt(`/rulesets/${index}`, () => presetEntryPoint(context, tx, zone, body));
  }
}

const readPack = bodyValidator(CreateCertificatePackBody);
const readList = bodyValidator(CreateListBody);
const readItems = bodyValidator(ListItemsBody);

async function seedList(
  context: SeedContext,
  tx: Db,
  accountId: string,
  { items = [], ...list }: Omit<SeedList, "account">,
  { place, issues }: Report,
): Promise<void> {
  const work = { context, tx, accountId, now: context.now() };
  const row = await attemptAt(place, issues, async () => addList(work, readList(list)));
  if (row === undefined || items.length === 0) return;
  await attemptAt(`${place}/items`, issues, async () => fillList(work, row, readItems(items)));
}

/** Adds an error of `work` to `issues`. */
async function attemptAt<T>(place: string, issues: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const all = [error, ...error.others];
    issues.push(...all.map(({ pointer = "", message }) => `${place}${pointer}: ${message}`));
    return undefined;
  }
}

/** The settings of a zone: the API's list of items, or a map from name to value. */
function settingsOf({ settings = [] }: SeedZone): { id: string; value?: unknown; enabled?: unknown }[] {
  if (Array.isArray(settings)) return settings;
  return Object.entries(settings).map(([id, value]) => ({ id, value }));
}
