import { fullValue } from "../../core/net/ip-range.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest, notFound } from "../../core/error.ts";
import { lists, reads, writes } from "../../operation/scoped.ts";
import { IdOnly } from "../../operation/schema.ts";
import { deleteRow, insertRow, updateRow, findRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { AccessRuleRow } from "../../storage/schema/rules.ts";
import { parseConfiguration, shownValue } from "./configuration.ts";
import { levels, type AccessRuleRead, type AccessRuleWrite, type Level, type RuleScope } from "./levels.ts";
import { AccessRule, CreateAccessRuleBody, EditAccessRuleBody, ListAccessRulesQuery } from "./schema.ts";
import { selectAccessRules } from "./store.ts";

/** The operations of one level. They cover its own rules only, not those of a wider level. */
function operationsOf({ names, prefix, of, kind }: Level) {
  const path = `${prefix}/firewall/access_rules/rules` as const;
  const item = `${path}/{rule_id}` as const;
  return [
    lists(kind)({
      name: names.list,
      summary: `List and search the IP Access Rules of ${of}`,
      path,
      permission: "read",
      query: ListAccessRulesQuery,
      result: AccessRule,
      list: { orderings: ["configuration.target", "configuration.value", "mode"], perPageMax: 1_000 },
      run: async ({ db, ruleScope }: AccessRuleRead, { query, page }) => {
        const scope = await ruleScope.show(db);
        const { items, totalCount } = await selectAccessRules(db, ruleScope.id, query, page);
        return { items: items.map((row) => toAccessRule(row, scope)), totalCount };
      },
    }),
    /**
     * Errors: 400 code 10011 for a value that does not fit its target, 400 code 10009 if there is a rule for
     * it already.
     */
    writes(kind)({
      name: names.create,
      summary: `Create an IP Access Rule of ${of}`,
      method: "POST",
      path,
      permission: "write",
      body: CreateAccessRuleBody,
      result: AccessRule,
      run: async ({ tx, ruleScope, context, now, audit }: AccessRuleWrite, { body }) => {
        const { target, value } = parseConfiguration(body.configuration);
        const created_on = toTimestamp(now);
        const row: AccessRuleRow = {
          id: context.newId(),
          scope_id: ruleScope.id,
          ...ruleScope.columns,
          mode: body.mode,
          target,
          value,
          full_value: fullValue(value),
          ...notesColumns(body.notes ?? ""),
          created_on,
          modified_on: created_on,
        };
        const taken = () =>
          invalidRequest(
            errorCodes.accessRules.exists,
            "firewallaccessrules.api.duplicate_of_existing",
            "/configuration/value",
          );
        await insertRow(tx, "access_rules", row, taken);
        const after = toAccessRule(row, await ruleScope.show(tx));
        audit({ action: "access_rule_add", id: row.id, after });
        return after;
      },
    }),
    /** Errors: 404 code 10001. */
    reads(kind)({
      name: names.get,
      summary: `Get an IP Access Rule of ${of}`,
      path: item,
      permission: "read",
      result: AccessRule,
      run: async ({ db, ruleScope }: AccessRuleRead, { params }) =>
        toAccessRule(await findAccessRule(db, ruleScope, params.rule_id), await ruleScope.show(db)),
    }),
    /** Fields left out stay. Errors: 404 code 10001. */
    writes(kind)({
      name: names.edit,
      summary: `Change an IP Access Rule of ${of}; fields left out stay`,
      method: "PATCH",
      path: item,
      permission: "write",
      body: EditAccessRuleBody,
      result: AccessRule,
      run: async ({ tx, ruleScope, now, audit }: AccessRuleWrite, { params: { rule_id: id }, body }) => {
        const row = await findAccessRule(tx, ruleScope, id);
        const change = {
          mode: body.mode ?? row.mode,
          ...notesColumns(body.notes ?? row.notes),
          modified_on: toTimestamp(now),
        };
        await updateRow(tx, "access_rules", id, change);
        const scope = await ruleScope.show(tx);
        const [before, after] = [toAccessRule(row, scope), toAccessRule({ ...row, ...change }, scope)];
        audit({ action: "access_rule_edit", id, before, after });
        return after;
      },
    }),
    /** Errors: 404 code 10001. */
    writes(kind)({
      name: names.delete,
      summary: `Delete an IP Access Rule of ${of}`,
      method: "DELETE",
      path: item,
      permission: "write",
      result: IdOnly,
      run: async ({ tx, ruleScope, audit }: AccessRuleWrite, { params: { rule_id: id } }) => {
        const row = await findAccessRule(tx, ruleScope, id);
        await deleteRow(tx, "access_rules", id);
        const before = toAccessRule(row, await ruleScope.show(tx));
        audit({ action: "access_rule_delete", id, before });
        return { id };
      },
    }),
  ];
}

async function findAccessRule(db: Db, ruleScope: RuleScope, id: string): Promise<AccessRuleRow> {
  return findRow(db, "access_rules", { scope_id: ruleScope.id, id }, () =>
    notFound(errorCodes.accessRules.unknown, "firewallaccessrules.api.not_found"),
  );
}

function notesColumns(notes: string): Pick<AccessRuleRow, "notes" | "notes_folded"> {
  return { notes, notes_folded: notes.toLowerCase() };
}

const modes = ["whitelist", "block", "challenge", "js_challenge", "managed_challenge"] as const;

function toAccessRule(row: AccessRuleRow, scope: AccessRule["scope"]): AccessRule {
  return {
    id: row.id,
    paused: false,
    modified_on: row.modified_on,
    allowed_modes: [...modes],
    mode: row.mode,
    notes: row.notes,
    configuration: { target: row.target, value: shownValue(row) },
    scope,
    created_on: row.created_on,
  };
}

export const accessRuleOperations = levels.flatMap(operationsOf);
