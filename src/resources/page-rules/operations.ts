import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import type { AppError } from "../../core/error.ts";
import { storedTexts } from "../../core/in-force/in-force.ts";
import { pageRuleActionsInForce } from "../../core/in-force/rules.ts";
import { actionValues } from "../../core/page-rules/actions.ts";
import { deleteRow, updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { zoneRead, zoneWrite, type ZoneWrite } from "../../operation/scope.ts";
import { IdOnly } from "../../operation/schema.ts";
import {
  addPageRule,
  findPageRule,
  invalidPageRule,
  parseDirection,
  refuseInvalid,
  toColumns,
  toPageRule,
  unmatchedTargets,
} from "./page-rules.ts";
import { EditPageRuleBody, ListPageRulesQuery, PageRule, PageRuleBody, PageRuleSetting } from "./schema.ts";
import { selectPageRules } from "./store.ts";

const read = "Page Rules Read";
const write = "Page Rules Write";
const { matchesNothing, notInForce } = errorCodes.pageRules;
const bodyError = (pointer: string, message: string): AppError =>
  invalidPageRule(pointer, [{ pointer, message }]);

/** Not paginated. Errors: 400 code 1003. */
export const listPageRules = zoneRead({
  name: "listPageRules",
  summary: "List the page rules of a zone",
  path: "/zones/{zone_id}/pagerules",
  permission: read,
  query: ListPageRulesQuery,
  result: Type.Array(PageRule),
  run: async ({ db, zone }, { query }) => {
    const direction = parseDirection(query.direction);
    const rows = await selectPageRules(db, zone.id);
    const listed = rows.filter((row) => query.status === undefined || row.status === query.status);
    const ordered =
      query.order === "status"
        ? listed.toSorted((one, other) => other.status.localeCompare(one.status))
        : listed;
    return (direction === "desc" ? ordered : ordered.toReversed()).map(toPageRule);
  },
});

/** Errors: 400 code 1004 with every issue in `messages`, 400 code 1405 above the quota of the plan. */
export const createPageRule = zoneWrite({
  name: "createPageRule",
  summary: "Create a page rule",
  method: "POST",
  path: "/zones/{zone_id}/pagerules",
  permission: write,
  body: PageRuleBody,
  bodyError,
  result: PageRule,
  run: async ({ tx, zone, context, audit, addMessage }, { body }) => {
    const after = toPageRule(await addPageRule(context, tx, zone, body));
    tellIdle(addMessage, after, zone);
    audit({ action: "page_rule_add", id: after.id, after });
    return after;
  },
});

export const listPageRuleSettings = zoneRead({
  name: "listPageRuleSettings",
  summary: "List the actions that page rules can have",
  path: "/zones/{zone_id}/pagerules/settings",
  permission: read,
  result: Type.Array(PageRuleSetting),
  run: async () =>
    Object.entries(actionValues).map(([id, values]) => ({
      id,
      properties: values === undefined ? [] : [{ name: "value" as const, rule: values.rule }],
    })),
});

/** Errors: 404 code 1002. */
export const getPageRule = zoneRead({
  name: "getPageRule",
  summary: "Get a page rule",
  path: "/zones/{zone_id}/pagerules/{pagerule_id}",
  permission: read,
  result: PageRule,
  run: async ({ db, zone, addMessage }, { params }) => {
    const rule = toPageRule(await findPageRule(db, zone.id, params.pagerule_id));
    tellIdle(addMessage, rule, zone);
    return rule;
  },
});

/** Errors: as `createPageRule`, and 404 code 1002. */
export const replacePageRule = zoneWrite({
  name: "replacePageRule",
  summary: "Replace a page rule; fields left out get their defaults",
  method: "PUT",
  path: "/zones/{zone_id}/pagerules/{pagerule_id}",
  permission: write,
  body: PageRuleBody,
  bodyError,
  result: PageRule,
  run: (work, { params, body }) => changePageRule(work, params.pagerule_id, () => body),
});

/** Errors: as `replacePageRule`. */
export const editPageRule = zoneWrite({
  name: "editPageRule",
  summary: "Change a page rule; fields left out stay",
  method: "PATCH",
  path: "/zones/{zone_id}/pagerules/{pagerule_id}",
  permission: write,
  body: EditPageRuleBody,
  bodyError,
  result: PageRule,
  run: (work, { params, body }) =>
    changePageRule(work, params.pagerule_id, (earlier) => ({
      targets: body.targets ?? earlier.targets,
      actions: body.actions ?? earlier.actions,
      priority: body.priority ?? earlier.priority,
      status: body.status ?? earlier.status,
    })),
});

/** Errors: 404 code 1002. */
export const deletePageRule = zoneWrite({
  name: "deletePageRule",
  summary: "Delete a page rule",
  method: "DELETE",
  path: "/zones/{zone_id}/pagerules/{pagerule_id}",
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }, { params: { pagerule_id: id } }) => {
    const before = toPageRule(await findPageRule(tx, zone.id, id));
    await deleteRow(tx, "page_rules", id);
    audit({ action: "page_rule_delete", id, before });
    return { id };
  },
});

async function changePageRule(
  { tx, zone, now, audit, addMessage }: ZoneWrite,
  id: string,
  change: (earlier: PageRule) => PageRuleBody,
): Promise<PageRule> {
  const row = await findPageRule(tx, zone.id, id);
  const before = toPageRule(row);
  const body = change(before);
  refuseInvalid(body);
  const changed = { ...toColumns(body), modified_on: toTimestamp(now) };
  await updateRow(tx, "page_rules", id, changed);
  const after = toPageRule({ ...row, ...changed });
  tellIdle(addMessage, after, zone);
  audit({ action: "page_rule_edit", id, before, after });
  return after;
}

/** Says what of a rule does nothing. */
function tellIdle(addMessage: ZoneWrite["addMessage"], rule: PageRule, zone: ZoneWrite["zone"]): void {
  for (const message of unmatchedTargets(rule, zone)) addMessage({ code: matchesNothing, message });
  const actions = rule.actions.map(({ id }) => id);
  for (const message of storedTexts(pageRuleActionsInForce, actions))
    addMessage({ code: notInForce, message });
}
