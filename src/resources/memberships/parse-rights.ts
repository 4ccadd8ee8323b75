import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidBody } from "../../core/error.ts";
import { findMemberGroup } from "../../core/policy/member-groups.ts";
import type { MemberPolicy } from "../../core/policy/member-policies.ts";
import type { ResourceScope } from "../../core/policy/resource-keys.ts";
import { findRole } from "../../core/policy/roles.ts";
import type { Context } from "../../operation/context.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { MembershipRow } from "../../storage/schema/accounts.ts";
import { policiesShown, rightsOf, rolesShown, type MemberRights } from "./member-rights.ts";
import { selectResourceGroupsById } from "./resource-group-store.ts";
import type { ResourceGroups } from "./resource-groups.ts";
import type { EditMemberBody, MemberPolicyBody } from "./schema.ts";

const code = errorCodes.members.invalid;

interface ParsedRights {
  readonly rights: MemberRights;
  /** The resource groups that its policies name. */
  readonly groups: ResourceGroups;
}

/**
 * What a body says that a member may do. `before` is the member as it is: clients send all of it back, with one of
 * `roles` and `policies` as it was answered, and a policy that stays keeps its id.
 * Errors: 400 code 1001 for roles and groups that do not exist, for none, for both at once, and for a permission group that
 * does not fit its resource groups.
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
 * The policies of a body; one that is among `earlier` keeps its id. Errors: 400 code 1001 for groups that do not exist, and for a
 * permission group that does not fit its resource groups.
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

/** Those of the account that are there. */
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
