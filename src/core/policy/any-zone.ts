import { decide } from "./evaluate.ts";
import type { Grants } from "./grants.ts";
import type { PermissionGroup } from "./permission-groups.ts";

/**
 * Whether a zone group is allowed on any zone of the caller's accounts: the gateway belongs to no zone but
 * needs a zone permission. Zones that policies name count whether they exist or not.
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
