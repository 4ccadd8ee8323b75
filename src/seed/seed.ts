import { emailPattern } from "../core/email.ts";
import { errorCodes } from "../core/error-codes.ts";
import { AppError, invalidRequest } from "../core/error.ts";
import { defaultRoleId, findRoleCalled } from "../core/policy/roles.ts";
import type { Context, ExpressionContext } from "../operation/context.ts";
import { addInvite } from "../resources/memberships/memberships.ts";
import type { Db } from "../storage/tables.ts";
import type { SeedInvite, SeedToken, SeedZone, Seed, SeedList } from "./schema.ts";
import { parseZoneName } from "../core/dns/content/name.ts";
import { invalidTokenBody } from "../core/policy/token-error.ts";
import { bodyValidator } from "../api/validation.ts";
import { CreateTokenBody } from "../resources/tokens/schema.ts";
import { addToken, findTokenBySecret, operator, type TokenContext } from "../resources/tokens/tokens.ts";
import { isTokenSecret } from "../secrets/secrets.ts";
import { addFirewallRule } from "../resources/firewall-rules/firewall-rules.ts";
import { FirewallRuleFields } from "../resources/firewall-rules/schema.ts";
import { addPageRule } from "../resources/page-rules/page-rules.ts";
import { PageRuleBody } from "../resources/page-rules/schema.ts";
import { addWafOverride } from "../resources/previous-waf/overrides.ts";
import { presetWafPackage } from "../resources/previous-waf/previous-waf.ts";
import { WafOverrideBody, WafPackagePreset } from "../resources/previous-waf/schema.ts";
import { UserAgentRuleBody } from "../resources/user-agent-rules/schema.ts";
import { addUserAgentRule } from "../resources/user-agent-rules/user-agent-rules.ts";
import { ZoneLockdownBody } from "../resources/zone-lockdowns/schema.ts";
import { addZoneLockdown } from "../resources/zone-lockdowns/zone-lockdowns.ts";
import type { ZoneRow } from "../storage/schema/zones.ts";
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
import { presetZoneSettings } from "../resources/zone-settings/zone-settings.ts";
import { addZone, findPlan, zonesInCharge, type ZoneContext } from "../resources/zones/zones.ts";
import { updateRow } from "../storage/rows.ts";
import { SeedError } from "./read-seed.ts";

/**
 * Creates an invite. Errors: 400 with the place in it for an unknown account or role or an invalid e-mail
 * address, and as `addInvite`.
 */
async function seedInvite(
  context: Context,
  tx: Db,
  { account, email, roles = [defaultRoleId] }: SeedInvite,
  { accounts, invitedBy }: { readonly accounts: Names["accounts"]; readonly invitedBy: string },
): Promise<void> {
  const accountId = accounts.get(account);
  if (accountId === undefined) throw invalidInvite("/account", `there is no account \`${account}\``);
  if (!new RegExp(emailPattern).test(email)) throw invalidInvite("/email", "is not an e-mail address");
  if (roles.length === 0) throw invalidInvite("/roles", "must not be empty");
  const roleIds = roles.map((called, index) => {
    const role = findRoleCalled(called);
    if (role === undefined) throw invalidInvite(`/roles/${index}`, `there is no role \`${called}\``);
    return role.id;
  });
  await addInvite(context, tx, {
    accountId,
    email,
    rights: { roleIds: [...new Set(roleIds)] },
    invitedBy,
    grantors: [],
  });
}

function invalidInvite(pointer: string, message: string): AppError {
  return invalidRequest(errorCodes.members.invalid, message, pointer);
}

interface Names {
  readonly owner: { readonly userId: string; readonly email: string };
  readonly accounts: ReadonlyMap<string, string>;
  /** Ids by name; undefined for a zone that could not be created. */
  readonly zones: ReadonlyMap<string, string | undefined>;
}

const readBody = bodyValidator(CreateTokenBody);

/**
 * Creates a token of the owner or an account with the given secret. Its resource keys may give the names of
 * zones and accounts and the e-mail address of the owner instead of ids. Errors: as `createToken`; 400 code
 * 1001 for an unknown account, and for a secret that is invalid or taken.
 */
async function seedToken(
  context: TokenContext,
  tx: Db,
  { value, account, ...fields }: SeedToken,
  names: Names,
): Promise<void> {
  const body = withIds(readBody(fields), names, context.tokenSettings.vendor);
  if (!isTokenSecret(value)) {
    const rule =
      "must be 40 to 80 characters out of A-Z a-z 0-9 _ -; one that begins with zw_ needs a valid checksum";
    throw invalidRequest(errorCodes.tokens.invalid, rule, "/value");
  }
  if ((await findTokenBySecret(tx, value)) !== undefined) {
    throw invalidRequest(errorCodes.tokens.invalid, "another token has this value", "/value");
  }
  const accountId = account === undefined ? undefined : names.accounts.get(account);
  if (account !== undefined && accountId === undefined) {
    throw invalidRequest(errorCodes.tokens.invalid, `there is no account \`${account}\``, "/account");
  }
  const owner = accountId === undefined ? { userId: names.owner.userId } : { accountId };
  await addToken(context, tx, operator, owner, body, value);
}

function withIds(body: CreateTokenBody, names: Names, vendor: string): CreateTokenBody {
  const policies = body.policies.map((policy, index) => {
    const entries = Object.entries(policy.resources).map(([key, value]) => [
      keyWithId(key, names, { vendor, index }),
      value,
    ]);
    return { ...policy, resources: Object.fromEntries(entries) as typeof policy.resources };
  });
  return { ...body, policies };
}

/**
 * A resource key with the id in place of the name. Errors: 400 code 1001 for an unknown name. Malformed keys
 * are refused where keys are parsed.
 */
function keyWithId(
  key: string,
  { owner, accounts, zones }: Names,
  { vendor, index }: { readonly vendor: string; readonly index: number },
): string {
  const [, prefix, type, name = ""] = keyForm.exec(key) ?? [];
  if (prefix !== `com.${vendor}.api.` || idForm.test(name)) return key;
  const findId = {
    "account.zone": () => zones.get(parseZoneName(name) ?? name),
    account: () => accounts.get(name),
    user: () => (name === owner.email ? owner.userId : undefined),
  };
  const id = findId[type as keyof typeof findId]();
  if (id !== undefined) return `${prefix}${type}.${id}`;
  const noun = type === "account.zone" ? "zone" : type;
  throw invalidTokenBody(["policies", index, "resources", key], `there is no ${noun} \`${name}\``);
}

const keyForm = /^(com\.[^.]+\.api\.)(account\.zone|account|user)\.(.+)$/;
const idForm = /^(?:[0-9a-f]{32}|\*)$/;

const readPageRule = bodyValidator(PageRuleBody);
const readLockdown = bodyValidator(ZoneLockdownBody);
const readUserAgentRule = bodyValidator(UserAgentRuleBody);
const readFirewallRule = bodyValidator(FirewallRuleFields);
const readWafPackage = bodyValidator(WafPackagePreset);
const readWafOverride = bodyValidator(WafOverrideBody);

/**
 * Creates the rules beside rulesets and the previous WAF of a seeded zone, each through `attempt` with its
 * place.
 */
async function seedZoneParts(
  context: ExpressionContext,
  tx: Db,
  zone: ZoneRow,
  seed: SeedZone,
  attempt: (place: string, work: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const each = async (
    key:
      | "page_rules"
      | "lockdowns"
      | "user_agent_rules"
      | "firewall_rules"
      | "waf_packages"
      | "waf_overrides",
    make: (body: unknown) => Promise<unknown>,
  ): Promise<void> => {
    for (const [index, body] of (seed[key] ?? []).entries()) {
      await attempt(`/${key}/${index}`, () => make(body));
    }
  };
  const work = { context, tx, zone, now: context.now() };
  await each("page_rules", async (body) => addPageRule(context, tx, zone, readPageRule(body)));
  await each("lockdowns", async (body) => addZoneLockdown(work, readLockdown(body)));
  await each("user_agent_rules", async (body) => addUserAgentRule(work, readUserAgentRule(body)));
  await each("firewall_rules", async (body) =>
    addFirewallRule({ ...work, engine: await context.loadExpressionEngine() }, readFirewallRule(body), ""),
  );
  await each("waf_packages", async (body) => presetWafPackage(tx, zone, readWafPackage(body)));
  await each("waf_overrides", async (body) => addWafOverride(work, readWafOverride(body)));
}

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
