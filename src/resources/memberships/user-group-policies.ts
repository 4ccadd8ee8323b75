import type { MemberPolicy } from "../../core/policy/member-policies.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import { selectBelongings } from "./user-group-store.ts";

/** What a membership has by its user groups. */
export interface OfUserGroups {
  readonly groupPolicies: readonly MemberPolicy[];
}

/** The memberships with the policies of their user groups. */
export async function withUserGroups<Row extends { readonly id: string }>(
  db: Db,
  rows: readonly Row[],
): Promise<(Row & OfUserGroups)[]> {
  const belongings = await selectBelongings(
    db,
    rows.map(({ id }) => id),
  );
  const byMembership = Map.groupBy(belongings, ({ membership_id }) => membership_id);
  return rows.map((row) => ({
    ...row,
    groupPolicies: (byMembership.get(row.id) ?? []).flatMap(({ policies }) =>
      policies === null ? [] : fromJson(policies),
    ),
  }));
}
