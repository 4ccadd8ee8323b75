import type { Rights } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import {
  compileAddressCondition,
  conditionKeys,
  parseTimeWindow,
  type AddressCondition,
} from "../../core/policy/conditions.ts";
import { decide, hasAnyPermission, type Resource } from "../../core/policy/evaluate.ts";
import type { Policy } from "../../core/policy/grants.ts";
import { parsePolicies, type ParsedPolicy } from "../../core/policy/parse-policies.ts";
import { findPermissionGroup } from "../../core/policy/permission-groups.ts";
import { printResourceKey, type ResourceScope } from "../../core/policy/resource-keys.ts";
import { invalidTokenBody } from "../../core/policy/token-error.ts";
import { toJson } from "../../storage/columns.ts";
import type { Db, TokenRow } from "../../storage/tables.ts";
import { findAccountsOfZones } from "../zones/zones.ts";
import type { AddressConditionBody, CreateTokenBody } from "./schema.ts";
import type { TokenOwner } from "./store.ts";

/** What a body says a token is, whoever's it is. */
export type TokenFields = Pick<TokenRow, "name" | "condition" | "not_before" | "expires_on"> & {
  readonly policies: readonly ParsedPolicy[];
};

interface ParseOptions {
  readonly vendor: string;
  /** Whether policies may come with ids: those of a token that is replaced. */
  readonly acceptIds: boolean;
}

/** Errors: 400 code 1001 with a pointer at the first mistake (decision 12). */
export function parseTokenBody(body: CreateTokenBody, options: ParseOptions): TokenFields {
  const policies = parsePolicies(body.policies, options);
  const { not_before = null, expires_on = null } = body;
  parseTimeWindow({ not_before, expires_on });
  return { name: body.name, policies, not_before, expires_on, condition: parseCondition(body.condition) };
}

/** Two keys that say different things would leave a limit without effect that somebody relies on. */
function parseCondition(body: CreateTokenBody["condition"]): TokenRow["condition"] {
  const sent = conditionKeys.flatMap((key) => {
    const addresses = body?.[key];
    return addresses == null ? [] : [{ key, condition: toCondition(addresses) }];
  });
  for (const { key, condition } of sent) compileAddressCondition(condition, ["condition", key]);
  const [first, second] = sent;
  if (first === undefined) return null;
  if (second !== undefined && toJson(first.condition) !== toJson(second.condition)) {
    throw invalidTokenBody(["condition", second.key], `must say the same as \`${first.key}\``);
  }
  return toJson({ ...first.condition, sentAs: sent.map(({ key }) => key) });
}

function toCondition(sent: AddressConditionBody): AddressCondition {
  return { ...(sent.in && { in: sent.in }), ...(sent.not_in && { not_in: sent.not_in }) };
}

/**
 * Refuses policies that name what does not exist or what their owner does not reach, and for a token of an account
 * what its maker may not do itself: the account's own rights would bound it no more.
 * Errors: 400 code 1001, 403 code 9109.
 */
export async function checkReach(
  db: Db,
  rights: Rights,
  owner: TokenOwner,
  policies: readonly Pick<Policy, "effect" | "resources" | "groupIds">[],
  vendor: string,
): Promise<void> {
  const accountOfZone = await findAccountsOfNamedZones(db, policies);
  for (const [index, { resources }] of policies.entries()) {
    for (const scope of resources) {
      if (isWithinReach(scope, rights, owner, accountOfZone)) continue;
      const key = printResourceKey(scope, vendor);
      throw invalidTokenBody(
        ["policies", index, "resources", key],
        "there is no such resource for this token",
      );
    }
  }
  if ("accountId" in owner) refuseBeyondRights(rights, owner.accountId, policies, accountOfZone);
}

/** The accounts of the zones that policies name and that exist, by the zone's id. */
export async function findAccountsOfNamedZones(
  db: Db,
  policies: readonly Pick<Policy, "resources">[],
): Promise<ReadonlyMap<string, string>> {
  const zoneIds = policies.flatMap(({ resources }) =>
    resources.flatMap((scope) => (scope.type === "zone" && scope.id !== "*" ? [scope.id] : [])),
  );
  return findAccountsOfZones(db, [...new Set(zoneIds)]);
}

function isWithinReach(
  scope: ResourceScope,
  { ownerGrants, accountIds }: Rights,
  owner: TokenOwner,
  accountOfZone: ReadonlyMap<string, string>,
): boolean {
  const isAccountInReach = (id: string): boolean =>
    id === "*" || ("accountId" in owner ? id === owner.accountId : accountIds.includes(id));
  switch (scope.type) {
    case "user":
      return "userId" in owner && scope.id === owner.userId;
    case "account":
      return isAccountInReach(scope.id);
    case "zones-of-account":
      return isAccountInReach(scope.accountId);
    case "zone": {
      if (scope.id === "*") return true;
      const accountId = accountOfZone.get(scope.id);
      if (accountId === undefined || !isAccountInReach(accountId)) return false;
      return hasAnyPermission(ownerGrants, { type: "zone", id: scope.id, accountId });
    }
  }
}

/** Errors: 403 code 9109 unless the rights are to do all that the policies allow in the account. */
export function refuseBeyondRights(
  { ownerGrants }: Rights,
  accountId: string,
  policies: readonly Pick<Policy, "effect" | "resources" | "groupIds">[],
  accountOfZone: ReadonlyMap<string, string>,
): void {
  for (const { effect, resources, groupIds } of policies) {
    if (effect === "deny") continue;
    const groups = groupIds.flatMap((id) => findPermissionGroup(id) ?? []);
    for (const scope of resources) {
      const resource = resourceOf(scope, accountId, accountOfZone);
      if (groups.some((group) => !decide(ownerGrants, group, resource).allowed)) {
        throw new AppError("forbidden", 9109, "Unauthorized to access requested resource");
      }
    }
  }
}

function resourceOf(
  scope: ResourceScope,
  accountId: string,
  accountOfZone: ReadonlyMap<string, string>,
): Resource {
  switch (scope.type) {
    case "user":
      return scope;
    case "account":
      return { type: "account", id: accountId };
    case "zones-of-account":
      return { type: "zones-of-account", accountId };
    case "zone":
      return scope.id === "*"
        ? { type: "zones-of-account", accountId }
        : { type: "zone", id: scope.id, accountId: accountOfZone.get(scope.id) ?? accountId };
  }
}
