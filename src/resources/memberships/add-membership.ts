import { foldEmail } from "../../core/email.ts";
import type { Context } from "../../operation/context.ts";
import { deleteRow, insertRow, selectRow } from "../../storage/rows.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";

export interface NewMember {
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
    link_hash: null,
    expires_on: null,
    created_on: toTimestamp(now()),
  });
}
