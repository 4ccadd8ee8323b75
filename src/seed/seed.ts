import { parseZoneName } from "../core/dns/name.ts";
import { AppError } from "../core/error.ts";
import { addAccount } from "../resources/accounts/accounts.ts";
import {
  addAdvancedPack,
  type CertificatePackContext,
} from "../resources/certificate-packs/certificate-packs.ts";
import { createBulkAdder } from "../resources/dns/bulk.ts";
import { parseRecord, recordRules } from "../resources/dns/record.ts";
import { presetEntryPoint, type RulesetContext } from "../resources/rulesets/rulesets.ts";
import type { TokenContext } from "../resources/tokens/tokens.ts";
import { presetZoneSettings } from "../resources/zone-settings/zone-settings.ts";
import { addZone, findPlan, type ZoneContext } from "../resources/zones/zones.ts";
import type { Db } from "../storage/tables.ts";
import { seedInvite } from "./invites.ts";
import { SeedError } from "./read-seed.ts";
import type { Seed, SeedZone } from "./schema.ts";
import { seedToken } from "./tokens.ts";
import { seedZoneParts } from "./zone-parts.ts";

interface SeedOwner {
  readonly userId: string;
  readonly email: string;
  readonly account: { readonly id: string; readonly name: string };
}

/** What the operations of the seeded bodies need. */
export type SeedContext = ZoneContext &
  TokenContext &
  RulesetContext &
  Omit<CertificatePackContext, "wakeIssuance">;

/** Stores a seed in an empty store, in the transaction that creates the owner. Throws `SeedError` with all errors. */
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

  const zones = new Map<string, string | undefined>();
  for (const [index, zone] of (seed.zones ?? []).entries()) {
    const place = `zones/${index}`;
    const name = parseZoneName(zone.name) ?? zone.name;
    const accountId = accounts.get(zone.account ?? ownerAccount.name);
    if (accountId === undefined) issues.push(`${place}/account: there is no account \`${zone.account}\``);
    else if (zones.has(name)) issues.push(`${place}/name: the zone already exists`);
    else zones.set(name, await seedZone(context, tx, zone, accountId, { place, issues }));
  }

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

/** Returns the id of the zone; undefined if it could not be created. */
async function seedZone(
  context: SeedContext,
  tx: Db,
  seed: SeedZone,
  accountId: string,
  { place, issues }: Report,
): Promise<string | undefined> {
  const attempt = <T>(where: string, work: () => Promise<T>): Promise<T | undefined> =>
    attemptAt(place + where, issues, work);

  const plan = seed.plan === undefined ? undefined : findPlan(seed.plan);
  if (seed.plan !== undefined && plan === undefined) issues.push(`${place}/plan: there is no such plan`);
  const zone = await attempt("", () =>
    addZone(context, tx, {
      name: seed.name,
      type: seed.type ?? "full",
      accountId,
      ...(plan && { plan }),
      ...(seed.status && { status: seed.status }),
      ...(seed.waf && { waf: seed.waf }),
    }),
  );
  if (zone === undefined) return undefined;
  if (zone.waf === "validation" && zone.plan !== "enterprise") {
    issues.push(`${place}/waf: only an Enterprise zone can be in validation`);
  }
  const records = createBulkAdder({ tx, zone, context, now: context.now() });
  for (const [index, record] of (seed.records ?? []).entries()) {
    const where = `/records/${index}`;
    await attempt(where, async () => {
      const conflict = (error: AppError): void => void issues.push(`${place}${where}: ${error.message}`);
      await records.add(parseRecord(record, recordRules(zone)), conflict);
    });
  }
  await records.finish();
  for (const [index, pack] of (seed.certificate_packs ?? []).entries()) {
    await attempt(`/certificate_packs/${index}`, () => addAdvancedPack(context, tx, zone, pack));
  }
  for (const [index, item] of settingsOf(seed).entries()) {
    await attempt(`/settings/${index}`, () => presetZoneSettings(context, tx, zone, [item]));
  }
  await seedZoneParts(context, tx, zone, seed, attempt);
  for (const [index, body] of (seed.rulesets ?? []).entries()) {
    await attempt(`/rulesets/${index}`, () => presetEntryPoint(context, tx, zone, body));
  }
  return zone.id;
}

/** Adds an error of `work` to `issues`. */
async function attemptAt<T>(place: string, issues: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    issues.push(`${place}${error.pointer ?? ""}: ${error.message}`);
    return undefined;
  }
}

/** Settings are the API's list of items, or a map from name to value. */
function settingsOf({ settings = [] }: SeedZone): { id: string; value?: unknown; enabled?: unknown }[] {
  if (Array.isArray(settings)) return settings;
  return Object.entries(settings).map(([id, value]) => ({ id, value }));
}
