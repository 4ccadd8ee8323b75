import { Type } from "@sinclair/typebox";

import { zoneList, zoneRead, zoneWrite, type ZoneWrite } from "../../operation/zone.ts";
import { IdOnly } from "../../operation/schema.ts";
import { changeEach } from "./change-each.ts";
import { deletedIds } from "./deleted-ids.ts";

import {
  addFirewallRule,
  findFirewallRule,
  patched,
  putFirewallRule,
  toFirewallRule,
} from "./firewall-rules.ts";
import {
  CreateFirewallRulesBody,
  DeleteFirewallRuleBody,
  EditFirewallRuleBody,
  EditFirewallRulesBody,
  FirewallRule,
  FirewallRuleFields,
  IdsBody,
  IdsQuery,
  ListFirewallRulesQuery,
  ReplaceFirewallRulesBody,
} from "./schema.ts";
import { selectFirewallRules } from "./store.ts";
import { deleteRow } from "../../storage/rows.ts";
import { filterLimits } from "../../core/expression/limits.ts";
import { prepareChecks } from "../../operation/expression-checks.ts";

const path = "/zones/{zone_id}/firewall/rules";
const read = "Firewall Services Read";
const write = "Firewall Services Write";
const prepare = prepareChecks(filterLimits);

const show = toFirewallRule;
const edit = { action: "firewall_rule_edit", show } as const;

export const listFirewallRules = zoneList({
  name: "listFirewallRules",
  summary: "List and search the firewall rules of a zone",
  path,
  permission: read,
  query: ListFirewallRulesQuery,
  result: FirewallRule,
  list: { orderings: ["id"], perPageMax: 1_000 },
  run: async ({ db, zone }, { query, page }) => {
    const { items, totalCount } = await selectFirewallRules(db, zone.id, query, page);
    return { items: items.map(toFirewallRule), totalCount };
  },
});

/** Errors: as `addFirewallRule`. */
export const createFirewallRules = zoneWrite({
  name: "createFirewallRules",
  summary: "Create firewall rules with their filters, all or none of them",
  method: "POST",
  path,
  permission: write,
  body: CreateFirewallRulesBody,
  result: Type.Array(FirewallRule),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(work, { action: "firewall_rule_add", show }, body, async (fields, pointer) => ({
      after: await addFirewallRule({ ...work, engine }, fields, pointer),
    })),
});

/** Omitted fields get their defaults. Errors: as `putFirewallRule`. */
export const replaceFirewallRules = zoneWrite({
  name: "replaceFirewallRules",
  summary: "Replace firewall rules, all or none of them",
  method: "PUT",
  path,
  permission: write,
  body: ReplaceFirewallRulesBody,
  result: Type.Array(FirewallRule),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(work, edit, body, ({ id, ...fields }, pointer) =>
      putFirewallRule({ ...work, engine }, id, () => fields, pointer),
    ),
});

/** Errors: as `putFirewallRule`. */
export const editFirewallRules = zoneWrite({
  name: "editFirewallRules",
  summary: "Change firewall rules, all or none of them; fields left out stay",
  method: "PATCH",
  path,
  permission: write,
  body: EditFirewallRulesBody,
  result: Type.Array(FirewallRule),
  prepare,
  run: async (work, { body, prepared: engine }) =>
    changeEach(work, edit, body, ({ id, ...fields }, pointer) =>
      putFirewallRule({ ...work, engine }, id, (earlier) => patched(earlier, fields), pointer),
    ),
});

/** Filters are kept. Errors: 404 code 10202. */
export const deleteFirewallRules = zoneWrite({
  name: "deleteFirewallRules",
  summary: "Delete firewall rules, all or none of them",
  method: "DELETE",
  path,
  permission: write,
  query: IdsQuery,
  body: IdsBody,
  result: Type.Array(IdOnly),
  run: (work, { query, body }) => removeRules(work, deletedIds(query, body), { withFilters: false }),
});

/** Errors: 404 code 10202. */
export const getFirewallRule = zoneRead({
  name: "getFirewallRule",
  summary: "Get a firewall rule",
  path: `${path}/{rule_id}`,
  permission: read,
  result: FirewallRule,
  run: async ({ db, zone }, { params }) =>
    toFirewallRule(await findFirewallRule(db, zone.id, params.rule_id)),
});

/** Errors: as `putFirewallRule`. */
export const replaceFirewallRule = zoneWrite({
  name: "replaceFirewallRule",
  summary: "Replace a firewall rule; fields left out get their defaults",
  method: "PUT",
  path: `${path}/{rule_id}`,
  permission: write,
  body: FirewallRuleFields,
  result: FirewallRule,
  prepare,
  run: async (work, { params, body, prepared: engine }) => {
    const [rule] = await changeEach(work, edit, [params.rule_id], (id) =>
      putFirewallRule({ ...work, engine }, id, () => body, ""),
    );
    return rule;
  },
});

/** Answers a list of one, as clients expect. Errors: as `putFirewallRule`. */
export const editFirewallRule = zoneWrite({
  name: "editFirewallRule",
  summary: "Change a firewall rule; fields left out stay",
  method: "PATCH",
  path: `${path}/{rule_id}`,
  permission: write,
  body: EditFirewallRuleBody,
  result: Type.Array(FirewallRule),
  prepare,
  run: (work, { params, body, prepared: engine }) =>
    changeEach(work, edit, [params.rule_id], (id) =>
      putFirewallRule({ ...work, engine }, id, (earlier) => patched(earlier, body), ""),
    ),
});

/** Errors: 404 code 10202. */
export const deleteFirewallRule = zoneWrite({
  name: "deleteFirewallRule",
  summary: "Delete a firewall rule, and its filter if asked to",
  method: "DELETE",
  path: `${path}/{rule_id}`,
  permission: write,
  body: DeleteFirewallRuleBody,
  result: IdOnly,
  run: async (work, { params, body }) => {
    const [deleted] = await removeRules(work, [params.rule_id], {
      withFilters: body.delete_filter_if_unused ?? false,
    });
    return deleted;
  },
});

async function removeRules(
  work: ZoneWrite,
  ids: readonly string[],
  { withFilters }: { readonly withFilters: boolean },
): Promise<{ id: string }[]> {
  const { tx, zone } = work;
  await changeEach(work, { action: "firewall_rule_delete", show }, ids, async (id) => {
    const before = await findFirewallRule(tx, zone.id, id);
    await deleteRow(tx, "firewall_rules", id);
    // A filter belongs to one rule only.
    if (withFilters) await deleteRow(tx, "filters", before.filter_id);
    return { before };
  });
  return ids.map((id) => ({ id }));
}
