import catalogue from "../../../catalogues/roles.json" with { type: "json" };
import { allowsThroughout } from "./grantors.ts";
import type { Grants, Policy } from "./grants.ts";
import {
  account,
  accountAccess,
  permissionGroups,
  readGroupOf,
  zone,
  type GroupName,
  type PermissionGroup,
} from "./permission-groups.ts";

/** A set of rights that a member has in an account and on its zones. */
export interface Role {
  /** 32 hexadecimal characters. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly groups: readonly PermissionGroup[];
}

interface AccountRole extends Role {
  /** The group of the same permissions, for policies of members. Some of the ids are those of the public service. */
  readonly memberGroup: { readonly id: string; readonly label: string };
}

const everything = [
  accountAccess,
  ...permissionGroups.filter(({ scope }) => scope === "account" || scope === "zone"),
];

/** Groups that only owners have: members, billing and the account's name. */
const ofOwners = new Set([
  account("Account Settings Write"),
  account("Billing Write"),
  account("SSO Connector Write"),
  account("SCIM Provisioning"),
]);

/** Permissions of roles that reach into all areas. */
const broad = {
  everything,
  "everything but what owners have": everything.filter((group) => !ofOwners.has(group)),
  reading: everything.filter((group) => group === accountAccess || /\bRead\b/i.test(group.name)),
};

/** A role in the catalogue; the names are of permission groups. */
interface CatalogueRole extends Omit<AccountRole, "groups"> {
  readonly permits:
    | keyof typeof broad
    | { readonly zone?: readonly GroupName<"zone">[]; readonly account?: readonly GroupName<"account">[] };
}

/** All roles, the most powerful first, whose id is that of the public service. */
export const roles: readonly AccountRole[] = (catalogue.roles as readonly CatalogueRole[]).map(roleOf);

const [superAdministratorRole] = roles;
export const superAdministratorId = superAdministratorRole?.id ?? "";

/** The read-only role. */
export const defaultRoleId = "a5f1a2c6d2f94a1f8e0b3f1c7d9e4b60";

const rolesById = new Map(roles.map((role) => [role.id, role]));

export function findRole(id: string): AccountRole | undefined {
  return rolesById.get(id);
}

/** A role by id, or by name in any case. */
export function findRoleCalled(text: string): Role | undefined {
  const name = text.toLowerCase();
  return findRole(text) ?? roles.find((role) => role.name.toLowerCase() === name);
}

export function coversRole(grants: Grants, role: Role, accountId: string): boolean {
  return role.groups.every((group) => allowsThroughout(grants, group, accountId));
}

/** Areas in the older form of roles and memberships, with their groups. */
const blocks: Readonly<Record<string, PermissionGroup>> = {
  analytics: zone("Analytics Read"),
  billing: account("Billing Write"),
  cache_purge: zone("Cache Purge"),
  dns: zone("Zone DNS Settings Write"),
  dns_records: zone("DNS Write"),
  lb: zone("Load Balancers Write"),
  logs: zone("Logs Write"),
  organization: account("Account Settings Write"),
  ssl: zone("SSL and Certificates Write"),
  waf: zone("Zone WAF Write"),
  zone_settings: zone("Zone Settings Write"),
  zones: zone("Zone Write"),
};

export interface BlockAccess {
  readonly block: string;
  readonly read: boolean;
  readonly write: boolean;
}

export function blocksWhere(isPermitted: (group: PermissionGroup) => boolean): BlockAccess[] {
  return Object.entries(blocks).map(([block, group]) => {
    const isReadGroup = /\bRead\b/.test(group.name);
    const write = !isReadGroup && isPermitted(group);
    const read = readGroupOf(group);
    return {
      block,
      write,
      read: write || isPermitted(group) || (read !== undefined && isPermitted(read)),
    };
  });
}

export function blocksOfRoles(held: readonly Pick<Role, "groups">[]): BlockAccess[] {
  const groups = new Set(held.flatMap((role) => role.groups));
  return blocksWhere((group) => groups.has(group));
}

/**
 * The permissions of a user: everything on itself, and the policies of its memberships in accounts. They also
 * limit the user's tokens.
 */
export function policiesOfUser(userId: string, ofMemberships: readonly Policy[]): Policy[] {
  const own: Policy = {
    id: userId,
    effect: "allow",
    resources: [{ type: "user", id: userId }],
    groupIds: idsOf(permissionGroups.filter(({ scope }) => scope === "user")),
  };
  return [own, ...ofMemberships];
}

/** The policies of roles in an account. A role that is no longer in the catalogue grants nothing. */
export function policiesOfRoles(accountId: string, roleIds: readonly string[]): Policy[] {
  const held = roleIds.flatMap((id) => findRole(id) ?? []);
  return policiesOnAccount(
    accountId,
    held.flatMap(({ groups }) => groups),
  );
}

/** The upper bound of an account's tokens: everything in the account. */
export function policiesOfAccount(accountId: string): Policy[] {
  return policiesOnAccount(accountId, everything);
}

function policiesOnAccount(accountId: string, groups: readonly PermissionGroup[]): Policy[] {
  if (groups.length === 0) return [];
  return [
    {
      id: accountId,
      effect: "allow",
      resources: [
        { type: "account", id: accountId },
        { type: "zones-of-account", accountId },
      ],
      groupIds: idsOf(groups),
    },
  ];
}

function idsOf(groups: readonly PermissionGroup[]): string[] {
  return groups.map(({ id }) => id);
}

function roleOf({ permits, ...role }: CatalogueRole): AccountRole {
  if (typeof permits === "string") return { ...role, groups: broad[permits] };
  const { zone: ofZones = [], account: ofAccount = [] } = permits;
  return { ...role, groups: [accountAccess, ...ofZones.map(zone), ...ofAccount.map(account)] };
}
