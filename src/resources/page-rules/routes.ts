import { Type } from "@sinclair/typebox";

import { onZone } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { Context } from "../context.ts";
import {
  createPageRule,
  deletePageRule,
  editPageRule,
  getPageRule,
  listPageRules,
  listPageRuleSettings,
  replacePageRule,
} from "./page-rules.ts";
import {
  EditPageRuleBody,
  ListPageRulesQuery,
  PageRule,
  PageRuleBody,
  PageRuleId,
  PageRuleSetting,
} from "./schema.ts";

export function pageRuleRoutes(context: Context): Route[] {
  const read = onZone("Page Rules Read");
  const write = onZone("Page Rules Write");
  return [
    route({
      operation: "listPageRules",
      summary: "List the page rules of a zone",
      method: "GET",
      path: "/zones/{zone_id}/pagerules",
      permission: read,
      query: ListPageRulesQuery,
      result: Type.Array(PageRule),
      handle: async ({ params, query }) => ({ result: await listPageRules(context, params.zone_id, query) }),
    }),
    route({
      operation: "createPageRule",
      summary: "Create a page rule",
      method: "POST",
      path: "/zones/{zone_id}/pagerules",
      permission: write,
      body: PageRuleBody,
      result: PageRule,
      handle: async ({ caller, params, body }) => ({
        result: await createPageRule(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "listPageRuleSettings",
      summary: "List the actions that page rules can have",
      method: "GET",
      path: "/zones/{zone_id}/pagerules/settings",
      permission: read,
      result: Type.Array(PageRuleSetting),
      handle: async ({ params }) => ({ result: await listPageRuleSettings(context, params.zone_id) }),
    }),
    route({
      operation: "getPageRule",
      summary: "Get a page rule",
      method: "GET",
      path: "/zones/{zone_id}/pagerules/{pagerule_id}",
      permission: read,
      result: PageRule,
      handle: async ({ params }) => ({
        result: await getPageRule(context, params.zone_id, params.pagerule_id),
      }),
    }),
    route({
      operation: "replacePageRule",
      summary: "Replace a page rule; fields left out get their defaults",
      method: "PUT",
      path: "/zones/{zone_id}/pagerules/{pagerule_id}",
      permission: write,
      body: PageRuleBody,
      result: PageRule,
      handle: async ({ caller, params, body }) => ({
        result: await replacePageRule(context, caller, params.zone_id, params.pagerule_id, body),
      }),
    }),
    route({
      operation: "editPageRule",
      summary: "Change a page rule; fields left out stay",
      method: "PATCH",
      path: "/zones/{zone_id}/pagerules/{pagerule_id}",
      permission: write,
      body: EditPageRuleBody,
      result: PageRule,
      handle: async ({ caller, params, body }) => ({
        result: await editPageRule(context, caller, params.zone_id, params.pagerule_id, body),
      }),
    }),
    route({
      operation: "deletePageRule",
      summary: "Delete a page rule",
      method: "DELETE",
      path: "/zones/{zone_id}/pagerules/{pagerule_id}",
      permission: write,
      result: PageRuleId,
      handle: async ({ caller, params }) => ({
        result: await deletePageRule(context, caller, params.zone_id, params.pagerule_id),
      }),
    }),
  ];
}
