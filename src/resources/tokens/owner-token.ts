import { insertRow, updateRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { Context } from "../../operation/context.ts";
import { selectTokenByName } from "./store.ts";
import { templateGrants } from "./templates.ts";
import { newTokenRow } from "./token-row.ts";

const ownerTokenName = "Owner token";

/** Creates the preset token of the owner, with all of the owner's rights, or changes its secret to the preset one. */
export async function ensureOwnerToken(
  context: Context,
  tx: Db,
  userId: string,
  secret: string,
): Promise<void> {
  const owner = { userId };
  const existing = await selectTokenByName(tx, owner, ownerTokenName);
  const fresh = newTokenRow(context, owner, {
    name: ownerTokenName,
    policies: templateGrants("all", owner).map(({ resources, groupIds }) => ({
      id: context.newId(),
      effect: "allow",
      resources,
      groupIds,
    })),
    grantors: null,
    condition: null,
    not_before: null,
    expires_on: null,
    secret,
  });
  if (existing === undefined) await insertRow(tx, "tokens", fresh);
  else if (existing.secret_hash !== fresh.secret_hash) {
    const { secret_hash, modified_on } = fresh;
    await updateRow(tx, "tokens", existing.id, { secret_hash, modified_on });
  }
}
