import { setImmediate as nextTurn } from "node:timers/promises";
import { errorCodes } from "../../core/error-codes.ts";
import type { Phase } from "../../core/expression/phases.ts";
import { storedTextsOfRules } from "../../core/in-force/rules.ts";
import type { JsonText } from "../../core/json.ts";
import type { RuleMaking } from "../../core/rulesets/edit-rules.ts";
import { listNamesIn, listNamesWithin, type Rule } from "../../core/rulesets/rule.ts";
import type { ExpressionUse, RuleContext } from "../../core/rulesets/rule-context.ts";
import { namedRulesetIds } from "../../core/rulesets/ruleset.ts";
import { noRuleset, readOnly } from "../../core/rulesets/ruleset-error.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import type { ExpressionEngine } from "../../operation/context.ts";
import { tellNeutralFields } from "../../operation/expression-checks.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import { insertRow, updateRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { RulesetRow } from "../../storage/schema/rules.ts";
import { findListKinds, saveListReferences } from "../lists/lists.ts";
import { toAnswer, toHead } from "./answers.ts";
import { ofAccount, type RulesetOwner, type RulesetWrite } from "./levels.ts";
import { selectRuleset, selectRulesets, type StoredRuleset } from "./store.ts";

/** The work of a change of rulesets, on the owner that the transaction has locked. */
export interface RulesetChange
  extends
    Pick<RulesetWrite, "tx" | "owner" | "context" | "now" | "audit">,
    Partial<Pick<RulesetWrite, "addMessage">> {
  readonly engine: ExpressionEngine;
  /** Only checks; stores nothing. */
  readonly dryRun: boolean;
}

/** The context in which the rules of a raw body are checked. */
export async function ruleContextFor(
  { tx, owner, context, engine }: RulesetChange,
  { kind, phase }: Pick<RulesetRow, "kind" | "phase">,
  rules: unknown,
): Promise<RuleContext> {
  const named = kind === "root" ? await customRulesets(tx, owner, rules) : [];
  const kinds = await findListKinds(tx, accountOf(owner), [...listNamesWithin(rules)]);
  const plan = owner.level === "zone" ? owner.zone.plan : undefined;
  return {
    kind,
    phase,
    issueIn: issueFinder(engine, phase, owner),
    lists: { kindOf: (name) => kinds.get(name), phase, plan },
    findRuleset: (id, version) =>
      context.managed.find(id, version) ??
      (version === "latest" ? named.find((ruleset) => ruleset.id === id) : undefined),
  };
}

export function makingOf({ context, now }: Pick<RulesetChange, "context" | "now">): RuleMaking {
  return { newId: context.newId, now: toTimestamp(now) };
}

/** Errors: 404 code 20300; 400 code 20310 for a managed ruleset. */
export async function findOwnRuleset(
  { tx, owner, context }: Pick<RulesetWrite, "tx" | "owner" | "context">,
  id: string,
): Promise<StoredRuleset> {
  const ruleset = await selectRuleset(tx, owner, id);
  if (ruleset !== undefined) return ruleset;
  if (context.managed.find(id) === undefined) throw noRuleset();
  throw readOnly("managed rulesets cannot be changed");
}

type NextVersion = Pick<StoredRuleset, "id" | "kind" | "phase" | "name" | "description"> & {
  readonly rules: readonly Rule[];
};

/**
 * Stores a version of a ruleset that replaces `before`, and answers it; null on a dry run, which stores
 * nothing.
 * Errors: those of `refuseZoneRules`.
 */
export async function saveVersion(
  { tx, owner, context, now, audit, addMessage, dryRun }: Omit<RulesetChange, "engine">,
  action: Extract<AuditAction, `rule${string}`>,
  { id, kind, phase, name, description, rules }: NextVersion,
  before: StoredRuleset | undefined,
): Promise<JsonText | null> {
  if (owner.level === "zone") context.refuseZoneRules(owner.zone, phase, rules);
  tellNeutralFields(addMessage, expressionsIn(rules));
  for (const message of storedTextsOfRules(phase, rules))
    addMessage?.({ code: errorCodes.rulesets.notInForce, message });
  if (dryRun) return null;
  // Gives way to other requests: a thousand rules may have been checked, and are serialized next.
  await nextTurn();
  const content = {
    version: (before?.version ?? 0) + 1,
    name,
    description,
    rules: toJson([...rules]),
    last_updated: toTimestamp(now),
  };
  await insertRow(tx, "ruleset_versions", { ruleset_id: id, ...content });
  await updateRow(tx, "rulesets", id, { version: content.version });
  await saveListReferences(tx, { accountId: accountOf(owner), rulesetId: id }, listNamesIn(rules));
  const after: StoredRuleset = { id, ...ownerColumns(owner), kind, phase, ...content };
  audit({ action, id, ...changedParts(before, after) });
  return toAnswer(after);
}

/** Every expression of rules, also those within their parameters. */
function* expressionsIn(part: unknown): Generator<string> {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== "string") yield* expressionsIn(value);
    else if (/expression$|^\d+$/.test(key)) yield value;
  }
}

function accountOf(owner: RulesetOwner): string {
  return owner.level === "zone" ? owner.zone.account_id : owner.id;
}

export function ownerColumns({ level, id }: RulesetOwner): Pick<RulesetRow, "zone_id" | "account_id"> {
  return level === "zone" ? { zone_id: id, account_id: null } : { zone_id: null, account_id: id };
}

/** A ruleset before and after a change, each without the rules that both share. */
export function changedParts(before: StoredRuleset | undefined, after: StoredRuleset | undefined) {
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

async function customRulesets(tx: Db, { id }: RulesetOwner, rules: unknown) {
  const rows = await selectRulesets(tx, ofAccount(id), [...new Set(namedRulesetIds(rules))]);
  return rows.map(({ id: rulesetId, kind, phase, rules: text }) => ({
    id: rulesetId,
    kind,
    phase,
    rules: fromJson(text),
  }));
}

/** The types that `to_string` accepts: headers are written as text. */
const scalarTypes = ["Bytes", "Ip", "Int", "Bool"] as const;

/** The phase that knows the response, and nothing else that other phases do not. */
const answered = "http_log_custom_fields";

/** The plan bounds the expressions of a zone; those of an account are not bounded. */
function issueFinder(engine: ExpressionEngine, phase: Phase, owner: RulesetOwner): RuleContext["issueIn"] {
  const options = { phase, ...(owner.level === "zone" && { plan: owner.zone.plan }) };
  return (source: string, use: ExpressionUse) => {
    if (use === "text") return engine.issueInValue(source, { ...options, valueTypes: ["Bytes"] });
    if (use === "texts") return engine.issueInValue(source, { ...options, valueTypes: ["Array<Bytes>"] });
    if (use === "scalar") return engine.issueInValue(source, { ...options, valueTypes: scalarTypes });
    if (use === "value") return engine.issueInValue(source, options);
    return engine.issueInFilter(source, use === "count" ? { ...options, laterPhase: answered } : options);
  };
}
