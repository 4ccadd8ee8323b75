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

/**
 * The id and label of each role's group, by the id of the role. Some of the ids are those of the public
 * service.
 */
const ofRoles: Readonly<Record<string, readonly [id: string, label: string]>> = {
  "33666b9c79b9a5273fc7344ff42f953d": ["8e23b19e4e0d44c29d239c5688ba8cbb", "all_privileges"],
  "05784afa30c1afe1440e79d9351c7430": ["c40ef0962d7848eb83d5611c0094d66b", "admin"],
  a5f1a2c6d2f94a1f8e0b3f1c7d9e4b60: ["348933dda1564d06bcab6e662b67a609", "admin_readonly"],
  b6c2e3d7f1a04b2c9d1e5f6a7b8c9d01: ["89fd5811ca03492aa57a204a6e44ddfa", "analytics"],
  c7d3f4e8a2b15c3dae2f6a7b8c9d0e12: ["71023b7091874aec9aa56f0d816387b2", "audit_logs_viewer"],
  d8e4a5f9b3c26d4ebf3a7b8c9d0e1f23: ["be3311bec59f464badb4d4a23c065671", "billing"],
  e9f5b6a0c4d37e5fca4b8c9d0e1f2a34: ["654120b1be2e43a59fa583e14660f0c1", "cache_purge_admin"],
  f0a6c7b1d5e48f60db5c9d0e1f2a3b45: ["49ce85367bae433b9f0717ed4fea5c74", "dns_admin"],
  a1b7d8c2e6f59071ec6d0e1f2a3b4c56: ["10515a9267294c2e8dd974332556a33b", "waf_admin"],
  b2c8e9d3f7a60182fd7e1f2a3b4c5d67: ["9e98df9fc5b64da4a6b6b303823bf0be", "load_balancer_admin"],
  c3d9f0e4a8b71293ae8f2a3b4c5d6e78: ["8d1c012fa50448d9918cf6df996d9d42", "log_share"],
  d4e0a1f5b9c823a4bf9a3b4c5d6e7f89: ["d9cf04be5eb441198790842cb814af47", "log_share_reader"],
  e5f1b2a6c0d934b5ca0b4c5d6e7f8a90: ["c59ff3d639a44d8fadac839ca1278c24", "ssl_admin"],
  f6a2c3b7d1ea45c6db1c5d6e7f8a9b01: ["88b456c3f99b45e89eeedfa1f2bd9d14", "minimal_account_access"],
};

const roleGroups = roles.map((role): MemberGroup => {
  const [id, label] = ofRoles[role.id] ?? [];
  if (id === undefined || label === undefined)
    throw new Error(`no permission group for the role ${role.name}`);
  return {
    id,
    name: role.name,
    label,
    description: role.description,
    scope: "account",
    groups: role.groups,
    role,
  };
});

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

export function groupOfRole(role: Role): MemberGroup {
  return findMemberGroup(ofRoles[role.id]?.[0] ?? "") as MemberGroup;
}
