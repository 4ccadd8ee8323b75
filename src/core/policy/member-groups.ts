import { permissionGroups, zone, type GroupScope, type PermissionGroup } from "./permission-groups.ts";
import { roles, type Role } from "./roles.ts";

/**
 * A group that a member's policy names: a role, or a permission group that tokens have too
 * (docs/contract/members.md#permission-groups).
 */
export interface MemberGroup {
  /** 32 hexadecimal characters. */
  readonly id: string;
  readonly name: string;
  /** The name for lookups by clients: `all_privileges`. */
  readonly label: string;
  readonly description: string;
  /** A group of scope `account` fits whole accounts only; one of scope `zone` fits zones and accounts. */
  readonly scope: Extract<GroupScope, "account" | "zone">;
  readonly groups: readonly PermissionGroup[];
  /** The role that permits the same in a whole account. */
  readonly role: Role | undefined;
}

const roleGroups = roles.map((role): MemberGroup => ({
  id: role.memberGroup.id,
  name: role.name,
  label: role.memberGroup.label,
  description: role.description,
  scope: "account",
  groups: role.groups,
  role,
}));

const zoneGroups = permissionGroups.filter(({ scope }) => scope === "zone");
const readsZones = [zone("Zone Read"), zone("Zone Settings Read")];

const onZones = { scope: "zone", role: undefined } as const;

/** Roles that can be given on single zones. */
const domainGroups: readonly MemberGroup[] = [
  {
    id: "e14c443f54944e35895ba6d8135ab800",
    name: "Domain Administrator",
    label: "domain_admin",
    ...onZones,
    description: "Can do everything in the zones.",
    groups: zoneGroups,
  },
  {
    id: "aee1118794d74f76bb29d00769611258",
    name: "Domain Administrator Read Only",
    label: "domain_admin_readonly",
    ...onZones,
    description: "Can see everything in the zones and change nothing.",
    groups: zoneGroups.filter(({ name }) => /\bRead\b/i.test(name)),
  },
  {
    id: "3a430197647c4fe9b80e3ec4c54de797",
    name: "Domain DNS",
    label: "domain_dns",
    ...onZones,
    description: "Can change the DNS records of the zones.",
    groups: [...readsZones, zone("DNS Write"), zone("Zone DNS Settings Write")],
  },
  {
    id: "7a0cda819b354ccca60910012c2e58aa",
    name: "Cache Domain Purge",
    label: "domain_cache_purge",
    ...onZones,
    description: "Can purge the cache of the zones.",
    groups: [...readsZones, zone("Cache Purge")],
  },
];

const singleGroups = permissionGroups.flatMap((group): MemberGroup[] => {
  const { id, name, scope } = group;
  if (scope !== "account" && scope !== "zone") return [];
  const label = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  return [
    {
      id,
      name,
      label,
      description: `The permission group of API tokens, on ${scope}s.`,
      scope,
      groups: [group],
      role: undefined,
    },
  ];
});

/** All groups: roles first, then the permission groups that tokens have too, by name. */
export const memberGroups: readonly MemberGroup[] = [...roleGroups, ...domainGroups, ...singleGroups];

const groupsById = new Map(memberGroups.map((group) => [group.id, group]));

export function findMemberGroup(id: string): MemberGroup | undefined {
  return groupsById.get(id);
}

/**
 * Each name once, as clients choose by it: a role before the permission group of the same name, and a group
 * for zones, which fits accounts too, before that for accounts. The others can be named by their ids.
 */
export const listedMemberGroups: readonly MemberGroup[] = [
  ...new Map(
    memberGroups
      .toSorted((one, other) => precedenceOf(other) - precedenceOf(one))
      .map((group) => [group.name, group]),
  ).values(),
];

function precedenceOf({ role, scope }: MemberGroup): number {
  if (role !== undefined) return 0;
  return scope === "zone" ? 1 : 2;
}
