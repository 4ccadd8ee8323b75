import { permissionGroups, printScope } from "../../core/policy/permission-groups.ts";
import type { ListPermissionGroupsQuery, TokenPermissionGroup } from "./schema.ts";

/** By name; not paginated. */
export function listPermissionGroups(
  query: ListPermissionGroupsQuery,
  vendor: string,
): TokenPermissionGroup[] {
  const names = query.name === undefined ? [] : spellings(query.name);
  return permissionGroups
    .map((group) => ({ id: group.id, name: group.name, scopes: [printScope(group.scope, vendor)] }))
    .filter((group) => !query.name || names.includes(group.name.toLowerCase()))
    .filter((group) => !query.scope || group.scopes.includes(query.scope));
}

/** A name, and the same percent-decoded once more: some clients encode it twice. */
function spellings(name: string): string[] {
  const once = name.toLowerCase();
  try {
    return [once, decodeURIComponent(name).toLowerCase()];
  } catch {
    return [once];
  }
}
