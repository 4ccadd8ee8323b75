import { Type, type Static } from "@sinclair/typebox";

import { invalidParameter } from "../../core/error.ts";
import { listed, onZone } from "../../core/policy/permission.ts";
import { listRoute, route, type Route } from "../../http/route.ts";
import type { ExpressionContext } from "../../operation/context.ts";
import {
  createFilters,
  deleteFilters,
  getFilter,
  listFilters,
  replaceFilter,
  replaceFilters,
  validateExpression,
} from "./filters.ts";
import {
  createFirewallRules,
  deleteFirewallRules,
  editFirewallRule,
  editFirewallRules,
  getFirewallRule,
  listFirewallRules,
  replaceFirewallRule,
  replaceFirewallRules,
} from "./firewall-rules.ts";
import {
  CreateFiltersBody,
  CreateFirewallRulesBody,
  DeletedId,
  DeleteFirewallRuleBody,
  EditFirewallRuleBody,
  EditFirewallRulesBody,
  Filter,
  FirewallRule,
  IdsBody,
  IdsQuery,
  ListFiltersQuery,
  ListFirewallRulesQuery,
  FilterFields,
  ReplaceFiltersBody,
  FirewallRuleFields,
  ReplaceFirewallRulesBody,
  ValidatedExpression,
} from "./schema.ts";

const read = onZone("Firewall Services Read");
const write = onZone("Firewall Services Write");

export function firewallRuleRoutes(context: ExpressionContext): Route[] {
  return [...filterRoutes(context), ...ruleRoutes(context)];
}

function filterRoutes(context: ExpressionContext): Route[] {
  return [
    listRoute({
      operation: "listFilters",
      summary: "List and search the filters of a zone",
      path: "/zones/{zone_id}/filters",
      permission: read,
      query: ListFiltersQuery,
      result: Filter,
      list: { orderings: ["id"], perPageMax: 1_000 },
      handle: ({ params, query, page }) => listFilters(context, params.zone_id, query, page),
    }),
    route({
      operation: "createFilters",
      summary: "Create filters, all or none of them",
      method: "POST",
      path: "/zones/{zone_id}/filters",
      permission: write,
      body: CreateFiltersBody,
      result: Type.Array(Filter),
      handle: async ({ caller, params, body }) => ({
        result: await createFilters(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "replaceFilters",
      summary: "Replace filters, all or none of them",
      method: "PUT",
      path: "/zones/{zone_id}/filters",
      permission: write,
      body: ReplaceFiltersBody,
      result: Type.Array(Filter),
      handle: async ({ caller, params, body }) => ({
        result: await replaceFilters(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "deleteFilters",
      summary: "Delete filters, all or none of them",
      method: "DELETE",
      path: "/zones/{zone_id}/filters",
      permission: write,
      query: IdsQuery,
      body: IdsBody,
      result: Type.Array(DeletedId),
      handle: async ({ caller, params, query, body }) => ({
        result: await deleteFilters(context, caller, params.zone_id, idsOf(query, body)),
      }),
    }),
    route({
      operation: "validateExpression",
      summary: "Check a filter expression",
      method: "POST",
      path: "/zones/{zone_id}/filters/validate-expr",
      permission: read,
      body: ValidatedExpression,
      result: Type.Null(),
      handle: async ({ params, body }) => {
        await validateExpression(context, body, params.zone_id);
        return { result: null };
      },
    }),
    route({
      operation: "validateExpressionOfAnyZone",
      summary: "Check a filter expression, without a zone or plan",
      method: "POST",
      path: "/filters/validate-expr",
      permission: listed,
      body: ValidatedExpression,
      result: Type.Null(),
      handle: async ({ body }) => {
        await validateExpression(context, body);
        return { result: null };
      },
    }),
    route({
      operation: "validateExpressionInQuery",
      summary: "Check a filter expression in the query, without a zone or plan",
      method: "GET",
      path: "/filters/validate-expr",
      permission: listed,
      query: ValidatedExpression,
      result: Type.Null(),
      handle: async ({ query }) => {
        await validateExpression(context, query);
        return { result: null };
      },
    }),
    route({
      operation: "getFilter",
      summary: "Get a filter",
      method: "GET",
      path: "/zones/{zone_id}/filters/{filter_id}",
      permission: read,
      result: Filter,
      handle: async ({ params }) => ({
        result: await getFilter(context, params.zone_id, params.filter_id),
      }),
    }),
    route({
      operation: "replaceFilter",
      summary: "Replace a filter; fields left out get their defaults",
      method: "PUT",
      path: "/zones/{zone_id}/filters/{filter_id}",
      permission: write,
      body: FilterFields,
      result: Filter,
      handle: async ({ caller, params, body }) => ({
        result: await replaceFilter(context, caller, params.zone_id, params.filter_id, body),
      }),
    }),
    route({
      operation: "deleteFilter",
      summary: "Delete a filter",
      method: "DELETE",
      path: "/zones/{zone_id}/filters/{filter_id}",
      permission: write,
      result: DeletedId,
      handle: async ({ caller, params }) => {
        const [deleted] = await deleteFilters(context, caller, params.zone_id, [params.filter_id]);
        return { result: deleted };
      },
    }),
  ];
}

function ruleRoutes(context: ExpressionContext): Route[] {
  return [
    listRoute({
      operation: "listFirewallRules",
      summary: "List and search the firewall rules of a zone",
      path: "/zones/{zone_id}/firewall/rules",
      permission: read,
      query: ListFirewallRulesQuery,
      result: FirewallRule,
      list: { orderings: ["id"], perPageMax: 1_000 },
      handle: ({ params, query, page }) => listFirewallRules(context, params.zone_id, query, page),
    }),
    route({
      operation: "createFirewallRules",
      summary: "Create firewall rules with their filters, all or none of them",
      method: "POST",
      path: "/zones/{zone_id}/firewall/rules",
      permission: write,
      body: CreateFirewallRulesBody,
      result: Type.Array(FirewallRule),
      handle: async ({ caller, params, body }) => ({
        result: await createFirewallRules(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "replaceFirewallRules",
      summary: "Replace firewall rules, all or none of them",
      method: "PUT",
      path: "/zones/{zone_id}/firewall/rules",
      permission: write,
      body: ReplaceFirewallRulesBody,
      result: Type.Array(FirewallRule),
      handle: async ({ caller, params, body }) => ({
        result: await replaceFirewallRules(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "editFirewallRules",
      summary: "Change firewall rules, all or none of them; fields left out stay",
      method: "PATCH",
      path: "/zones/{zone_id}/firewall/rules",
      permission: write,
      body: EditFirewallRulesBody,
      result: Type.Array(FirewallRule),
      handle: async ({ caller, params, body }) => ({
        result: await editFirewallRules(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "deleteFirewallRules",
      summary: "Delete firewall rules, all or none of them",
      method: "DELETE",
      path: "/zones/{zone_id}/firewall/rules",
      permission: write,
      query: IdsQuery,
      body: IdsBody,
      result: Type.Array(DeletedId),
      handle: async ({ caller, params, query, body }) => ({
        result: await deleteFirewallRules(context, caller, params.zone_id, idsOf(query, body)),
      }),
    }),
    route({
      operation: "getFirewallRule",
      summary: "Get a firewall rule",
      method: "GET",
      path: "/zones/{zone_id}/firewall/rules/{rule_id}",
      permission: read,
      result: FirewallRule,
      handle: async ({ params }) => ({
        result: await getFirewallRule(context, params.zone_id, params.rule_id),
      }),
    }),
    route({
      operation: "replaceFirewallRule",
      summary: "Replace a firewall rule; fields left out get their defaults",
      method: "PUT",
      path: "/zones/{zone_id}/firewall/rules/{rule_id}",
      permission: write,
      body: FirewallRuleFields,
      result: FirewallRule,
      handle: async ({ caller, params, body }) => ({
        result: await replaceFirewallRule(context, caller, params.zone_id, params.rule_id, body),
      }),
    }),
    route({
      operation: "editFirewallRule",
      summary: "Change a firewall rule; fields left out stay",
      method: "PATCH",
      path: "/zones/{zone_id}/firewall/rules/{rule_id}",
      permission: write,
      body: EditFirewallRuleBody,
      result: FirewallRule,
      handle: async ({ caller, params, body }) => ({
        result: await editFirewallRule(context, caller, params.zone_id, params.rule_id, body),
      }),
    }),
    route({
      operation: "deleteFirewallRule",
      summary: "Delete a firewall rule, and its filter if asked to",
      method: "DELETE",
      path: "/zones/{zone_id}/firewall/rules/{rule_id}",
      permission: write,
      body: DeleteFirewallRuleBody,
      result: DeletedId,
      handle: async ({ caller, params, body }) => {
        const options = { withFilters: body.delete_filter_if_unused };
        const [deleted] = await deleteFirewallRules(
          context,
          caller,
          params.zone_id,
          [params.rule_id],
          options,
        );
        return { result: deleted };
      },
    }),
  ];
}

function idsOf(query: Static<typeof IdsQuery>, body: Static<typeof IdsBody>): string[] {
  if (query.id === undefined && body.id === undefined) {
    throw invalidParameter("id", "is required");
  }
  const ids = [...(query.id ?? "").split(","), ...[body.id ?? []].flat()];
  return [...new Set(ids.filter((id) => id !== ""))];
}
