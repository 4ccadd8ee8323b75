import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { JsonText } from "../../core/json-text.ts";
import { findManagedRuleset, managedRulesets } from "../../core/rulesets/managed-rulesets.ts";
import { replaceRules } from "../../core/rulesets/edit-rules.ts";
import { rulesetLimits } from "../../core/rulesets/limits.ts";
import { phaseDefinitions } from "../../core/rulesets/phases.ts";
import {
  inUse,
  invalidValue,
  limitExceeded,
  noEntryPoint,
  noRuleset,
} from "../../core/rulesets/ruleset-error.ts";
import {
  namedRulesetIds,
  readNewRuleset,
  readPhase,
  readReplacement,
  type RulesetProperties,
} from "../../core/rulesets/ruleset.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db, RulesetRow, ZoneRow } from "../../storage/tables.ts";
import type { Actor } from "../../operation/audit.ts";
import { toAnswer, toHead } from "./answers.ts";
import {
  changeRulesets,
  findOwnRuleset,
  managedPhase,
  startChange,
  type MigrationRequest,
  type RulesetChange,
  type RulesetContext,
} from "./change.ts";
import { findOwner, lockedZone, type RulesetOwner } from "./owner.ts";
import {
  countCustomRulesets,
  deleteRulesetRow,
  insertRuleset,
  selectEntryPointId,
  selectEntryPoints,
  selectRuleset,
  selectRulesetHeads,
  type StoredRuleset,
} from "./store.ts";

export { managedPhase, type ManagedRulesJudge, type RulesetContext } from "./change.ts";
export { withProgramOf, type Meets } from "./running-rules.ts";

interface Options {
  /** Check, and store nothing. */
  readonly dryRun: boolean;
}

interface EntryPointOptions extends Options {
  /** Asked for with the entry point of a zone's managed phase (docs/contract/waf-migration.md). */
  readonly migration?: Omit<MigrationRequest, "saysRules"> | undefined;
}

/**
 * Managed rulesets come first, the Managed Ruleset before all others; those of phases that only accounts have are not
 * listed for a zone. Errors: 404 code 1001.
 */
export async function listRulesets({ db, vendor }: RulesetContext, owner: RulesetOwner) {
  await findOwner(db.read, owner);
  const own = await selectRulesetHeads(db.read, owner);
  const managed = managedRulesets(vendor).filter(
    ({ phase }) => owner.level === "account" || phaseDefinitions[phase].isOfAccounts !== true,
  );
  return [...managed, ...own].map(toHead);
}

/** Errors: 404 code 1001 for the owner, 404 code 20300. */
export async function getRuleset(
  { db, vendor }: RulesetContext,
  owner: RulesetOwner,
  id: string,
): Promise<JsonText> {
  await findOwner(db.read, owner);
  const ruleset = findManagedRuleset(id, vendor) ?? (await selectRuleset(db.read, owner, id));
  if (ruleset === undefined) throw noRuleset();
  return toAnswer(ruleset);
}

/** Errors: 404 code 1001 for the owner, 404 code 10003, 400 for a phase that there is not. */
export async function getEntryPoint(
  { db }: RulesetContext,
  owner: RulesetOwner,
  phaseName: string,
): Promise<JsonText> {
  const id = await findEntryPointId(db.read, owner, phaseName);
  const ruleset = await selectRuleset(db.read, owner, id);
  if (ruleset === undefined) throw noEntryPoint(phaseName);
  return toAnswer(ruleset);
}

/** The id of the entry point of a phase. Errors: as `getEntryPoint`. */
export async function findEntryPointId(db: Db, owner: RulesetOwner, phaseName: string): Promise<string> {
  await findOwner(db, owner);
  const id = await selectEntryPointId(db, owner, readPhase(phaseName, owner.level));
  if (id === undefined) throw noEntryPoint(phaseName);
  return id;
}

/**
 * Makes a ruleset; null on a dry run.
 * Errors: 400 code 20217 for a second entry point of a phase, 400 with a pointer into the body, 404 code 1001.
 */
export async function createRuleset(
  context: RulesetContext,
  caller: Caller,
  owner: RulesetOwner,
  body: unknown,
  options: Options,
): Promise<JsonText | null> {
  const { kind, phase, ...properties } = readNewRuleset(body, owner.level);
  return changeRulesets(context, caller, owner, { ...options, body }, async (change) => {
    if (kind === "custom") await refuseTooManyCustomRulesets(change);
    else if ((await selectEntryPointId(change.tx, owner, phase)) !== undefined) {
      const reason = `exceeded maximum number of ${kind} rulesets for phase ${phase}`;
      throw invalidValue("/kind", kind, reason, "tooManyEntryPoints");
    }
    return makeRuleset(change, { kind, phase } as Pick<RulesetRow, "kind" | "phase">, properties, options);
  });
}

/**
 * Replaces a ruleset by a new version. What the body leaves out stays. Errors: 400 with a pointer into the body, 400
 * code 20310 for a managed ruleset, 404 code 1001 or 20300.
 */
export async function replaceRuleset(
  context: RulesetContext,
  caller: Caller,
  owner: RulesetOwner,
  id: string,
  body: unknown,
  options: Options,
): Promise<JsonText | null> {
  return changeRulesets(context, caller, owner, { ...options, body }, async (change) => {
    const stored = await findOwnRuleset(context, change.tx, owner, id);
    return replaceVersion(change, stored, readReplacement(body, stored));
  });
}

/**
 * Replaces the entry point of a phase, or creates it. Errors: 400 with a pointer into the body or for an unknown phase,
 * 404 code 1001.
 */
export async function replaceEntryPoint(
  context: RulesetContext,
  actor: Actor,
  owner: RulesetOwner,
  phaseName: string,
  body: unknown,
  { dryRun, migration }: EntryPointOptions,
): Promise<JsonText | null> {
  if (migration !== undefined && (owner.level !== "zone" || phaseName !== managedPhase)) {
    throw new AppError(
      "invalid",
      20320,
      `only the entry point of a zone in the phase ${managedPhase} can migrate`,
      {
        pointer: "/waf_migration",
      },
    );
  }
  const saysRules = typeof body === "object" && body !== null && "rules" in body;
  const asked = migration && { ...migration, saysRules };
  return changeRulesets(context, actor, owner, { dryRun, migration: asked, body }, (change) =>
    saveEntryPoint(change, phaseName, body, { dryRun }),
  );
}

/**
 * Stores an entry point of a zone that the transaction has locked, as its seed says it.
 * Errors: 400 with a pointer into the body.
 */
export async function presetEntryPoint(
  context: RulesetContext,
  tx: Db,
  zone: ZoneRow,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const engine = await context.loadExpressionEngine();
  const change = startChange({
    context,
    tx,
    actor: undefined,
    owner: lockedZone(zone),
    engine,
    dryRun: false,
  });
  await saveEntryPoint(change, body["phase"], body, { dryRun: false });
}

/**
 * Deletes a ruleset with all of its versions.
 * Errors: 400 code 20311 for one that rules of the account name, 400 code 20310 for a managed one, 404 code 1001 or
 * 20300.
 */
export async function deleteRuleset(
  context: RulesetContext,
  caller: Caller,
  owner: RulesetOwner,
  id: string,
  { dryRun }: Options,
): Promise<void> {
  await changeRulesets(context, caller, owner, { dryRun }, async ({ tx, log }) => {
    const stored = await findOwnRuleset(context, tx, owner, id);
    if (stored.kind === "custom") await refuseNamed(tx, owner, id);
    if (dryRun) return;
    await deleteRulesetRow(tx, id);
    await log("ruleset_delete", stored);
  });
}

async function saveEntryPoint(
  change: RulesetChange,
  phaseName: unknown,
  body: unknown,
  options: Options,
): Promise<JsonText | null> {
  const { tx, owner } = change;
  const phase = readPhase(phaseName, owner.level);
  const kind = owner.level === "zone" ? "zone" : "root";
  const properties = readReplacement(body, { kind, phase });
  const id = await selectEntryPointId(tx, owner, phase);
  const stored = id === undefined ? undefined : await selectRuleset(tx, owner, id);
  if (stored !== undefined) return replaceVersion(change, stored, properties);
  return makeRuleset(change, { kind, phase }, properties, options);
}

async function makeRuleset(
  change: RulesetChange,
  { kind, phase }: Pick<RulesetRow, "kind" | "phase">,
  { name = "default", description = "", rules: body = [] }: RulesetProperties,
  { dryRun }: Options,
): Promise<JsonText | null> {
  const { tx, owner, making, save } = change;
  const rules = replaceRules([], body, "/rules", await change.contextFor({ kind, phase }, body), making);
  const id = making.newId();
  const zone_id = owner.level === "zone" ? owner.id : null;
  const account_id = owner.level === "account" ? owner.id : null;
  if (!dryRun) await insertRuleset(tx, { id, zone_id, account_id, kind, phase, version: 1 });
  return save("ruleset_create", { id, kind, phase, name, description, rules }, undefined);
}

async function replaceVersion(
  { contextFor, making, save }: RulesetChange,
  stored: StoredRuleset,
  { rules: body, ...properties }: RulesetProperties,
): Promise<JsonText | null> {
  const current = fromJson(stored.rules);
  const rules =
    body === undefined
      ? current
      : replaceRules(current, body, "/rules", await contextFor(stored, body), making);
  return save("ruleset_replace", { ...stored, ...properties, rules }, stored);
}

async function refuseTooManyCustomRulesets({ tx, owner }: RulesetChange): Promise<void> {
  const { customRulesetsMax } = rulesetLimits;
  if ((await countCustomRulesets(tx, owner.id)) < customRulesetsMax) return;
  throw limitExceeded("/kind", "custom rulesets of the account", customRulesetsMax);
}

async function refuseNamed(tx: Db, owner: RulesetOwner, id: string): Promise<void> {
  for (const { phase, rules } of await selectEntryPoints(tx, owner)) {
    if (namedRulesetIds(fromJson(rules)).includes(id)) {
      throw inUse(`the ruleset is named by rules of the entry point of phase ${phase}`);
    }
  }
}
