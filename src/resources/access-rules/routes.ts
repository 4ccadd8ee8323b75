import type { Caller } from "../../core/caller.ts";
import { onAccount, onUser, onZone, type Permission } from "../../core/policy/permission.ts";
import { listRoute, route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import {
  createAccessRule,
  deleteAccessRule,
  editAccessRule,
  getAccessRule,
  listAccessRules,
  type AccessRuleScope,
} from "./access-rules.ts";
import {
  AccessRule,
  AccessRuleId,
  CreateAccessRuleBody,
  EditAccessRuleBody,
  ListAccessRulesQuery,
} from "./schema.ts";

/** Where the same operations are offered. */
interface Mount {
  readonly operations: Readonly<Record<"list" | "create" | "get" | "edit" | "delete", string>>;
  readonly prefix: "/zones/{zone_id}" | "/accounts/{account_id}" | "/user";
  readonly of: string;
  readonly read: Permission;
  readonly write: Permission;
  readonly scopeOf: (caller: Caller, params: Readonly<Record<string, string>>) => AccessRuleScope;
}

const mounts: readonly Mount[] = [
  {
    operations: {
      list: "listZoneAccessRules",
      create: "createZoneAccessRule",
      get: "getZoneAccessRule",
      edit: "editZoneAccessRule",
      delete: "deleteZoneAccessRule",
    },
    prefix: "/zones/{zone_id}",
    of: "a zone",
    read: onZone("Firewall Services Read"),
    write: onZone("Firewall Services Write"),
    scopeOf: (_, params) => ({ zoneId: params["zone_id"] ?? "" }),
  },
  {
    operations: {
      list: "listAccountAccessRules",
      create: "createAccountAccessRule",
      get: "getAccountAccessRule",
      edit: "editAccountAccessRule",
      delete: "deleteAccountAccessRule",
    },
    prefix: "/accounts/{account_id}",
    of: "an account",
    read: onAccount("Account Firewall Access Rules Read"),
    write: onAccount("Account Firewall Access Rules Write"),
    scopeOf: (_, params) => ({ accountId: params["account_id"] ?? "" }),
  },
  {
    operations: {
      list: "listUserAccessRules",
      create: "createUserAccessRule",
      get: "getUserAccessRule",
      edit: "editUserAccessRule",
      delete: "deleteUserAccessRule",
    },
    prefix: "/user",
    of: "the calling user",
    read: onUser("User Details Read"),
    write: onUser("User Details Write"),
    scopeOf: ({ user }) => ({ user: user ?? { id: "", email: "" } }),
  },
];

export function accessRuleRoutes(context: Context): Route[] {
  return mounts.flatMap((mount) => routesOf(context, mount));
}

function routesOf(context: Context, { operations, prefix, of, read, write, scopeOf }: Mount): Route[] {
  const path = `${prefix}/firewall/access_rules/rules`;
  const item = `${path}/{rule_id}`;
  const ruleId = (params: Readonly<Record<string, string>>): string => params["rule_id"] ?? "";
  return [
    listRoute({
      operation: operations.list,
      summary: `List and search the IP Access Rules of ${of}`,
      path,
      permission: read,
      query: ListAccessRulesQuery,
      result: AccessRule,
      list: { orderings: ["configuration.target", "configuration.value", "mode"], perPageMax: 1_000 },
      handle: ({ caller, params, query, page }) =>
        listAccessRules(context, scopeOf(caller, params), query, page),
    }),
    route({
      operation: operations.create,
      summary: `Create an IP Access Rule of ${of}`,
      method: "POST",
      path,
      permission: write,
      body: CreateAccessRuleBody,
      result: AccessRule,
      handle: async ({ caller, params, body }) => ({
        result: await createAccessRule(context, caller, scopeOf(caller, params), body),
      }),
    }),
    route({
      operation: operations.get,
      summary: `Get an IP Access Rule of ${of}`,
      method: "GET",
      path: item,
      permission: read,
      result: AccessRule,
      handle: async ({ caller, params }) => ({
        result: await getAccessRule(context, scopeOf(caller, params), ruleId(params)),
      }),
    }),
    route({
      operation: operations.edit,
      summary: `Change an IP Access Rule of ${of}; fields left out stay`,
      method: "PATCH",
      path: item,
      permission: write,
      body: EditAccessRuleBody,
      result: AccessRule,
      handle: async ({ caller, params, body }) => ({
        result: await editAccessRule(context, caller, scopeOf(caller, params), ruleId(params), body),
      }),
    }),
    route({
      operation: operations.delete,
      summary: `Delete an IP Access Rule of ${of}`,
      method: "DELETE",
      path: item,
      permission: write,
      result: AccessRuleId,
      handle: async ({ caller, params }) => ({
        result: await deleteAccessRule(context, caller, scopeOf(caller, params), ruleId(params)),
      }),
    }),
  ];
}
