import type { Caller } from "../../core/policy/caller.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, forbidden } from "../../core/error.ts";
import { canDelegate, coversGrants, coversPolicies } from "../../core/policy/grantors.ts";
import { hasAnyPermission } from "../../core/policy/evaluate.ts";
import type { Policy } from "../../core/policy/grants.ts";
import { printResourceKey, type ResourceScope } from "../../core/policy/resource-keys.ts";
import { invalidTokenBody } from "../../core/policy/token-error.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { TokenRow } from "../../storage/schema/accounts.ts";
import {
  findGrantsOfGrantors,
  grantsToDelegate,
  rightsOfAccount,
  rightsOfUser,
  type Rights,
} from "../memberships/memberships.ts";
import { findAccountsOfZones } from "../zones/zones.ts";
import { type TokenOwner, grantorsOf } from "./token.ts";

/** The upper bound of a token: the rights of its user, or what its creator may delegate in the account. */
export async function boundOf(
  tx: Db,
  owner: TokenOwner,
  { grantors }: Pick<Caller, "grantors">,
): Promise<Rights> {
  if ("userId" in owner) return rightsOfUser(tx, owner.userId);
  const { accountId } = owner;
  return { grants: await grantsToDelegate(tx, grantors, accountId), accountIds: [accountId] };
}

/**
 * Refuses changes to an account token that exceeds the caller's rights. A token that can delegate counts with
 * the rights of its grantors, or with all where these are unknown.
 */
export async function refuseStrongerToken(
  tx: Db,
  { grants }: Rights,
  owner: TokenOwner,
  row: TokenRow,
): Promise<void> {
  if ("userId" in owner) return;
  const { accountId } = owner;
  const policies = fromJson(row.policies);
  const accountOfZone = await findAccountsOfNamedZones(tx, policies);
  if (!coversPolicies(grants, accountId, policies, accountOfZone)) throw beyondRights();
  if (!canDelegate(policies)) return;
  const handedOn =
    (await findGrantsOfGrantors(tx, grantorsOf(row), accountId)) ?? rightsOfAccount(accountId).grants;
  if (!coversGrants(grants, handedOn, accountId)) throw beyondRights();
}

interface ReachOptions {
  readonly vendor: string;
  /**
   * The policies of the token that is replaced. A zone that they name may be gone by now, and be sent back.
   */
  readonly replaced?: readonly Pick<Policy, "resources">[];
}

/**
 * Refuses policies on unknown or unreachable resources, and for account tokens those beyond the bound. User
 * tokens are limited to their user's rights in any case. Errors: 400 code 1001, 403 code 9109.
 */
export async function checkReach(
  db: Db,
  bound: Rights,
  owner: TokenOwner,
  policies: readonly Pick<Policy, "effect" | "resources" | "groupIds">[],
  { vendor, replaced = [] }: ReachOptions,
): Promise<void> {
  const accountOfZone = await findAccountsOfNamedZones(db, policies);
  const keyOf = (scope: ResourceScope) => printResourceKey(scope, vendor);
  const keysBefore = new Set(replaced.flatMap(({ resources }) => resources.map(keyOf)));
  for (const [index, { resources }] of policies.entries()) {
    for (const scope of resources) {
      const key = keyOf(scope);
      if (keysBefore.has(key) || isWithinReach(scope, bound, owner, accountOfZone)) continue;
      throw invalidTokenBody(
        ["policies", index, "resources", key],
        "there is no such resource for this token",
      );
    }
  }
  if ("userId" in owner) return;
  if (!coversPolicies(bound.grants, owner.accountId, policies, accountOfZone)) throw beyondRights();
}

async function findAccountsOfNamedZones(
  db: Db,
  policies: readonly Pick<Policy, "resources">[],
): Promise<ReadonlyMap<string, string>> {
  const zoneIds = policies.flatMap(({ resources }) =>
    resources.flatMap((scope) => (scope.type === "zone" && scope.id !== "*" ? [scope.id] : [])),
  );
  return findAccountsOfZones(db, zoneIds);
}

function isWithinReach(
  scope: ResourceScope,
  { grants, accountIds }: Rights,
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
      return hasAnyPermission(grants, { type: "zone", id: scope.id, accountId });
    }
  }
}

/** 403 code 9109. */
function beyondRights(): AppError {
  return forbidden(errorCodes.permissions.unauthorized, "Unauthorized to access requested resource");
}
