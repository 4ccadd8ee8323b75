import { permissionGroups, printScope } from "../../core/policy/permission-groups.ts";
import type { ListPermissionGroupsQuery, TokenPermissionGroup } from "./schema.ts";

/** All that policies can grant, in the order of their names; not paginated. */
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

/** A name, and what it says if it was percent-encoded twice: documents of clients show it encoded already. */
function spellings(name: string): string[] {
  const once = name.toLowerCase();
  try {
    return [once, decodeURIComponent(name).toLowerCase()];
  } catch {
    return [once];
  }
}
