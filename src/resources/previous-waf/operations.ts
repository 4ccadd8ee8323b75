import { lists, reads, writes, type ScopeKind } from "../../operation/scoped.ts";
import { ofZone, type ZonePermission, type ZoneScope } from "../../operation/scope.ts";
import { requirePreviousWaf } from "../zones/zones.ts";
import { wafGroups, wafPackages, wafRules } from "../../core/previous-waf/catalogue.ts";
import { putRow, deleteRow, updateRow } from "../../storage/rows.ts";
import { toWafGroup, toWafPackage, toWafRule } from "./answers.ts";
import {
  readChosen,
  findAnomalyPackage,
  findGroup,
  findPackage,
  findRule,
  parseMode,
} from "./previous-waf.ts";
import { pageOf } from "../../core/page.ts";
import {
  EditWafGroupBody,
  EditWafPackageBody,
  EditWafRuleBody,
  ListWafGroupsQuery,
  ListWafPackagesQuery,
  ListWafRulesQuery,
  WafGroup,
  WafPackage,
  WafRule,
  WafOverride,
  WafOverrideBody,
} from "./schema.ts";
import { addWafOverride, findWafOverride, toColumns, toWafOverride } from "./overrides.ts";
import { selectWafOverrides } from "./store.ts";
import { IdOnly } from "../../operation/schema.ts";

/** Zones with the previous version. Errors: 410 code 10410 after a migration. */
const ofZoneWithPreviousWaf: ScopeKind<ZoneScope, ZonePermission> = {
  ...ofZone,
  ofRequest: (request) => required(ofZone.ofRequest(request)),
  lock: async (tx, request) => required(await ofZone.lock(tx, request)),
};

function required(scope: ZoneScope): ZoneScope {
  return { zone: requirePreviousWaf(scope.zone) };
}

const previousWafRead = reads(ofZoneWithPreviousWaf);
const previousWafList = lists(ofZoneWithPreviousWaf);
const previousWafWrite = writes(ofZoneWithPreviousWaf);

const path = "/zones/{zone_id}/firewall/waf/packages";
const read = "Firewall Services Read";
const write = "Firewall Services Write";
const ruleName = /^[0-9A-Za-z]{1,32}$/;

export const listWafPackages = previousWafList({
  name: "listWafPackages",
  summary: "List the packages of previous WAF managed rules",
  path,
  permission: read,
  query: ListWafPackagesQuery,
  result: WafPackage,
  list: { orderings: ["name"], perPageMax: 1_000 },
  run: async ({ db, zone }, { query, page }) => {
    const chosen = await readChosen(db, zone);
    const listed = wafPackages
      .filter(({ name }) => !query.name || name === query.name)
      .map((entry) => toWafPackage(entry, zone, chosen));
    return pageOf(listed, page, { name: ({ name }) => name });
  },
});

/** Errors: 404 code 1002. */
export const getWafPackage = previousWafRead({
  name: "getWafPackage",
  summary: "Get a package of previous WAF managed rules",
  path: `${path}/{package_id}`,
  permission: read,
  result: WafPackage,
  run: async ({ db, zone }, { params }) =>
    toWafPackage(findPackage(params.package_id), zone, await readChosen(db, zone)),
});

/** Errors: 404 code 1002, 400 code 1027 for a package without a sensitivity. */
export const editWafPackage = previousWafWrite({
  name: "editWafPackage",
  summary: "Change the sensitivity and the action of the OWASP package",
  method: "PATCH",
  path: `${path}/{package_id}`,
  permission: write,
  body: EditWafPackageBody,
  result: WafPackage,
  run: async ({ tx, zone, audit }, { params: { package_id: id }, body }) => {
    const found = findAnomalyPackage(id);
    const chosen = await readChosen(tx, zone);
    const owasp = {
      ...chosen.owasp,
      sensitivity: body.sensitivity ?? chosen.owasp.sensitivity,
      action_mode: body.action_mode ?? chosen.owasp.action_mode,
    };
    await putRow(tx, "waf_packages", owasp);
    const before = toWafPackage(found, zone, chosen);
    const after = toWafPackage(found, zone, { ...chosen, owasp });
    audit({ action: "waf_package_edit", id, before, after });
    return after;
  },
});

/** Errors: 404 code 1002. */
export const listWafGroups = previousWafList({
  name: "listWafGroups",
  summary: "List the groups of rules of a package",
  path: `${path}/{package_id}/groups`,
  permission: read,
  query: ListWafGroupsQuery,
  result: WafGroup,
  list: { orderings: ["mode", "rules_count"], perPageMax: 1_000 },
  run: async ({ db, zone }, { params, query, page }) => {
    const { id } = findPackage(params.package_id);
    const chosen = await readChosen(db, zone);
    const listed = wafGroups
      .filter(({ packageId }) => packageId === id)
      .map((group) => toWafGroup(group, chosen))
      .filter((group) =>
        matches(query.match, [
          ...whereGiven(query.name, (name) => group.name === name),
          ...whereGiven(query.mode, (mode) => group.mode === mode),
          ...whereGiven(query.rules_count, (count) => group.rules_count === count),
        ]),
      );
    return pageOf(listed, page, { mode: ({ mode }) => mode, rules_count: (group) => group.rules_count });
  },
});

/** Errors: 404 code 1002. */
export const getWafGroup = previousWafRead({
  name: "getWafGroup",
  summary: "Get a group of rules",
  path: `${path}/{package_id}/groups/{group_id}`,
  permission: read,
  result: WafGroup,
  run: async ({ db, zone }, { params }) =>
    toWafGroup(findGroup(params.package_id, params.group_id), await readChosen(db, zone)),
});

/** Errors: 404 code 1002. */
export const editWafGroup = previousWafWrite({
  name: "editWafGroup",
  summary: "Turn a group of rules on or off",
  method: "PATCH",
  path: `${path}/{package_id}/groups/{group_id}`,
  permission: write,
  body: EditWafGroupBody,
  result: WafGroup,
  run: async ({ tx, zone, audit }, { params: { package_id, group_id: id }, body: { mode } }) => {
    const group = findGroup(package_id, id);
    const chosen = await readChosen(tx, zone);
    await putRow(tx, "waf_groups", { zone_id: zone.id, group_id: id, mode });
    const before = toWafGroup(group, chosen);
    const after = toWafGroup(group, { ...chosen, groups: new Map([...chosen.groups, [id, mode]]) });
    audit({ action: "waf_group_edit", id, before, after });
    return after;
  },
});

const filterModes = { DIS: "disable", CHL: "challenge", BLK: "block", SIM: "simulate" } as const;

/** Errors: 404 code 1002. */
export const listWafRules = previousWafList({
  name: "listWafRules",
  summary: "List and search the rules of a package",
  path: `${path}/{package_id}/rules`,
  permission: read,
  query: ListWafRulesQuery,
  result: WafRule,
  list: { orderings: ["priority", "group_id", "description"], perPageMax: 1_000 },
  run: async ({ db, zone }, { params, query, page }) => {
    const { id } = findPackage(params.package_id);
    const chosen = await readChosen(db, zone);
    const listed = wafRules
      .filter(({ packageId }) => packageId === id)
      .map((rule) => toWafRule(rule, chosen))
      .filter((rule) =>
        matches(query.match, [
          ...whereGiven(query.description, (text) =>
            rule.description.toLowerCase().includes(text.toLowerCase()),
          ),
          ...whereGiven(query.mode, (mode) => rule.mode === filterModes[mode]),
          ...whereGiven(query.group_id, (groupId) => rule.group.id === groupId),
          ...whereGiven(query.priority, (priority) => rule.priority === priority),
        ]),
      );
    return pageOf(listed, page, {
      priority: ({ priority }) => Number(priority),
      group_id: ({ group }) => group.id,
      description: ({ description }) => description,
    });
  },
});

/** Errors: 404 code 1002. */
export const getWafRule = previousWafRead({
  name: "getWafRule",
  summary: "Get a rule of a package",
  path: `${path}/{package_id}/rules/{rule_id}`,
  ids: { rule_id: ruleName },
  permission: read,
  result: WafRule,
  run: async ({ db, zone }, { params }) =>
    toWafRule(findRule(params.package_id, params.rule_id), await readChosen(db, zone)),
});

/** Errors: 404 code 1002, 400 code 1003 for a mode that the rule does not have. */
export const editWafRule = previousWafWrite({
  name: "editWafRule",
  summary: "Change the mode of a rule",
  method: "PATCH",
  path: `${path}/{package_id}/rules/{rule_id}`,
  ids: { rule_id: ruleName },
  permission: write,
  body: EditWafRuleBody,
  result: WafRule,
  run: async ({ tx, zone, audit }, { params: { package_id, rule_id: id }, body }) => {
    const rule = findRule(package_id, id);
    const mode = parseMode(rule, body.mode);
    const chosen = await readChosen(tx, zone);
    await putRow(tx, "waf_rules", { zone_id: zone.id, rule_id: id, mode });
    const before = toWafRule(rule, chosen);
    const after = toWafRule(rule, { ...chosen, rules: new Map([...chosen.rules, [id, mode]]) });
    audit({ action: "waf_rule_edit", id, before, after });
    return after;
  },
});

/** Without conditions everything matches. */
function matches(match: "any" | "all" = "all", conditions: readonly boolean[]): boolean {
  return match === "any" && conditions.length > 0 ? conditions.some(Boolean) : conditions.every(Boolean);
}

function whereGiven<T>(filter: T | undefined, holds: (filter: T) => boolean): boolean[] {
  return filter === undefined ? [] : [holds(filter)];
}

const overridesPath = "/zones/{zone_id}/firewall/waf/overrides";

export const listWafOverrides = previousWafList({
  name: "listWafOverrides",
  summary: "List the URI-based WAF overrides of a zone",
  path: overridesPath,
  permission: read,
  result: WafOverride,
  list: { orderings: ["priority"], perPageMax: 1_000 },
  run: async ({ db, zone }, { page }) => {
    const { items, totalCount } = await selectWafOverrides(db, zone.id, page);
    return { items: items.map(toWafOverride), totalCount };
  },
});

/** Errors: as `addWafOverride`. */
export const createWafOverride = previousWafWrite({
  name: "createWafOverride",
  summary: "Create a URI-based WAF override",
  method: "POST",
  path: overridesPath,
  permission: write,
  body: WafOverrideBody,
  result: WafOverride,
  run: async (work, { body }) => {
    const after = toWafOverride(await addWafOverride(work, body));
    work.audit({ action: "waf_override_add", id: after.id, after });
    return after;
  },
});

/** Errors: 404 code 1002. */
export const getWafOverride = previousWafRead({
  name: "getWafOverride",
  summary: "Get a URI-based WAF override",
  path: `${overridesPath}/{override_id}`,
  permission: read,
  result: WafOverride,
  run: async ({ db, zone }, { params }) =>
    toWafOverride(await findWafOverride(db, zone.id, params.override_id)),
});

/** Errors: as `addWafOverride`, and 404 code 1002. */
export const replaceWafOverride = previousWafWrite({
  name: "replaceWafOverride",
  summary: "Replace a URI-based WAF override; fields left out get their defaults",
  method: "PUT",
  path: `${overridesPath}/{override_id}`,
  permission: write,
  body: WafOverrideBody,
  result: WafOverride,
  run: async ({ tx, zone, audit }, { params, body }) => {
    const row = await findWafOverride(tx, zone.id, params.override_id);
    const changed = { ...row, ...toColumns(body, zone) };
    await updateRow(tx, "waf_overrides", changed.id, changed);
    const [before, after] = [toWafOverride(row), toWafOverride(changed)];
    audit({ action: "waf_override_edit", id: row.id, before, after });
    return after;
  },
});

/** Errors: 404 code 1002. */
export const deleteWafOverride = previousWafWrite({
  name: "deleteWafOverride",
  summary: "Delete a URI-based WAF override",
  method: "DELETE",
  path: `${overridesPath}/{override_id}`,
  permission: write,
  result: IdOnly,
  run: async ({ tx, zone, audit }, { params: { override_id: id } }) => {
    const before = toWafOverride(await findWafOverride(tx, zone.id, id));
    await deleteRow(tx, "waf_overrides", id);
    audit({ action: "waf_override_delete", id, before });
    return { id };
  },
});
