import type { Phase } from "../../core/expression/phases.ts";
import type { JsonText } from "../../core/json.ts";
import { replaceRules } from "../../core/rulesets/edit-rules.ts";
import { noEntryPoint } from "../../core/rulesets/ruleset-error.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import {
  namedRulesetIds,
  readPhase,
  readReplacement,
  type Ruleset as JudgingRuleset,
  type RulesetProperties,
} from "../../core/rulesets/ruleset.ts";
import { byZone, insertRow } from "../../storage/rows.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { RulesetRow } from "../../storage/schema/rules.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { ruleContextFor, makingOf, ownerColumns, saveVersion, type RulesetChange } from "./change.ts";
import { ofAccount, ofZone, type RulesetContext } from "./levels.ts";
import {
  selectEntryPoint,
  selectEntryPoints,
  selectEntryPointsOfZones,
  selectRulesets,
  type StoredRuleset,
} from "./store.ts";

export { type RulesetChange } from "./change.ts";
export {
  accountRulesets,
  ofZone,
  phaseName,
  zoneRulesets,
  type Level,
  type RulesetContext,
  type RulesetWrite,
} from "./levels.ts";
export { judgeByCoreRulesTask } from "./judge-by-core-rules.ts";
export { DryRun, ReplaceRulesetBody, Ruleset } from "./schema.ts";

/** The entry points of zones; the result finds those of one zone. */
export async function readEntryPoints(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => JudgingRuleset[]> {
  const rowsOf = byZone(await selectEntryPointsOfZones(db, zoneIds));
  return (zoneId) => rowsOf(zoneId).map(toRuleset);
}

/** The entry points of an account, and its rulesets that these execute. */
export async function readAccountRulesets(
  db: Db,
  accountId: string,
): Promise<{ readonly entryPoints: JudgingRuleset[]; readonly custom: JudgingRuleset[] }> {
  const owner = ofAccount(accountId);
  const entryPoints = (await selectEntryPoints(db, owner)).map(toRuleset);
  const named = [...new Set(entryPoints.flatMap(({ rules }) => namedRulesetIds(rules)))];
  const custom = await selectRulesets(db, owner, named);
  return { entryPoints, custom: custom.map(toRuleset) };
}

function toRuleset(row: StoredRuleset): JudgingRuleset {
  const { id, name, description, kind, phase, version, last_updated, rules } = row;
  return {
    id,
    name,
    description,
    kind,
    version: String(version),
    rules: fromJson(rules),
    last_updated,
    phase,
  };
}

/** A checked version, stored unless it was a dry run. */
export interface SavedVersion {
  readonly rules: readonly Rule[];
  /** The ruleset in answers; null on a dry run. */
  readonly answer: JsonText | null;
}

/**
 * Replaces or creates the entry point of a phase; omitted fields keep their values.
 * Errors: 400 with a pointer for an invalid body or phase, and those of `saveVersion`.
 */
export async function saveEntryPoint(
  change: RulesetChange,
  phaseNamed: unknown,
  body: unknown,
): Promise<SavedVersion> {
  const { tx, owner } = change;
  const phase = readPhase(phaseNamed, owner.level);
  const kind = owner.level === "zone" ? "zone" : "root";
  const properties = readReplacement(body, { kind, phase });
  const stored = await selectEntryPoint(tx, owner, phase);
  if (stored !== undefined) return replaceVersion(change, stored, properties);
  return makeRuleset(change, { kind, phase }, properties);
}

/** Stores an entry point of a seed. Errors: as `saveEntryPoint`. */
export async function presetEntryPoint(
  context: RulesetContext,
  tx: Db,
  zone: ZoneRow,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const engine = await context.loadExpressionEngine();
  // Seeding is not audited.
  const audit = () => undefined;
  const change = { tx, owner: ofZone(zone), context, now: context.now(), audit, engine, dryRun: false };
  await saveEntryPoint(change, body["phase"], body);
}

/** The rules of a zone's entry point. Errors: 404 code 10003. */
export async function findEntryPointRules(db: Db, zone: ZoneRow, phase: Phase): Promise<readonly Rule[]> {
  const stored = await selectEntryPoint(db, ofZone(zone), phase);
  if (stored === undefined) throw noEntryPoint(phase);
  return fromJson(stored.rules);
}

/** Errors: 400 with a pointer for invalid rules, and those of `saveVersion`. */
export async function makeRuleset(
  change: RulesetChange,
  { kind, phase }: Pick<RulesetRow, "kind" | "phase">,
  { name = "default", description = "", rules: body = [] }: RulesetProperties,
): Promise<SavedVersion> {
  const { tx, owner, context, dryRun } = change;
  const checks = await ruleContextFor(change, { kind, phase }, body);
  const rules = replaceRules([], body, "/rules", checks, makingOf(change));
  const id = context.newId();
  if (!dryRun) await insertRow(tx, "rulesets", { id, ...ownerColumns(owner), kind, phase, version: 1 });
  const version = { id, kind, phase, name, description, rules };
  return { rules, answer: await saveVersion(change, "ruleset_create", version, undefined) };
}

/** Omitted properties keep their values. Errors: as `makeRuleset`. */
export async function replaceVersion(
  change: RulesetChange,
  stored: StoredRuleset,
  { rules: body, ...properties }: RulesetProperties,
): Promise<SavedVersion> {
  const current = fromJson(stored.rules);
  const rules =
    body === undefined
      ? current
      : replaceRules(current, body, "/rules", await ruleContextFor(change, stored, body), makingOf(change));
  const version = { ...stored, ...properties, rules };
  return { rules, answer: await saveVersion(change, "ruleset_replace", version, stored) };
}
