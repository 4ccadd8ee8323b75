import { setImmediate as nextTurn } from "node:timers/promises";

import type { Phase } from "../../core/expression/phases.ts";
import type { JsonText } from "../../core/json-text.ts";
import { findManagedRuleset } from "../../core/rulesets/managed-rulesets.ts";
import type { RuleMaking } from "../../core/rulesets/edit-rules.ts";
import type { ExpressionUse, RuleContext } from "../../core/rulesets/rule-context.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { namedRulesetIds } from "../../core/rulesets/ruleset.ts";
import { noRuleset, readOnly } from "../../core/rulesets/ruleset-error.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db, RulesetRow, ZoneRow } from "../../storage/tables.ts";
import { recordChanges, type Actor, type Change as LoggedChange } from "../../operation/audit.ts";
import type { ExpressionContext, ExpressionEngine } from "../../operation/context.ts";
import { toAnswer, toHead } from "./answers.ts";
import { lockOwner, ofAccount, type LockedOwner, type RulesetOwner } from "./owner.ts";
import { insertVersion, selectRuleset, selectRulesets, type StoredRuleset } from "./store.ts";

/** A migration requested together with the rules of the managed phase. */
export interface MigrationRequest {
  readonly to: "new" | "validation";
  readonly phaseTwo: boolean;
  /** Whether the request says rules at all. */
  readonly saysRules: boolean;
}

/** The phase whose rules continue the previous WAF managed rules. */
export const managedPhase = "http_request_firewall_managed";

/**
 * Checks the new rules of a zone's entry point in the managed phase, and migrates the zone if that was requested.
 * Answers what to log in addition. Changes nothing on a dry run. Errors: 400 (docs/contract/waf-migration.md#refusals).
 */
export type ManagedRulesJudge = (
  tx: Db,
  zone: ZoneRow,
  proposal: {
    readonly rules: readonly Pick<Rule, "action" | "enabled">[];
    readonly migration: MigrationRequest | undefined;
    readonly dryRun: boolean;
  },
) => Promise<readonly LoggedChange[]>;

export interface RulesetContext extends ExpressionContext {
  readonly judgeManagedRules: ManagedRulesJudge;
  /** Brand segment of names (docs/decisions/0001-vendor-segment.md). */
  readonly vendor: string;
}

/** What the audit log calls a change of a ruleset, or of one rule. */
export type RulesetAction = Extract<LoggedChange["action"], `rule${string}`>;

/** A change of the rulesets of one owner, while it is being made. */
export interface RulesetChange {
  readonly tx: Db;
  readonly owner: LockedOwner;
  readonly making: RuleMaking;
  /** What the rules of an unread body are checked against. */
  readonly contextFor: (ruleset: Pick<RulesetRow, "kind" | "phase">, rules: unknown) => Promise<RuleContext>;
  /**
   * Stores a version and logs the change; answers the ruleset, or null on a dry run, which stores nothing.
   * `before` is the version that it replaces.
   */
  readonly save: (
    action: RulesetAction,
    next: NextVersion,
    before: StoredRuleset | undefined,
  ) => Promise<JsonText | null>;
  readonly log: (
    action: RulesetAction,
    before: StoredRuleset | undefined,
    after?: StoredRuleset,
    besides?: readonly LoggedChange[],
  ) => Promise<void>;
}

type NextVersion = Pick<StoredRuleset, "id" | "kind" | "phase" | "name" | "description"> & {
  readonly rules: readonly Rule[];
};

/**
 * Runs a change of rulesets in a transaction that has locked their owner: changes of one owner happen one after
 * another.
 * Errors: 404 code 1001 for the owner.
 */
export async function changeRulesets<T>(
  context: RulesetContext,
  actor: Actor,
  owner: RulesetOwner,
  {
    body,
    ...options
  }: {
    /** What the rules are read from. */
    readonly body?: unknown;
    readonly dryRun: boolean;
    readonly migration?: MigrationRequest | undefined;
  },
  work: (change: RulesetChange) => Promise<T>,
): Promise<T> {
  const engine = await context.loadExpressionEngine();
  await engine.prepareChecks(body);
  return context.db.transaction(async (tx) => {
    const locked = await lockOwner(tx, owner);
    return work(startChange({ context, tx, actor, owner: locked, engine, ...options }));
  });
}

/** For an owner that the transaction has locked already. */
export function startChange({
  context,
  tx,
  actor,
  owner,
  engine,
  dryRun,
  migration,
}: {
  readonly context: RulesetContext;
  readonly tx: Db;
  /** Undefined for the seed, of which nothing is logged. */
  readonly actor: Actor | undefined;
  readonly owner: LockedOwner;
  readonly engine: ExpressionEngine;
  readonly dryRun: boolean;
  readonly migration?: MigrationRequest | undefined;
}): RulesetChange {
  const last_updated = toTimestamp(context.now());
  const log: RulesetChange["log"] = async (action, before, after, besides = []) => {
    if (actor === undefined) return;
    const resource = { type: "ruleset", id: (after ?? before)?.id ?? "" };
    const entry = { action, owner: owner.logged, resource, ...changedParts(before, after) };
    await recordChanges(context, tx, actor, [entry, ...besides]);
  };
  return {
    tx,
    owner,
    making: { newId: context.newId, now: last_updated },
    contextFor: async ({ kind, phase }, rules) => {
      const named = kind === "root" ? await customRulesets(tx, owner, rules) : [];
      return {
        kind,
        phase,
        issueIn: issueFinder(engine, phase, owner),
        findRuleset: (id, version) =>
          findManagedRuleset(id, context.vendor, version) ??
          (version === "latest" ? named.find((ruleset) => ruleset.id === id) : undefined),
      };
    },
    save: async (action, { id, kind, phase, name, description, rules }, before) => {
      const besides =
        "zone" in owner.logged && kind === "zone" && phase === managedPhase
          ? await context.judgeManagedRules(tx, owner.logged.zone, { rules, migration, dryRun })
          : [];
      if (dryRun) return null;
      // What was checked may be a thousand rules, which are rendered now.
      await nextTurn();
      const content = {
        version: (before?.version ?? 0) + 1,
        name,
        description,
        rules: toJson([...rules]),
        last_updated,
      };
      await insertVersion(tx, { ruleset_id: id, ...content });
      const after: StoredRuleset = {
        id,
        zone_id: owner.level === "zone" ? owner.id : null,
        account_id: owner.level === "account" ? owner.id : null,
        kind,
        phase,
        ...content,
      };
      await log(action, before, after, besides);
      return toAnswer(after);
    },
    log,
  };
}

/** Errors: 404 code 20300; 400 code 20310 for a managed ruleset, which cannot be changed. */
export async function findOwnRuleset(
  { vendor }: Pick<RulesetContext, "vendor">,
  db: Db,
  owner: RulesetOwner,
  id: string,
): Promise<StoredRuleset> {
  const ruleset = await selectRuleset(db, owner, id);
  if (ruleset !== undefined) return ruleset;
  if (findManagedRuleset(id, vendor) === undefined) throw noRuleset();
  throw readOnly("managed rulesets cannot be changed");
}

async function customRulesets(tx: Db, { id }: LockedOwner, rules: unknown) {
  const rows = await selectRulesets(tx, ofAccount(id), [...new Set(namedRulesetIds(rules))]);
  return rows.map(({ id: rulesetId, kind, phase, rules: text }) => ({
    id: rulesetId,
    kind,
    phase,
    rules: fromJson(text),
  }));
}

/** A header is written as text whatever the type of its value, as `to_string` would do. */
const scalarTypes = ["Bytes", "Ip", "Int", "Bool"] as const;

/** A phase in which the response is known, and nothing else is that the others do not know. */
const answered = "http_log_custom_fields";

function issueFinder(engine: ExpressionEngine, phase: Phase, { plan }: LockedOwner): RuleContext["issueIn"] {
  const options = { phase, ...(plan !== undefined && { plan }) };
  return (source: string, use: ExpressionUse) => {
    if (use === "text") return engine.issueInValue(source, { ...options, valueTypes: ["Bytes"] });
    if (use === "scalar") return engine.issueInValue(source, { ...options, valueTypes: scalarTypes });
    if (use === "value") return engine.issueInValue(source, options);
    return engine.issueInFilter(source, use === "count" ? { ...options, laterPhase: answered } : options);
  };
}

/** A ruleset before and after a change, each with the rules that the other has not. Its versions hold the others. */
function changedParts(before: StoredRuleset | undefined, after: StoredRuleset | undefined) {
  const rulesBefore = rulesOf(before);
  const rulesAfter = rulesOf(after);
  const part = (one: StoredRuleset, rules: ReadonlyMap<string, Rule>, others: ReadonlyMap<string, Rule>) => ({
    ...toHead(one),
    rules: [...rules].filter(([key]) => !others.has(key)).map(([, rule]) => rule),
  });
  return {
    ...(before !== undefined && { before: part(before, rulesBefore, rulesAfter) }),
    ...(after !== undefined && { after: part(after, rulesAfter, rulesBefore) }),
  };
}

function rulesOf(ruleset: StoredRuleset | undefined): ReadonlyMap<string, Rule> {
  const rules = ruleset === undefined ? [] : fromJson(ruleset.rules);
  return new Map(rules.map((rule) => [`${rule.id} ${rule.version}`, rule]));
}
