import { allowsThroughout } from "./grantors.ts";
import type { Grants, Policy } from "./grants.ts";
import {
  account,
  accountAccess,
  permissionGroups,
  readGroupOf,
  zone,
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

const everything = [
  accountAccess,
  ...permissionGroups.filter(({ scope }) => scope === "account" || scope === "zone"),
];
const readOnly = everything.filter((group) => group === accountAccess || /\bRead\b/i.test(group.name));

/** Groups that only owners have: members, billing and the account's name. */
const ofOwners = new Set([
  account("Account Settings Write"),
  account("Billing Write"),
  account("SSO Connector Write"),
  account("SCIM Provisioning"),
]);

const minimal = [accountAccess];
const ofZones = [zone("Zone Read"), zone("Zone Settings Read")];

/** All roles, the most powerful first, whose id is that of the public service. */
export const roles: readonly Role[] = [
  {
    id: "33666b9c79b9a5273fc7344ff42f953d",
    name: "Super Administrator - All Privileges",
    description: "Can do everything in the account, its members and billing included.",
    groups: everything,
  },
  {
    id: "05784afa30c1afe1440e79d9351c7430",
    name: "Administrator",
    description: "Can do everything in the account but manage its members, settings and billing.",
    groups: everything.filter((group) => !ofOwners.has(group)),
  },
  {
    id: "a5f1a2c6d2f94a1f8e0b3f1c7d9e4b60",
    name: "Administrator Read Only",
    description: "Can see everything in the account and change nothing.",
    groups: readOnly,
  },
  {
    id: "b6c2e3d7f1a04b2c9d1e5f6a7b8c9d01",
    name: "Analytics",
    description: "Can see analytics.",
    groups: [...minimal, ...ofZones, zone("Analytics Read"), account("Account Analytics Read")],
  },
  {
    id: "c7d3f4e8a2b15c3dae2f6a7b8c9d0e12",
    name: "Audit Logs Viewer",
    description: "Can see the audit log of the account, its members and settings.",
    groups: [...minimal, account("Account Settings Read")],
  },
  {
    id: "d8e4a5f9b3c26d4ebf3a7b8c9d0e1f23",
    name: "Billing",
    description: "Can manage what the account pays.",
    groups: [...minimal, account("Billing Write")],
  },
  {
    id: "e9f5b6a0c4d37e5fca4b8c9d0e1f2a34",
    name: "Cache Purge",
    description: "Can purge the cache of the zones.",
    groups: [...minimal, ...ofZones, zone("Cache Purge")],
  },
  {
    id: "f0a6c7b1d5e48f60db5c9d0e1f2a3b45",
    name: "DNS",
    description: "Can change the DNS records of the zones.",
    groups: [
      ...minimal,
      ...ofZones,
      zone("DNS Write"),
      zone("Zone DNS Settings Write"),
      account("Account DNS Settings Write"),
      account("DNS View Write"),
    ],
  },
  {
    id: "a1b7d8c2e6f59071ec6d0e1f2a3b4c56",
    name: "Firewall",
    description: "Can change the firewall and its managed rules.",
    groups: [
      ...minimal,
      ...ofZones,
      zone("Firewall Services Write"),
      zone("Zone WAF Write"),
      zone("Page Rules Read"),
      account("Account WAF Write"),
      account("Account Firewall Access Rules Write"),
      account("Account Rulesets Write"),
      account("Account Rule Lists Write"),
      account("Allow Request Tracer Read"),
    ],
  },
  {
    id: "b2c8e9d3f7a60182fd7e1f2a3b4c5d67",
    name: "Load Balancer",
    description: "Can change load balancers, their pools and monitors.",
    groups: [
      ...minimal,
      ...ofZones,
      zone("Load Balancers Write"),
      account("Load Balancing: Monitors and Pools Write"),
    ],
  },
  {
    id: "c3d9f0e4a8b71293ae8f2a3b4c5d6e78",
    name: "Log Share",
    description: "Can see and change the logs of requests.",
    groups: [...minimal, ...ofZones, zone("Logs Write"), account("Logs Write")],
  },
  {
    id: "d4e0a1f5b9c823a4bf9a3b4c5d6e7f89",
    name: "Log Share Reader",
    description: "Can see the logs of requests.",
    groups: [...minimal, ...ofZones, zone("Logs Read"), account("Logs Read")],
  },
  {
    id: "e5f1b2a6c0d934b5ca0b4c5d6e7f8a90",
    name: "SSL/TLS, Caching, Performance, Page Rules, and Customization",
    description: "Can change certificates, settings and page rules of the zones.",
    groups: [
      ...minimal,
      ...ofZones,
      zone("Zone Settings Write"),
      zone("SSL and Certificates Write"),
      zone("Cache Purge"),
      zone("Cache Settings Write"),
      zone("Config Settings Write"),
      zone("Page Rules Write"),
      zone("Custom Pages Write"),
      account("Account: SSL and Certificates Write"),
    ],
  },
  {
    id: "f6a2c3b7d1ea45c6db1c5d6e7f8a9b01",
    name: "Minimal Account Access",
    description: "Can see the account itself, and nothing in it.",
    groups: minimal,
  },
];

const [superAdministratorRole] = roles;
export const superAdministratorId = superAdministratorRole?.id ?? "";

/** The read-only role. */
export const defaultRoleId = "a5f1a2c6d2f94a1f8e0b3f1c7d9e4b60";

const rolesById = new Map(roles.map((role) => [role.id, role]));

export function findRole(id: string): Role | undefined {
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
