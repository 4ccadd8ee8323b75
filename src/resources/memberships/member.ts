import type { Member } from "./schema.ts";
import { rolesOf, toRole } from "./roles.ts";
import type { FullMembership } from "./store.ts";

/** What entries of the audit log about a membership or an invite are about. */
export function resourceOf(id: string) {
  return { type: "member", id };
}

/** A membership as its account sees it. */
export function toMember(row: FullMembership): Member {
  const email = row.holder_email ?? row.email_folded;
  return {
    id: row.id,
    user: {
      id: row.holder_id,
      first_name: row.first_name,
      last_name: row.last_name,
      email,
      two_factor_authentication_enabled: false,
    },
    status: row.status,
    api_access_enabled: null,
    email,
    roles: rolesOf(row).map(toRole),
  };
}
