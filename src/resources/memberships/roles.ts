import type { Caller } from "../../core/caller.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidBody } from "../../core/error.ts";
import { blocksOfRoles, coversRole, findRole, type Role as RoleTerms } from "../../core/policy/roles.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db, MembershipRow } from "../../storage/tables.ts";
import { grantsToDelegate } from "./delegation.ts";
import type { AddMemberBody, Role } from "./schema.ts";

/** The roles of a membership; one that is gone from the catalogue gives nothing. */
export function rolesOf({ roles: ids }: Pick<MembershipRow, "roles">): RoleTerms[] {
  return fromJson(ids).flatMap((id) => findRole(id) ?? []);
}

/** Errors: 400 code 1001 for roles that do not exist, that are missing, and for policies in their place. */
export function parseRoles(body: Pick<AddMemberBody, "roles" | "policies">): RoleTerms[] {
  if (body.policies != null) {
    throw new AppError(
      "invalid",
      errorCodes.members.invalid,
      "Members have roles here: `policies` are not supported",
      { pointer: "/policies" },
    );
  }
  if (body.roles === undefined) {
    throw invalidBody("/roles", "is required", errorCodes.members.invalid);
  }
  const found = body.roles.map((sent, index) => {
    const role = findRole(typeof sent === "string" ? sent : sent.id);
    if (role !== undefined) return role;
    throw new AppError("invalid", errorCodes.members.invalid, "There is no such role", {
      pointer: `/roles/${index}`,
    });
  });
  return [...new Set(found)];
}

/**
 * Nobody gives or takes a role that permits what the caller's grantors may not do now. To be called in a transaction that
 * locks the account. Errors: as `grantsToDelegate`, 403 code 9109 for such a role.
 */
export async function refuseRolesBeyondRights(
  tx: Db,
  { grantors }: Pick<Caller, "grantors">,
  accountId: string,
  given: readonly RoleTerms[],
): Promise<void> {
  const grants = await grantsToDelegate(tx, grantors, accountId);
  const beyond = given.find((role) => !coversRole(grants, role, accountId));
  if (beyond === undefined) return;
  throw new AppError(
    "forbidden",
    errorCodes.permissions.unauthorized,
    `Requires all that the role \`${beyond.name}\` permits`,
  );
}

/** A role as the API answers it. */
export function toRole(role: RoleTerms): Role {
  return {
    id: role.id,
    name: role.name,
    description: role.description,
    permissions: Object.fromEntries(
      blocksOfRoles([role]).map(({ block, read, write }) => [block, { read, write, edit: write }]),
    ),
  };
}
