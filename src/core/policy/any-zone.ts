import { decide } from "./evaluate.ts";
import type { Grants } from "./grants.ts";
import type { PermissionGroup } from "./permission-groups.ts";

/**
 * Is a zone group allowed on any zone at all, of the accounts that the caller reaches? For the gateway, which belongs
 * to no zone and asks for a permission on one. A zone that a policy names counts whether it exists or not.
 */
export function isAllowedOnAnyZone(
  grants: Grants,
  group: PermissionGroup,
  accountIds: readonly string[],
): boolean {
  const isGeneral = accountIds.some(
    (accountId) => decide(grants, group, { type: "zones-of-account", accountId }).allowed,
  );
  if (isGeneral) return true;
  const named = grants.layers.flatMap(({ zone }) => [...zone.one.keys()]);
  return named.some((id) =>
    accountIds.some((accountId) => decide(grants, group, { type: "zone", id, accountId }).allowed),
  );
}
