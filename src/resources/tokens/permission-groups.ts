import { permissionGroups, printScope } from "../../core/policy/permission-groups.ts";
import type { ListPermissionGroupsQuery, TokenPermissionGroup } from "./schema.ts";

/** All that policies can grant, in the order of their names; not paginated. */
export function listPermissionGroups(
  query: ListPermissionGroupsQuery,
  vendor: string,
): TokenPermissionGroup[] {
  const name = query.name?.toLowerCase();
  return permissionGroups
    .map((group) => ({ id: group.id, name: group.name, scopes: [printScope(group.scope, vendor)] }))
    .filter((group) => !name || group.name.toLowerCase() === name)
    .filter((group) => !query.scope || group.scopes.includes(query.scope));
}
