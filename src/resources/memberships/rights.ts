import { errorCodes } from "../../core/error-codes.ts";
import { forbidden, AppError, invalidBody } from "../../core/error.ts";
import { type Grantors, coversPolicies } from "../../core/policy/grantors.ts";
import { compilePolicies, limitGrants, type Grants, type Policy } from "../../core/policy/grants.ts";
import {
  policiesOfAccount,
  policiesOfUser,
  findRole,
  policiesOfRoles,
  superAdministratorId,
  type Role,
  coversRole,
} from "../../core/policy/roles.ts";
import { selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import { findResourceGroupsOf, scopesOf, type ResourceGroups } from "./resource-groups.ts";
import {
  countWithSecondFactor,
  selectMembershipsInForce,
  selectMembershipsOfUsers,
  withUserGroups,
  type OfUserGroups,
  selectResourceGroupsById,
  selectBelongings,
} from "./store.ts";
import { findMemberGroup } from "../../core/policy/member-groups.ts";
import {
  expandMemberPolicies,
  rolesInPlaceOf,
  type MemberPolicy,
  type ScopesOfGroups,
} from "../../core/policy/member-policies.ts";
import { fromJson, toJson } from "../../storage/columns.ts";
import type { MembershipRow } from "../../storage/schema/accounts.ts";
import type { ResourceScope } from "../../core/policy/resource-keys.ts";
import type { Context } from "../../operation/context.ts";
import type { EditMemberBody, MemberPolicyBody } from "./schema.ts";
import type { Caller } from "../../core/policy/caller.ts";

/** The permissions of a user or a token, and the accounts that it reaches, the oldest first. */
export interface Rights {
  readonly grants: Grants;
  readonly accountIds: readonly string[];
}

interface RightsInAccount {
  readonly accountId: string;
  readonly policies: readonly Policy[];
}

/** The rights of a user in each account of which it is a member, the oldest first. */
export async function listRightsOfUser(db: Db, userId: string): Promise<RightsInAccount[]> {
  const rows = await withUserGroups(db, await selectMembershipsInForce(db, userId));
  const groups = await findResourceGroupsOf(db, rows);
  return rows.map((row) => ({ accountId: row.account_id, policies: policiesOfRow(row, groups) }));
}

export async function rightsOfUser(db: Db, userId: string): Promise<Rights> {
  const memberships = await listRightsOfUser(db, userId);
  const policies = policiesOfUser(
    userId,
    memberships.flatMap((membership) => membership.policies),
  );
  return {
    grants: compilePolicies(policies),
    accountIds: memberships.map(({ accountId }) => accountId),
  };
}

/** An account may do everything in itself. */
export function rightsOfAccount(accountId: string): Rights {
  return { grants: compilePolicies(policiesOfAccount(accountId)), accountIds: [accountId] };
}

/**
 * The most that a token of an account may do: nothing while the account is closed to members without a second
 * factor and somebody who made the token has none, or is unknown.
 */
export async function rightsOfAccountToken(db: Db, accountId: string, grantors: Grantors): Promise<Rights> {
  const isClosed = await isClosedTo(db, accountId, grantors);
  return isClosed ? { grants: compilePolicies([]), accountIds: [] } : rightsOfAccount(accountId);
}

async function isClosedTo(db: Db, accountId: string, grantors: Grantors): Promise<boolean> {
  const account = await selectRow(db, "accounts", { id: accountId });
  if (account?.enforces_two_factor !== 1) return false;
  return grantors === null || (await countWithSecondFactor(db, grantors)) < grantors.length;
}

/**
 * The permissions that all grantors have in an account now. Tokens, roles and invites never give more than
 * these, whatever credential is used. Call it in a transaction that has locked the account.
 * Errors: 403 code 9109 where a grantor is unknown, no longer a member, or one without the second factor that
 * the account demands.
 */
export async function grantsToDelegate(tx: Db, grantors: Grantors, accountId: string): Promise<Grants> {
  const grants = await findGrantsOfGrantors(tx, grantors, accountId);
  if (grants !== undefined) return grants;
  throw forbidden(
    errorCodes.permissions.unauthorized,
    "The member who made this token is unknown, has left the account, or lacks the second factor that it demands. " +
      "Until a super administrator rolls it, it cannot change tokens or members",
  );
}

/** Finds what `grantsToDelegate` answers; undefined where that throws. */
export async function findGrantsOfGrantors(
  db: Db,
  grantors: Grantors,
  accountId: string,
): Promise<Grants | undefined> {
  if (grantors === null) return undefined;
  const rows = await withUserGroups(db, await selectMembershipsOfUsers(db, accountId, grantors));
  if (rows.length < grantors.length) return undefined;
  const groups = await findResourceGroupsOf(db, rows);
  return rows
    .map((row) => compilePolicies(policiesOfUser(row.user_id ?? "", policiesOfRow(row, groups))))
    .reduce((bound, grants) => limitGrants(grants, bound), rightsOfAccount(accountId).grants);
}

/** The rights of a member: roles in the whole account, or policies. */
export type MemberRights =
  | { readonly roleIds: readonly string[] }
  | { readonly policies: readonly MemberPolicy[] };

type RightsColumns = Pick<MembershipRow, "roles" | "policies">;

export function rightsOf({ roles, policies }: RightsColumns): MemberRights {
  return policies === null ? { roleIds: fromJson(roles) } : { policies: fromJson(policies) };
}

/** Policies that say no more than roles are kept as roles. */
export function toRightsColumns(rights: MemberRights, accountId: string): RightsColumns {
  const roleIds = "roleIds" in rights ? rights.roleIds : rolesInPlaceOf(rights.policies, accountId);
  if (roleIds !== undefined) return { roles: toJson([...roleIds]), policies: null };
  return { roles: toJson([]), policies: "policies" in rights ? toJson([...rights.policies]) : null };
}

/** The policies of a member in the form that is evaluated. */
function expandRights(accountId: string, rights: MemberRights, scopes: ScopesOfGroups): Policy[] {
  return "roleIds" in rights
    ? policiesOfRoles(accountId, rights.roleIds)
    : expandMemberPolicies(rights.policies, accountId, scopes);
}

/**
 * The same for a stored membership, with what it has by its user groups. What these deny does not bind super
 * administrators, so that no account locks itself out.
 */
export function policiesOfRow(
  row: RightsColumns & Pick<MembershipRow, "account_id"> & OfUserGroups,
  groups: ResourceGroups,
): Policy[] {
  const { account_id: accountId, groupPolicies } = row;
  const isBound = !fromJson(row.roles).includes(superAdministratorId);
  const scopes = scopesOf(groups);
  return [
    ...expandRights(accountId, rightsOf(row), scopes),
    ...expandMemberPolicies(
      groupPolicies.filter(({ access }) => isBound || access === "allow"),
      accountId,
      scopes,
    ),
  ];
}

/** The roles of a member. A permission group of a policy that is no role shows as one, with its own id. */
export function rolesShown(row: RightsColumns): Role[] {
  const rights = rightsOf(row);
  if ("roleIds" in rights) return rights.roleIds.flatMap((id) => findRole(id) ?? []);
  const allowed = rights.policies.filter(({ access }) => access === "allow");
  const groups = new Set(allowed.flatMap(({ permissionGroupIds }) => permissionGroupIds));
  return [...groups].flatMap((id) => {
    const group = findMemberGroup(id);
    return group?.role ?? group ?? [];
  });
}

/** The policies of a member. Roles show as one policy on the whole account, with the id of the membership. */
export function policiesShown(row: RightsColumns & Pick<MembershipRow, "id" | "account_id">): MemberPolicy[] {
  const rights = rightsOf(row);
  if ("policies" in rights) return [...rights.policies];
  const permissionGroupIds = rights.roleIds.flatMap((id) => findRole(id)?.memberGroup.id ?? []);
  return [{ id: row.id, access: "allow", permissionGroupIds, resourceGroupIds: [row.account_id] }];
}

const code = errorCodes.members.invalid;

interface ParsedRights {
  readonly rights: MemberRights;
  /** The resource groups that its policies name. */
  readonly groups: ResourceGroups;
}

/**
 * Parses the rights of a member in a body. `before` is the member as it is: clients send all of it back, with
 * one of `roles` and `policies` as it was answered, and a policy that stays keeps its id.
 * Errors: 400 code 1001 for roles and groups that do not exist, for none, for both at once, and for a
 * permission group that does not fit its resource groups.
 */
export async function parseRights(
  { newId }: Pick<Context, "newId">,
  tx: Db,
  accountId: string,
  { roles, policies }: EditMemberBody,
  before?: MembershipRow,
): Promise<ParsedRights> {
  const none: ResourceGroups = new Map();
  if (policies == null) {
    if (roles == null) throw invalidBody("/roles", "is required", code);
    return { rights: parseRoles(roles), groups: none };
  }
  const shown = before === undefined ? [] : policiesShown(before);
  const { policies: parsed, groups } = await parsePolicies({ newId }, tx, accountId, policies, shown);
  if (roles != null) {
    const areRolesSame = before !== undefined && isSameSet(roles.map(idOf), rolesShown(before).map(idOf));
    const arePoliciesSame = isSameSet(parsed.map(contentOf), shown.map(contentOf));
    if (!areRolesSame && !arePoliciesSame) {
      throw invalidBody("/policies", "cannot be given beside `roles`", code);
    }
    if (!areRolesSame) return { rights: parseRoles(roles), groups };
    if (arePoliciesSame) return { rights: rightsOf(before), groups };
  }
  return { rights: { policies: parsed }, groups };
}

/**
 * The policies of a body; one that is among `earlier` keeps its id. Errors: 400 code 1001 for groups that do
 * not exist, and for a permission group that does not fit its resource groups.
 */
export async function parsePolicies(
  { newId }: Pick<Context, "newId">,
  tx: Db,
  accountId: string,
  bodies: readonly MemberPolicyBody[],
  earlier: readonly MemberPolicy[],
): Promise<{ readonly policies: MemberPolicy[]; readonly groups: ResourceGroups }> {
  const groups = await findNamedGroups(tx, accountId, bodies);
  const ids = new Map(earlier.map((policy) => [contentOf(policy), policy.id]));
  const policies = bodies.map((body, index) => {
    const policy = parsePolicy(body, `/policies/${index}`, accountId, groups);
    return { id: ids.get(contentOf(policy)) ?? newId(), ...policy };
  });
  return { policies, groups };
}

type SentRoles = NonNullable<EditMemberBody["roles"]>;

function parseRoles(sent: SentRoles): MemberRights {
  const found = sent.map((role, index) => {
    const known = findRole(idOf(role));
    if (known !== undefined) return known.id;
    throw new AppError("invalid", code, "There is no such role", { pointer: `/roles/${index}` });
  });
  return { roleIds: [...new Set(found)] };
}

function idOf(role: SentRoles[number]): string {
  return typeof role === "string" ? role : role.id;
}

async function findNamedGroups(
  tx: Db,
  accountId: string,
  policies: readonly MemberPolicyBody[],
): Promise<ResourceGroups> {
  const ids = new Set(policies.flatMap(({ resource_groups }) => resource_groups.map(({ id }) => id)));
  const found = await selectResourceGroupsById(tx, [...ids]);
  return new Map(found.filter((row) => row.account_id === accountId).map((row) => [row.id, row]));
}

function parsePolicy(
  { access, permission_groups, resource_groups }: MemberPolicyBody,
  path: string,
  accountId: string,
  groups: ResourceGroups,
): Omit<MemberPolicy, "id"> {
  const whole: readonly ResourceScope[] = [{ type: "account", id: accountId }];
  const scopes = resource_groups.flatMap(({ id }, index) => {
    if (id === accountId) return whole;
    const row = groups.get(id);
    if (row !== undefined) return fromJson(row.scopes);
    throw invalidBody(`${path}/resource_groups/${index}/id`, "there is no such resource group", code);
  });
  for (const [index, { id }] of permission_groups.entries()) {
    const group = findMemberGroup(id);
    const pointer = `${path}/permission_groups/${index}/id`;
    if (group === undefined) throw invalidBody(pointer, "there is no such permission group", code);
    if (group.scope === "account" && scopes.some(({ type }) => type !== "account")) {
      const message = `Failed common permission check against resources. (Permission group: "${group.name}")`;
      throw new AppError("invalid", code, message, { pointer });
    }
  }
  return {
    access,
    permissionGroupIds: [...new Set(permission_groups.map(({ id }) => id))],
    resourceGroupIds: [...new Set(resource_groups.map(({ id }) => id))],
  };
}

function contentOf({ access, permissionGroupIds, resourceGroupIds }: Omit<MemberPolicy, "id">): string {
  return [access, permissionGroupIds.toSorted(), resourceGroupIds.toSorted()].join(" ");
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).symmetricDifference(new Set(other)).size === 0;
}

interface RightsChange {
  readonly had: MemberRights;
  readonly has: MemberRights;
  /** The zones that the named resource groups cover, before and after. */
  readonly scopes: readonly ScopesOfGroups[];
  /** The policies of the member's user groups, where the change gives or takes it too. */
  readonly behind?: readonly Policy[];
}

/**
 * Refuses to grant or revoke rights beyond what the caller's grantors have now. Policies that deny are
 * ignored here, so that nobody gains rights by removing one. To be called in a transaction that locks the
 * account. Errors: as `grantsToDelegate`, 403 code 9109 for rights beyond.
 */
export async function refuseRightsBeyond(
  tx: Db,
  { grantors }: Pick<Caller, "grantors">,
  accountId: string,
  { had, has, scopes, behind = [] }: RightsChange,
): Promise<void> {
  const grants = await grantsToDelegate(tx, grantors, accountId);
  const [before, after] = [new Set(rolesIn(had)), new Set(rolesIn(has))];
  // Beside policies, what stays is given anew.
  const areRoles = "roleIds" in had && "roleIds" in has;
  const roles = areRoles ? before.symmetricDifference(after) : before.union(after);
  for (const role of roles) {
    if (!coversRole(grants, role, accountId))
      throw beyondRights(`all that the role \`${role.name}\` permits`);
  }
  if (!coversPolicies(grants, accountId, behind, new Map())) {
    throw beyondRights("all that the user groups of the member allow");
  }
  for (const rights of [had, has]) {
    if ("roleIds" in rights) continue;
    for (const covered of scopes) {
      const policies = expandMemberPolicies(rights.policies, accountId, covered);
      if (!coversPolicies(grants, accountId, policies, new Map()))
        throw beyondRights("all that the policies allow");
    }
  }
}

/** The policies of a membership's user groups, as far as policies of its own may hide them. */
export async function policiesHidden(tx: Db, row: MembershipRow): Promise<Policy[]> {
  const rights = rightsOf(row);
  const hides = "policies" in rights && rights.policies.some(({ access }) => access === "deny");
  return hides ? policiesBehind(tx, row) : [];
}

/** The policies of a membership's user groups. */
export async function policiesBehind(tx: Db, row: MembershipRow): Promise<Policy[]> {
  const [{ groupPolicies } = { groupPolicies: [] }] = await withUserGroups(tx, [row]);
  const groups = await findResourceGroupsOf(tx, [{ policies: null, groupPolicies }]);
  return expandMemberPolicies(groupPolicies, row.account_id, scopesOf(groups));
}

function rolesIn(rights: MemberRights): Role[] {
  return "roleIds" in rights ? rights.roleIds.flatMap((id) => findRole(id) ?? []) : [];
}

/** 403 code 9109. */
export function beyondRights(needed: string): AppError {
  return new AppError("forbidden", errorCodes.permissions.unauthorized, `Requires ${needed}`);
}

/**
 * Whether those who sent an invite, and those who put it into user groups, may still give what it gives. In a
 * transaction that locks the account.
 */
export async function isStillCovered(tx: Db, row: MembershipRow): Promise<boolean> {
  const own = policiesOfRow({ ...row, groupPolicies: [] }, await findResourceGroupsOf(tx, [row]));
  // An invite without grantors was sent by an early version.
  if (row.grantors !== null && !(await areCovered(tx, row.account_id, row.grantors, own))) return false;
  for (const { grantors, policies } of await selectBelongings(tx, [row.id])) {
    if (policies === null) continue;
    const groups = await findResourceGroupsOf(tx, [{ policies }]);
    const given = expandMemberPolicies(fromJson(policies), row.account_id, scopesOf(groups));
    if (!(await areCovered(tx, row.account_id, grantors, given))) return false;
  }
  return true;
}

async function areCovered(
  tx: Db,
  accountId: string,
  grantors: MembershipRow["grantors"],
  policies: readonly Policy[],
): Promise<boolean> {
  const grants = await findGrantsOfGrantors(tx, grantors === null ? null : fromJson(grantors), accountId);
  return grants !== undefined && coversPolicies(grants, accountId, policies, new Map());
}
