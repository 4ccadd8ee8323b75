import { foldEmail } from "../../core/email.ts";
import type { Context } from "../../operation/context.ts";
import { deleteRow, insertRow, selectRow } from "../../storage/rows.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import { rolesShown } from "./member-rights.ts";
import { selectMemberships } from "./store.ts";

export {
  findGrantsOfGrantors,
  grantsToDelegate,
  listRightsOfUser,
  rightsOfAccount,
  rightsOfUser,
  type Rights,
} from "./delegation.ts";
export { addInvite } from "./invites.ts";
export { selectSuperAdministrators as listSuperAdministrators } from "./store.ts";

interface NewMember {
  readonly accountId: string;
  readonly user: { readonly id: string; readonly email: string };
  readonly roleIds: readonly string[];
}

/** Makes a user a member without an invite, or in place of one, in the caller's transaction. */
export async function addMembership(
  { now, newId }: Pick<Context, "now" | "newId">,
  tx: Db,
  { accountId, user, roleIds }: NewMember,
): Promise<void> {
  const invite = await selectRow(tx, "memberships", {
    account_id: accountId,
    email_folded: foldEmail(user.email),
  });
  if (invite !== undefined) await deleteRow(tx, "memberships", invite.id);
  await insertRow(tx, "memberships", {
    id: newId(),
    account_id: accountId,
    user_id: user.id,
    email_folded: foldEmail(user.email),
    status: "accepted",
    roles: toJson([...roleIds]),
    policies: null,
    invited_by: null,
    grantors: null,
    expires_on: null,
    created_on: toTimestamp(now()),
  });
}

/** The memberships and invites of an e-mail, as `organizations` of `GET /user`. */
export async function listOrganizationsOfUser(db: Db, email: string) {
  const everything = { page: 1, perPage: 1_000, order: "account.name", direction: "asc" } as const;
  const { items } = await selectMemberships(db, { emailFolded: foldEmail(email) }, {}, everything);
  return items
    .filter(({ status }) => status !== "rejected")
    .map((row) => ({
      id: row.account_id,
      name: row.account_name,
      status: row.status === "accepted" ? "member" : "invited",
      permissions: [],
      roles: rolesShown(row).map(({ name }) => name),
    }));
}
