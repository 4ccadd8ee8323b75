import { Type, type Static } from "@sinclair/typebox";

import { onAccount, onZone } from "../../core/policy/permission.ts";
import type { RulesetLevel } from "../../core/rulesets/ruleset.ts";
import { emptyRoute, route, type Route } from "../../http/route.ts";
import { ofAccount, ofZone } from "./owner.ts";
import { createRule, deleteRule, editRule } from "./rules.ts";
import {
  createRuleset,
  deleteRuleset,
  getEntryPoint,
  getRuleset,
  listRulesets,
  replaceEntryPoint,
  replaceRuleset,
  type RulesetContext,
} from "./rulesets.ts";
import {
  CreateRulesetBody,
  DryRunQuery,
  PositionedRuleBody,
  ReplaceRulesetBody,
  ReplaceEntryPointQuery,
  Ruleset,
  RulesetHead,
} from "./schema.ts";
import {
  deleteRulesetVersion,
  getEntryPointVersion,
  getRulesetVersion,
  listEntryPointVersions,
  listRulesByTag,
  listRulesetVersions,
} from "./versions.ts";

const zonePath = "/zones/{zone_id}/rulesets";
const accountPath = "/accounts/{account_id}/rulesets";
/** An unknown phase is refused by its name; an impossible version number is an unroutable path. */
const phase = { ruleset_phase: /./ };
const version = { ruleset_version: /^[1-9][0-9]{0,8}$/ };

/** The rulesets of zones and those of accounts: the same operations on both. */
export function rulesetRoutes(context: RulesetContext): Route[] {
  return [
    ...routesOf(context, "zone"),
    ...routesOf(context, "account"),
    route({
      operation: "listRulesByTag",
      summary: "List the rules of a managed ruleset in a category",
      method: "GET",
      path: `${accountPath}/{ruleset_id}/versions/{ruleset_version}/by_tag/{rule_tag}`,
      ids: { ...version, rule_tag: /./ },
      permission: onAccount("Account WAF Read", "Account Rulesets Read"),
      result: Ruleset,
      handle: async ({ params }) => ({
        result: await listRulesByTag(context, ofAccount(params.account_id), params.ruleset_id, {
          version: params.ruleset_version,
          tag: params.rule_tag,
        }),
      }),
    }),
  ];
}

function routesOf(context: RulesetContext, level: RulesetLevel): Route[] {
  const isZone = level === "zone";
  const base = isZone ? zonePath : accountPath;
  const read = isZone ? onZone("Zone WAF Read") : onAccount("Account WAF Read", "Account Rulesets Read");
  const write = isZone ? onZone("Zone WAF Write") : onAccount("Account WAF Write", "Account Rulesets Write");
  const of = isZone ? "of a zone" : "of an account";
  const ownerOf = (params: { readonly zone_id: string; readonly account_id: string }) =>
    isZone ? ofZone(params.zone_id) : ofAccount(params.account_id);
  const optionsOf = (query: { readonly dry_run?: boolean }) => ({ dryRun: query.dry_run ?? false });
  return [
    route({
      operation: isZone ? "listRulesets" : "listAccountRulesets",
      summary: `List the rulesets ${of}, the managed ones first`,
      method: "GET",
      path: base,
      permission: read,
      result: Type.Array(RulesetHead),
      handle: async ({ params }) => ({ result: await listRulesets(context, ownerOf(params)) }),
    }),
    route({
      operation: isZone ? "createRuleset" : "createAccountRuleset",
      summary: `Create a ruleset ${of}`,
      method: "POST",
      path: base,
      permission: write,
      query: DryRunQuery,
      body: CreateRulesetBody,
      result: Ruleset,
      handle: async ({ caller, params, query, body }) => ({
        result: await createRuleset(context, caller, ownerOf(params), body, optionsOf(query)),
      }),
    }),
    route({
      operation: isZone ? "getEntryPoint" : "getAccountEntryPoint",
      summary: `Get the entry point of a phase ${of}`,
      method: "GET",
      path: `${base}/phases/{ruleset_phase}/entrypoint`,
      ids: phase,
      permission: read,
      result: Ruleset,
      handle: async ({ params }) => ({
        result: await getEntryPoint(context, ownerOf(params), params.ruleset_phase),
      }),
    }),
    route({
      operation: isZone ? "replaceEntryPoint" : "replaceAccountEntryPoint",
      summary: `Replace or create the entry point of a phase ${of}`,
      method: "PUT",
      path: `${base}/phases/{ruleset_phase}/entrypoint`,
      ids: phase,
      permission: write,
      query: ReplaceEntryPointQuery,
      body: ReplaceRulesetBody,
      result: Ruleset,
      handle: async ({ caller, params, query, body }) => {
        const { ruleset_phase } = params;
        const options = { ...optionsOf(query), migration: migrationOf(query) };
        return {
          result: await replaceEntryPoint(context, caller, ownerOf(params), ruleset_phase, body, options),
        };
      },
    }),
    route({
      operation: isZone ? "listEntryPointVersions" : "listAccountEntryPointVersions",
      summary: `List the versions of the entry point of a phase ${of}`,
      method: "GET",
      path: `${base}/phases/{ruleset_phase}/entrypoint/versions`,
      ids: phase,
      permission: read,
      result: Type.Array(RulesetHead),
      handle: async ({ params }) => ({
        result: await listEntryPointVersions(context, ownerOf(params), params.ruleset_phase),
      }),
    }),
    route({
      operation: isZone ? "getEntryPointVersion" : "getAccountEntryPointVersion",
      summary: `Get a version of the entry point of a phase ${of}`,
      method: "GET",
      path: `${base}/phases/{ruleset_phase}/entrypoint/versions/{ruleset_version}`,
      ids: { ...phase, ...version },
      permission: read,
      result: Ruleset,
      handle: async ({ params }) => ({
        result: await getEntryPointVersion(
          context,
          ownerOf(params),
          params.ruleset_phase,
          params.ruleset_version,
        ),
      }),
    }),
    route({
      operation: isZone ? "getRuleset" : "getAccountRuleset",
      summary: `Get a ruleset ${of}, or a managed one`,
      method: "GET",
      path: `${base}/{ruleset_id}`,
      permission: read,
      result: Ruleset,
      handle: async ({ params }) => ({
        result: await getRuleset(context, ownerOf(params), params.ruleset_id),
      }),
    }),
    route({
      operation: isZone ? "replaceRuleset" : "replaceAccountRuleset",
      summary: `Replace a ruleset ${of} by a new version`,
      method: "PUT",
      path: `${base}/{ruleset_id}`,
      permission: write,
      query: DryRunQuery,
      body: ReplaceRulesetBody,
      result: Ruleset,
      handle: async ({ caller, params, query, body }) => ({
        result: await replaceRuleset(
          context,
          caller,
          ownerOf(params),
          params.ruleset_id,
          body,
          optionsOf(query),
        ),
      }),
    }),
    emptyRoute({
      operation: isZone ? "deleteRuleset" : "deleteAccountRuleset",
      summary: `Delete a ruleset ${of} with all of its versions`,
      path: `${base}/{ruleset_id}`,
      permission: write,
      query: DryRunQuery,
      handle: ({ caller, params, query }) =>
        deleteRuleset(context, caller, ownerOf(params), params.ruleset_id, optionsOf(query)),
    }),
    route({
      operation: isZone ? "createRule" : "createAccountRule",
      summary: `Add a rule to a ruleset ${of}`,
      method: "POST",
      path: `${base}/{ruleset_id}/rules`,
      permission: write,
      query: DryRunQuery,
      body: PositionedRuleBody,
      result: Ruleset,
      handle: async ({ caller, params, query, body }) => {
        const target = { owner: ownerOf(params), rulesetId: params.ruleset_id, ...optionsOf(query) };
        return { result: await createRule(context, caller, target, body) };
      },
    }),
    route({
      operation: isZone ? "editRule" : "editAccountRule",
      summary: `Replace the definition of a rule of a ruleset ${of}, or move it`,
      method: "PATCH",
      path: `${base}/{ruleset_id}/rules/{rule_id}`,
      permission: write,
      query: DryRunQuery,
      body: PositionedRuleBody,
      result: Ruleset,
      handle: async ({ caller, params, query, body }) => {
        const target = { owner: ownerOf(params), rulesetId: params.ruleset_id, ...optionsOf(query) };
        return { result: await editRule(context, caller, target, params.rule_id, body) };
      },
    }),
    route({
      operation: isZone ? "deleteRule" : "deleteAccountRule",
      summary: `Delete a rule of a ruleset ${of}`,
      method: "DELETE",
      path: `${base}/{ruleset_id}/rules/{rule_id}`,
      permission: write,
      query: DryRunQuery,
      result: Ruleset,
      handle: async ({ caller, params, query }) => {
        const target = { owner: ownerOf(params), rulesetId: params.ruleset_id, ...optionsOf(query) };
        return { result: await deleteRule(context, caller, target, params.rule_id) };
      },
    }),
    route({
      operation: isZone ? "listRulesetVersions" : "listAccountRulesetVersions",
      summary: `List the versions of a ruleset ${of}`,
      method: "GET",
      path: `${base}/{ruleset_id}/versions`,
      permission: read,
      result: Type.Array(RulesetHead),
      handle: async ({ params }) => ({
        result: await listRulesetVersions(context, ownerOf(params), params.ruleset_id),
      }),
    }),
    route({
      operation: isZone ? "getRulesetVersion" : "getAccountRulesetVersion",
      summary: `Get a version of a ruleset ${of}`,
      method: "GET",
      path: `${base}/{ruleset_id}/versions/{ruleset_version}`,
      ids: version,
      permission: read,
      result: Ruleset,
      handle: async ({ params }) => ({
        result: await getRulesetVersion(context, ownerOf(params), params.ruleset_id, params.ruleset_version),
      }),
    }),
    emptyRoute({
      operation: isZone ? "deleteRulesetVersion" : "deleteAccountRulesetVersion",
      summary: `Delete a version of a ruleset ${of} that is not the latest`,
      path: `${base}/{ruleset_id}/versions/{ruleset_version}`,
      ids: version,
      permission: write,
      handle: ({ caller, params }) =>
        deleteRulesetVersion(context, caller, ownerOf(params), params.ruleset_id, params.ruleset_version),
    }),
  ];
}

function migrationOf({ waf_migration, phase_two }: Static<typeof ReplaceEntryPointQuery>) {
  if (waf_migration === undefined) return undefined;
  const to =
    waf_migration === "pending" || waf_migration === "1" ? ("new" as const) : ("validation" as const);
  return { to, phaseTwo: phase_two === "1" };
}
