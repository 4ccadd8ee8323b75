import type { Caller } from "../../core/policy/caller.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidIdentifier } from "../../core/error.ts";
import { coversPolicies } from "../../core/policy/grantors.ts";
import {
  expandMemberPolicies,
  type MemberPolicy,
  type ScopesOfGroups,
} from "../../core/policy/member-policies.ts";
import { fromJson } from "../../storage/columns.ts";
import { selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow, UserGroupRow } from "../../storage/schema/accounts.ts";
import { grantsToDelegate, policiesOfRow, beyondRights } from "./rights.ts";
import { selectResourceGroupsById, withUserGroups } from "./store.ts";
import { findResourceGroupsOf, scopesOf } from "./resource-groups.ts";

/** Errors: 404 code 1003. */
export async function findUserGroup(db: Db, accountId: string, id: string): Promise<UserGroupRow> {
  const row = await selectRow(db, "user_groups", { account_id: accountId, id });
  if (row === undefined) throw invalidIdentifier("user group", errorCodes.members.unknown);
  return row;
}

export function policiesOfGroup({ policies }: Pick<UserGroupRow, "policies">): readonly MemberPolicy[] {
  return policies === null ? [] : fromJson(policies);
}

interface GroupChange {
  readonly had: readonly MemberPolicy[];
  readonly has: readonly MemberPolicy[];
  /** The members whose rights change. */
  readonly members: readonly MembershipRow[];
  /** The zones that a resource group will cover, by its id, where that changes too. */
  readonly changedScopes?: ScopesOfGroups;
}

/**
 * Refuses to give or take by a user group what the caller's grantors may not do now. What a policy denies
 * hides what its members have otherwise, so that where one comes or goes, that has to be covered as well. To
 * be called in a transaction that locks the account. Errors: as `grantsToDelegate`, 403 code 9109 for rights
 * beyond.
 */
export async function refuseGroupBeyond(
  tx: Db,
  { grantors }: Pick<Caller, "grantors">,
  accountId: string,
  { had, has, members, changedScopes = new Map() }: GroupChange,
): Promise<void> {
  const grants = await grantsToDelegate(tx, grantors, accountId);
  const policies = [...had, ...has];
  const named = policies.flatMap(({ resourceGroupIds }) => resourceGroupIds);
  const stored = await selectResourceGroupsById(tx, [...new Set(named)]);
  const before = scopesOf(new Map(stored.map((row) => [row.id, row])));
  const after = new Map([...before, ...changedScopes]);
  const given = [before, after].flatMap((scopes) => expandMemberPolicies(policies, accountId, scopes));
  const hidden = policies.some(({ access }) => access === "deny") ? await rightsOfMembers(tx, members) : [];
  if (!coversPolicies(grants, accountId, [...given, ...hidden], new Map())) {
    throw beyondRights("all that the policies of the group and, where one denies, its members allow");
  }
}

async function rightsOfMembers(tx: Db, members: readonly MembershipRow[]) {
  const rows = await withUserGroups(tx, members);
  const groups = await findResourceGroupsOf(tx, rows);
  return rows.flatMap((row) => policiesOfRow(row, groups));
}

/** Errors: 400 code 1012. */
export function refuseAbove(count: number, max: number, what: string): void {
  if (count <= max) return;
  throw new AppError("invalid", errorCodes.members.tooManyUserGroups, `${what}: ${max} at most`);
}
