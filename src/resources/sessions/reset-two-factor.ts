import type { Actor } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { unitOfWork } from "../../operation/unit-of-work.ts";
import { forgetFactors } from "../two-factor/two-factor.ts";
import { lockUserOfEmail } from "./sign-in-links.ts";

/** Takes the second factors of a user away. Returns whether there were any. Errors: 404 code 1001. */
export async function resetTwoFactor(context: Context, actor: Actor, email: string): Promise<boolean> {
  return unitOfWork(
    context,
    actor,
    (tx) => lockUserOfEmail(tx, email),
    async ({ tx, user, audit }) => {
      if (user.second_factor_since === null) return false;
      await forgetFactors(tx, user.id);
      audit({ action: "two_factor_reset", id: user.id });
      return true;
    },
  );
}
