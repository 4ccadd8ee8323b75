import { blocksOfRoles } from "../../core/policy/roles.ts";
import { toAccount } from "../accounts/accounts.ts";
import { rolesOf } from "./roles.ts";
import type { Membership } from "./schema.ts";
import type { FullMembership } from "./store.ts";

/** A membership as its user sees it. */
export function toMembership(row: FullMembership): Membership {
  const held = row.status === "accepted" ? rolesOf(row) : [];
  return {
    id: row.id,
    status: row.status,
    account: toAccount({
      id: row.account_id,
      name: row.account_name,
      type: row.account_type,
      abuse_contact_email: row.account_abuse_contact_email,
      created_on: row.account_created_on,
    }),
    api_access_enabled: null,
    roles: rolesOf(row).map(({ name }) => name),
    permissions: Object.fromEntries(
      blocksOfRoles(held).map(({ block, read, write }) => [block, { read, write }]),
    ),
  };
}
