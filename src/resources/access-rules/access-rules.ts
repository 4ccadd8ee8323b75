import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { isUniqueViolation } from "../../storage/errors.ts";
import type { AccessRuleRow, Db } from "../../storage/tables.ts";
import { findAccount } from "../accounts/accounts.ts";
import { recordChanges, type Change, type ChangeSubject } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import { parseConfiguration, shownValue } from "./configuration.ts";
import type { AccessRule, CreateAccessRuleBody, EditAccessRuleBody, ListAccessRulesQuery } from "./schema.ts";
import {
  deleteAccessRuleRow,
  insertAccessRule,
  selectAccessRule,
  selectAccessRuleForChange,
  selectAccessRules,
  updateAccessRule,
  type AccessRuleOrdering,
} from "./store.ts";

/** Where a rule holds: in one zone, in all zones of an account, or in all of a user. */
export type AccessRuleScope =
  | { readonly zoneId: string }
  | { readonly accountId: string }
  | { readonly user: { readonly id: string; readonly email: string } };

/** The rules of the scope itself, not those of a wider one. Errors: 404 code 1001. */
export async function listAccessRules(
  { db }: Context,
  scope: AccessRuleScope,
  query: ListAccessRulesQuery,
  page: PageRequest<AccessRuleOrdering>,
): Promise<Page<AccessRule>> {
  const place = await findPlace(db.read, scope);
  const { items, totalCount } = await selectAccessRules(db.read, place.id, query, page);
  return { items: items.map((row) => toAccessRule(row, place)), totalCount };
}

/** Errors: 404 code 1001 for the scope, 404 code 10001 for the rule. */
export async function getAccessRule(
  { db }: Context,
  scope: AccessRuleScope,
  id: string,
): Promise<AccessRule> {
  const place = await findPlace(db.read, scope);
  return toAccessRule(existing(await selectAccessRule(db.read, place.id, id)), place);
}

/**
 * Errors: 400 code 10011 for a value that does not fit its target, 400 code 10009 if the scope already has a rule for
 * it, 404 code 1001.
 */
export async function createAccessRule(
  context: Context,
  caller: Caller,
  scope: AccessRuleScope,
  body: CreateAccessRuleBody,
): Promise<AccessRule> {
  const { target, value } = parseConfiguration(body.configuration);
  return context.db.transaction(async (tx) => {
    // A zone that is deleted meanwhile would leave the rule without a scope; accounts and users stay.
    if ("zoneId" in scope) await lockZone(tx, scope.zoneId);
    const place = await findPlace(tx, scope);
    const created_on = toTimestamp(context.now());
    const row: AccessRuleRow = {
      id: context.newId(),
      scope_id: place.id,
      ...place.columns,
      mode: body.mode,
      target,
      value,
      ...notesColumns(body.notes ?? ""),
      created_on,
      modified_on: created_on,
    };
    try {
      await insertAccessRule(tx, row);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError("invalid", 10009, "firewallaccessrules.api.duplicate_of_existing", {
        pointer: "/configuration/value",
      });
    }
    const after = toAccessRule(row, place);
    await recordChanges(context, tx, caller, [
      { action: "access_rule_add", ...subjectOf(place, row), after },
    ]);
    return after;
  });
}

/** Errors: 404 code 1001 for the scope, 404 code 10001 for the rule. */
export async function editAccessRule(
  context: Context,
  caller: Caller,
  scope: AccessRuleScope,
  id: string,
  body: EditAccessRuleBody,
): Promise<AccessRule> {
  return context.db.transaction(async (tx) => {
    const place = await findPlace(tx, scope);
    const row = existing(await selectAccessRuleForChange(tx, place.id, id));
    const change = {
      mode: body.mode ?? row.mode,
      ...notesColumns(body.notes ?? row.notes),
      modified_on: toTimestamp(context.now()),
    };
    await updateAccessRule(tx, id, change);
    const [before, after] = [toAccessRule(row, place), toAccessRule({ ...row, ...change }, place)];
    await recordChanges(context, tx, caller, [
      { action: "access_rule_edit", ...subjectOf(place, row), before, after },
    ]);
    return after;
  });
}

/** Errors: 404 code 1001 for the scope, 404 code 10001 for the rule. */
export async function deleteAccessRule(
  context: Context,
  caller: Caller,
  scope: AccessRuleScope,
  id: string,
): Promise<{ id: string }> {
  return context.db.transaction(async (tx) => {
    const place = await findPlace(tx, scope);
    const row = existing(await selectAccessRuleForChange(tx, place.id, id));
    await deleteAccessRuleRow(tx, id);
    await recordChanges(context, tx, caller, [
      { action: "access_rule_delete", ...subjectOf(place, row), before: toAccessRule(row, place) },
    ]);
    return { id };
  });
}

/** A scope that was found, as its rules show it and as they are stored. */
interface Place {
  readonly id: string;
  readonly shown: AccessRule["scope"];
  readonly columns: Pick<AccessRuleRow, "zone_id" | "account_id" | "user_id">;
  readonly owner: Change["owner"];
}

async function findPlace(db: Db, scope: AccessRuleScope): Promise<Place> {
  const none = { zone_id: null, account_id: null, user_id: null };
  if ("zoneId" in scope) {
    const zone = await findZone(db, scope.zoneId);
    const { id, name } = zone;
    return { id, shown: { id, name, type: "zone" }, columns: { ...none, zone_id: id }, owner: { zone } };
  }
  if ("accountId" in scope) {
    const { id, name } = await findAccount(db, scope.accountId);
    return {
      id,
      shown: { id, name, type: "organization" },
      columns: { ...none, account_id: id },
      owner: { accountId: id },
    };
  }
  const { id, email } = scope.user;
  return { id, shown: { id, email, type: "user" }, columns: { ...none, user_id: id }, owner: { userId: id } };
}

function existing(row: AccessRuleRow | undefined): AccessRuleRow {
  if (row === undefined) throw new AppError("not-found", 10001, "firewallaccessrules.api.not_found");
  return row;
}

function subjectOf({ owner }: Place, { id }: AccessRuleRow): ChangeSubject {
  return { owner, resource: { type: "access_rule", id } };
}

function notesColumns(notes: string): Pick<AccessRuleRow, "notes" | "notes_folded"> {
  return { notes, notes_folded: notes.toLowerCase() };
}

const modes = ["whitelist", "block", "challenge", "js_challenge", "managed_challenge"] as const;

function toAccessRule(row: AccessRuleRow, place: Place): AccessRule {
  return {
    id: row.id,
    paused: false,
    modified_on: row.modified_on,
    allowed_modes: [...modes],
    mode: row.mode,
    notes: row.notes,
    configuration: { target: row.target, value: shownValue(row) },
    scope: place.shown,
    created_on: row.created_on,
  };
}
