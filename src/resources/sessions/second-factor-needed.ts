import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import type { SessionRow } from "../../storage/schema/sign-in.ts";
import type { TwoFactorTerms } from "../two-factor/two-factor.ts";

type Terms = Pick<TwoFactorTerms, "isRequired">;
type FactorUser = Pick<UserRow, "second_factor_since">;

/** Whether a session permits nothing yet but setting up a second factor. */
export function lacksFactor(
  { isRequired }: Terms,
  { second_factor_since }: FactorUser,
  { by_provider }: Pick<SessionRow, "by_provider">,
): boolean {
  return isRequired && second_factor_since === null && by_provider !== 1;
}

/** 403 code 10416. */
export function secondFactorNeeded(): AppError {
  return new AppError(
    "forbidden",
    errorCodes.sessions.secondFactorNeeded,
    'This server requires a second factor: set one up under "Two-factor sign-in" first',
    { beforeResource: true },
  );
}
