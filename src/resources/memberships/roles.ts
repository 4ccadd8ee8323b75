import { blocksOfRoles, type Role as RoleTerms } from "../../core/policy/roles.ts";
import type { Role } from "./schema.ts";

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
