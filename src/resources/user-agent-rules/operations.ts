import { pageOf } from "../../core/page.ts";
import { IdOnly } from "../../operation/schema.ts";
import { zoneList, zoneRead, zoneWrite } from "../../operation/scope.ts";
import { deleteRow, updateRow } from "../../storage/rows.ts";
import { toFlag, toTimestamp } from "../../storage/columns.ts";
import type { UserAgentRuleRow } from "../../storage/schema/rules.ts";
import { ListUserAgentRulesQuery, UserAgentRule, UserAgentRuleBody } from "./schema.ts";
import {
  addUserAgentRule,
  findUserAgentRule,
  refuseInvalid,
  rulesOf,
  toColumns,
  toUserAgentRule,
} from "./user-agent-rules.ts";

const path = "/zones/{zone_id}/firewall/ua_rules";
const item = "/zones/{zone_id}/firewall/ua_rules/{ua_rule_id}";
const read = "Firewall Services Read";
const write = "Firewall Services Write";

/** Lists rules in the order in which they were made. Errors: 400 code 1003. */
export const listUserAgentRules = zoneList({
  name: "listUserAgentRules",
  summary: "List and search the user-agent rules of a zone",
  path,
  permission: read,
  query: ListUserAgentRulesQuery,
  result: UserAgentRule,
  list: { orderings: ["created_on"], perPageMax: 1_000 },
  run: async ({ db, zone }, { query, page }) => {
    const rows = (await rulesOf(db, zone.id)).filter(searchOf(query));
    const { items, totalCount } = pageOf(rows, page, { created_on: (row) => row.created_on });
    return { items: items.map(toUserAgentRule), totalCount };
  },
});

/** Errors: 400 code 10009 for the user agent of another rule, 10016 above the quota of the plan. */
export const createUserAgentRule = zoneWrite({
  name: "createUserAgentRule",
  summary: "Create a user-agent rule of a zone",
  method: "POST",
  path,
  permission: write,
  body: UserAgentRuleBody,
  result: UserAgentRule,
  run: async ({ tx, zone, context, now, audit }, { body }) => {
    const row = await addUserAgentRule({ tx, zone, context, now }, body);
    const after = toUserAgentRule(row);
    audit({ action: "ua_rule_add", id: row.id, after });
    return after;
  },
});

/** Errors: 404 code 10001. */
export const getUserAgentRule = zoneRead({
  name: "getUserAgentRule",
  summary: "Get a user-agent rule of a zone",
  path: item,
  permission: read,
  result: UserAgentRule,
  run: async ({ db, zone }, { params }) =>
    toUserAgentRule(await findUserAgentRule(db, zone.id, params.ua_rule_id)),
});

/** Errors: 400 code 10009 for the user agent of another rule, 404 code 10001. */
export const replaceUserAgentRule = zoneWrite({
  name: "replaceUserAgentRule",
  summary: "Replace a user-agent rule of a zone; description and paused stay where they are left out",
  method: "PUT",
  path: item,
  permission: write,
  body: UserAgentRuleBody,
  result: UserAgentRule,
  run: async ({ tx, zone, now, audit }, { params: { ua_rule_id: id }, body }) => {
    const row = await findUserAgentRule(tx, zone.id, id);
    await refuseInvalid(tx, zone, body, id);
    const change = { ...toColumns(body), modified_on: toTimestamp(now) };
    await updateRow(tx, "user_agent_rules", id, change);
    const [before, after] = [toUserAgentRule(row), toUserAgentRule({ ...row, ...change })];
    audit({ action: "ua_rule_edit", id, before, after });
    return after;
  },
});

/** Errors: 404 code 10001. */
export const deleteUserAgentRule = zoneWrite({
  name: "deleteUserAgentRule",
  summary: "Delete a user-agent rule of a zone",
  method: "DELETE",
  path: item,
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }, { params: { ua_rule_id: id } }) => {
    const before = toUserAgentRule(await findUserAgentRule(tx, zone.id, id));
    await deleteRow(tx, "user_agent_rules", id);
    audit({ action: "ua_rule_delete", id, before });
    return { id };
  },
});

function searchOf(query: ListUserAgentRulesQuery): (row: UserAgentRuleRow) => boolean {
  const inDescription = partsOf(query.description, query.description_search);
  const inUserAgent = partsOf(query.user_agent, query.ua_search);
  return ({ description, user_agent: userAgent, paused }) =>
    inDescription.every((part) => description.toLowerCase().includes(part)) &&
    inUserAgent.every((part) => userAgent.toLowerCase().includes(part)) &&
    (query.paused === undefined || paused === toFlag(query.paused));
}

function partsOf(...texts: readonly (string | undefined)[]): string[] {
  return texts.flatMap((text) => text?.toLowerCase() ?? []);
}
