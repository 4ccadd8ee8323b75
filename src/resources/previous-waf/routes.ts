import { onZone } from "../../core/policy/permission.ts";
import { listRoute, route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import {
  createWafOverride,
  deleteWafOverride,
  getWafOverride,
  listWafOverrides,
  replaceWafOverride,
} from "./overrides.ts";
import {
  editWafGroup,
  editWafPackage,
  editWafRule,
  getWafGroup,
  getWafPackage,
  getWafRule,
  listWafGroups,
  listWafPackages,
  listWafRules,
} from "./previous-waf.ts";
import {
  EditWafGroupBody,
  EditWafPackageBody,
  EditWafRuleBody,
  ListWafGroupsQuery,
  ListWafPackagesQuery,
  ListWafRulesQuery,
  WafGroup,
  WafOverride,
  WafOverrideBody,
  WafOverrideId,
  WafPackage,
  WafRule,
} from "./schema.ts";

const base = "/zones/{zone_id}/firewall/waf";
const read = onZone("Firewall Services Read");
const write = onZone("Firewall Services Write");
const ruleName = /^[0-9A-Za-z]{1,32}$/;

export function previousWafRoutes(context: Context): Route[] {
  return [...packageRoutes(context), ...overrideRoutes(context)];
}

function packageRoutes(context: Context): Route[] {
  return [
    listRoute({
      operation: "listWafPackages",
      summary: "List the packages of previous WAF managed rules",
      path: `${base}/packages`,
      permission: read,
      query: ListWafPackagesQuery,
      result: WafPackage,
      list: { orderings: ["name"], perPageMax: 1_000 },
      handle: ({ params, query, page }) => listWafPackages(context, params.zone_id, query, page),
    }),
    route({
      operation: "getWafPackage",
      summary: "Get a package of previous WAF managed rules",
      method: "GET",
      path: `${base}/packages/{package_id}`,
      permission: read,
      result: WafPackage,
      handle: async ({ params }) => ({
        result: await getWafPackage(context, params.zone_id, params.package_id),
      }),
    }),
    route({
      operation: "editWafPackage",
      summary: "Change the sensitivity and the action of the OWASP package",
      method: "PATCH",
      path: `${base}/packages/{package_id}`,
      permission: write,
      body: EditWafPackageBody,
      result: WafPackage,
      handle: async ({ caller, params, body }) => ({
        result: await editWafPackage(context, caller, params.zone_id, params.package_id, body),
      }),
    }),
    listRoute({
      operation: "listWafGroups",
      summary: "List the groups of rules of a package",
      path: `${base}/packages/{package_id}/groups`,
      permission: read,
      query: ListWafGroupsQuery,
      result: WafGroup,
      list: { orderings: ["mode", "rules_count"], perPageMax: 1_000 },
      handle: ({ params, query, page }) =>
        listWafGroups(context, params.zone_id, params.package_id, query, page),
    }),
    route({
      operation: "getWafGroup",
      summary: "Get a group of rules",
      method: "GET",
      path: `${base}/packages/{package_id}/groups/{group_id}`,
      permission: read,
      result: WafGroup,
      handle: async ({ params }) => ({
        result: await getWafGroup(context, params.zone_id, params.package_id, params.group_id),
      }),
    }),
    route({
      operation: "editWafGroup",
      summary: "Turn a group of rules on or off",
      method: "PATCH",
      path: `${base}/packages/{package_id}/groups/{group_id}`,
      permission: write,
      body: EditWafGroupBody,
      result: WafGroup,
      handle: async ({ caller, params, body }) => ({
        result: await editWafGroup(context, caller, params.zone_id, params.package_id, params.group_id, body),
      }),
    }),
    listRoute({
      operation: "listWafRules",
      summary: "List and search the rules of a package",
      path: `${base}/packages/{package_id}/rules`,
      permission: read,
      query: ListWafRulesQuery,
      result: WafRule,
      list: { orderings: ["priority", "group_id", "description"], perPageMax: 1_000 },
      handle: ({ params, query, page }) =>
        listWafRules(context, params.zone_id, params.package_id, query, page),
    }),
    route({
      operation: "getWafRule",
      summary: "Get a rule of a package",
      method: "GET",
      path: `${base}/packages/{package_id}/rules/{rule_id}`,
      ids: { rule_id: ruleName },
      permission: read,
      result: WafRule,
      handle: async ({ params }) => ({
        result: await getWafRule(context, params.zone_id, params.package_id, params.rule_id),
      }),
    }),
    route({
      operation: "editWafRule",
      summary: "Change the mode of a rule",
      method: "PATCH",
      path: `${base}/packages/{package_id}/rules/{rule_id}`,
      ids: { rule_id: ruleName },
      permission: write,
      body: EditWafRuleBody,
      result: WafRule,
      handle: async ({ caller, params, body }) => ({
        result: await editWafRule(context, caller, params.zone_id, params.package_id, params.rule_id, body),
      }),
    }),
  ];
}

function overrideRoutes(context: Context): Route[] {
  return [
    listRoute({
      operation: "listWafOverrides",
      summary: "List the URI-based WAF overrides of a zone",
      path: `${base}/overrides`,
      permission: read,
      result: WafOverride,
      list: { orderings: ["priority"], perPageMax: 1_000 },
      handle: ({ params, page }) => listWafOverrides(context, params.zone_id, page),
    }),
    route({
      operation: "createWafOverride",
      summary: "Create a URI-based WAF override",
      method: "POST",
      path: `${base}/overrides`,
      permission: write,
      body: WafOverrideBody,
      result: WafOverride,
      handle: async ({ caller, params, body }) => ({
        result: await createWafOverride(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "getWafOverride",
      summary: "Get a URI-based WAF override",
      method: "GET",
      path: `${base}/overrides/{override_id}`,
      permission: read,
      result: WafOverride,
      handle: async ({ params }) => ({
        result: await getWafOverride(context, params.zone_id, params.override_id),
      }),
    }),
    route({
      operation: "replaceWafOverride",
      summary: "Replace a URI-based WAF override; fields left out get their defaults",
      method: "PUT",
      path: `${base}/overrides/{override_id}`,
      permission: write,
      body: WafOverrideBody,
      result: WafOverride,
      handle: async ({ caller, params, body }) => ({
        result: await replaceWafOverride(context, caller, params.zone_id, params.override_id, body),
      }),
    }),
    route({
      operation: "deleteWafOverride",
      summary: "Delete a URI-based WAF override",
      method: "DELETE",
      path: `${base}/overrides/{override_id}`,
      permission: write,
      result: WafOverrideId,
      handle: async ({ caller, params }) => ({
        result: await deleteWafOverride(context, caller, params.zone_id, params.override_id),
      }),
    }),
  ];
}
