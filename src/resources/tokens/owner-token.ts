import type { Db } from "../../storage/tables.ts";
import type { Context } from "../../operation/context.ts";
import { insertToken, selectTokenByName, updateToken } from "./store.ts";
import { templateGrants } from "./templates.ts";
import { newTokenRow } from "./token-row.ts";

const ownerTokenName = "Owner token";

/**
 * Makes the preset token of the owner, which may do all that its owner may, or gives it the secret that is preset now.
 */
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
  if (existing === undefined) await insertToken(tx, fresh);
  else if (existing.secret_hash !== fresh.secret_hash) {
    const { secret_hash, modified_on } = fresh;
    await updateToken(tx, existing.id, { secret_hash, modified_on });
  }
}
