import { foldEmail } from "../../core/email.ts";
import { permissionTexts } from "../../core/policy/permission-groups.ts";
import type { Db } from "../../storage/tables.ts";
import { rolesShown } from "./rights.ts";
import { permittedIn } from "./member.ts";
import { findResourceGroupsOf } from "./resource-groups.ts";
import { selectMemberships, withUserGroups } from "./store.ts";

export {
  findGrantsOfGrantors,
  grantsToDelegate,
  listRightsOfUser,
  rightsOfAccount,
  rightsOfAccountToken,
  rightsOfUser,
  type Rights,
} from "./rights.ts";
export { addMembership } from "./change.ts";
export { assignRoles } from "./change.ts";
export { answerInvite } from "./change.ts";
export { addInvite, isExpired } from "./change.ts";
export { findInviteOfLink, linkInvite } from "./change.ts";
export type { FullMembership } from "./store.ts";
export { selectSuperAdministrators as listSuperAdministrators } from "./store.ts";

/**
 * The memberships and invites of an e-mail, as `organizations` of `GET /user`. An open invite permits nothing
 * yet.
 */
export async function listOrganizationsOfUser(db: Db, email: string) {
  const everything = { page: 1, perPage: 1_000, order: "account.name", direction: "asc" } as const;
  const { items } = await selectMemberships(db, { emailFolded: foldEmail(email) }, {}, everything);
  const rows = await withUserGroups(db, items);
  const groups = await findResourceGroupsOf(db, rows);
  return rows
    .filter(({ status }) => status !== "rejected")
    .map((row) => ({
      id: row.account_id,
      name: row.account_name,
      status: row.status === "accepted" ? "member" : "invited",
      permissions: permissionTexts(permittedIn(row, groups)),
      roles: rolesShown(row).map(({ name }) => name),
    }));
}
