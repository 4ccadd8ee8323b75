import type { Phase } from "../../core/expression/phases.ts";
import type { JsonText } from "../../core/json-text.ts";
import { replaceRules } from "../../core/rulesets/edit-rules.ts";
import { noEntryPoint } from "../../core/rulesets/ruleset-error.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { readPhase, readReplacement, type RulesetProperties } from "../../core/rulesets/ruleset.ts";
import { insertRow } from "../../storage/rows.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { RulesetRow } from "../../storage/schema/rules.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { ruleContextFor, makingOf, ownerColumns, saveVersion, type RulesetChange } from "./change.ts";
import { ofZone, type RulesetContext } from "./levels.ts";
import { selectEntryPoint, type StoredRuleset } from "./store.ts";

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
export {
  compileRules,
  readAccountRulesets,
  readZoneRules,
  withProgramOf,
  type AccountRulesets,
  type StoredRules,
  type ZoneRules,
} from "./running-rules.ts";
export { DryRun, ReplaceRulesetBody, Ruleset } from "./schema.ts";

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
