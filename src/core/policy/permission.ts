import {
  account,
  user,
  withIncludingGroups,
  zone,
  type GroupName,
  type PermissionGroup,
} from "./permission-groups.ts";

/**
 * The permission that a caller needs for an operation:
 * - `zone`: the group on the zone in the path.
 * - `account`: one of the groups on the account in the path; with `orAnyRole`, access to it is enough, which
 *   every role has.
 * - `user`: the group on the calling user; `usersOnly` excludes tokens of accounts.
 * - `new-account`: the group on the calling user, who also has to be allowed to create accounts.
 * - `new-zone`: the group on every zone of the account in which the body creates one.
 * - `visible-zone`: any group on the zone in the path, unless *Zone Read* is denied.
 * - `queried-zones`: the group on each zone in the body; the operation checks them.
 * - `listed`: none; a list omits what its caller may not read.
 * - `server`: to be the owner, with the group on the owner.
 */
export type Permission =
  | { readonly on: "zone"; readonly group: PermissionGroup }
  | { readonly on: "account"; readonly groups: readonly PermissionGroup[]; readonly orAnyRole?: true }
  | { readonly on: "user"; readonly group: PermissionGroup; readonly usersOnly?: true }
  | { readonly on: "new-account"; readonly group: PermissionGroup }
  | { readonly on: "new-zone"; readonly group: PermissionGroup }
  | { readonly on: "visible-zone" }
  | { readonly on: "queried-zones"; readonly group: PermissionGroup }
  | { readonly on: "listed" }
  | { readonly on: "server"; readonly group: PermissionGroup };

export const onZone = (name: GroupName<"zone">): Permission => ({ on: "zone", group: zone(name) });
export const onAccount = (...names: readonly GroupName<"account">[]): Permission => ({
  on: "account",
  groups: names.map(account),
});
/** The group on the account in the path, or any role in the account. */
export const onOwnAccount: Permission = {
  on: "account",
  groups: [account("Account Settings Read")],
  orAnyRole: true,
};
export const onUser = (name: GroupName<"user">): Permission => ({ on: "user", group: user(name) });
/** The group on the calling user; tokens of accounts get 400 code 9106. */
export const onUserOnly = (name: GroupName<"user">): Permission => ({
  on: "user",
  group: user(name),
  usersOnly: true,
});
export const onNewAccount = (name: GroupName<"user">): Permission => ({
  on: "new-account",
  group: user(name),
});
export const onNewZone = (name: GroupName<"zone">): Permission => ({ on: "new-zone", group: zone(name) });
export const onVisibleZone: Permission = { on: "visible-zone" };
export const onQueriedZones = (name: GroupName<"zone">): Permission => ({
  on: "queried-zones",
  group: zone(name),
});
export const listed: Permission = { on: "listed" };
/** The right to manage the server. Its group lets a token give itself any other group. */
export const onServer: Permission = { on: "server", group: user("API Tokens Write") };

/**
 * The permission groups any one of which is enough, *Write* groups in place of their *Read* groups included;
 * none if the permission needs no particular group.
 */
export function groupsFor(permission: Permission): readonly PermissionGroup[] {
  const named = "groups" in permission ? permission.groups : "group" in permission ? [permission.group] : [];
  return [...new Set(named.flatMap(withIncludingGroups))];
}

/** The permission in words, for documents. */
export function describePermission(permission: Permission): string {
  switch (permission.on) {
    case "zone":
      return `*${permission.group.name}* on the zone`;
    case "account":
      return `${permission.groups.map(({ name }) => `*${name}*`).join(" or ")} on the account${permission.orAnyRole ? ", or any role in it" : ""}`;
    case "user":
      return `*${permission.group.name}* on the user${permission.usersOnly ? "; no tokens of accounts" : ""}`;
    case "new-account":
      return `*${permission.group.name}* on the user, who must be the owner, and the setting \`create_accounts\` = \`owner\``;
    case "new-zone":
      return `*${permission.group.name}* on all zones of the account`;
    case "visible-zone":
      return "any permission on the zone, unless *Zone Read* is denied";
    case "queried-zones":
      return `*${permission.group.name}* on each requested zone`;
    case "listed":
      return "none: what the caller may not see is left out";
    case "server":
      return `*${permission.group.name}* on the user, who must be the owner`;
  }
}
