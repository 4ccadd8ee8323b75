import type { Policy } from "../../core/policy/grants.ts";
import { account, user } from "../../core/policy/permission-groups.ts";
import { fromJson } from "../../storage/columns.ts";
import type { TokenRow } from "../../storage/schema/accounts.ts";

const makesTokens = new Set([user("API Tokens Write").id, account("Account API Tokens Write").id]);
const seesTokens = new Set([user("API Tokens Read").id, account("Account API Tokens Read").id]);

/** Whether a token can create tokens and do other things, which is discouraged (docs/decisions/0004-initial-token.md). */
function mixesTokenMaking(policies: readonly Pick<Policy, "effect" | "groupIds">[]): boolean {
  const groupIds = policies.filter(({ effect }) => effect === "allow").flatMap((policy) => policy.groupIds);
  return (
    groupIds.some((id) => makesTokens.has(id)) &&
    groupIds.some((id) => !makesTokens.has(id) && !seesTokens.has(id))
  );
}

/** Advice on a valid token, and on the token that created it. */
export function adviceOn(row: TokenRow, maker: TokenRow | undefined): string[] {
  const policies = fromJson(row.policies);
  const advice: string[] = [];
  if (!policies.some(({ effect }) => effect === "allow")) {
    advice.push("The token has no policy that allows anything, so all that it asks for is denied.");
  }
  if (mixesTokenMaking(policies)) {
    advice.push("A token that can create tokens should carry no other permissions.");
  }
  if (maker !== undefined && mixesTokenMaking(fromJson(maker.policies))) {
    advice.push(
      "The token that created this one carries other permissions too; one that can create tokens should not.",
    );
  }
  return advice;
}
