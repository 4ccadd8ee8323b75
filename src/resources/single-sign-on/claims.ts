import { emailPattern } from "../../core/email.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { findRoleCalled } from "../../core/policy/roles.ts";

/** The claims of a provider about a user. */
export type Claims = Readonly<Record<string, unknown>>;

export interface RoleMapping {
  readonly value: string;
  readonly role: string;
}

/** The verified e-mail address of a user. Errors: 403 code 10428. */
export function identityIn({ email, email_verified }: Claims): string {
  if (typeof email === "string" && new RegExp(emailPattern).test(email) && email_verified === true)
    return email;
  throw notAdmitted("The provider does not say that it has verified your e-mail address");
}

/**
 * The roles that the claims give, by id; undefined where claims give none to anybody.
 * Errors: 403 code 10428 for somebody whom they give none.
 */
export function rolesIn(
  claims: Claims,
  { roleClaim, roles }: { readonly roleClaim: string; readonly roles: readonly RoleMapping[] },
): readonly string[] | undefined {
  if (roles.length === 0) return undefined;
  const claim = claims[roleClaim];
  const values = new Set<unknown>(Array.isArray(claim) ? claim : [claim]);
  const ids = roles
    .filter(({ value }) => values.has(value))
    .flatMap(({ role }) => findRoleCalled(role)?.id ?? []);
  if (ids.length > 0) return [...new Set(ids)];
  throw notAdmitted("None of your groups at the provider has a role here");
}

/** 403 code 10428. */
export function notAdmitted(message: string): AppError {
  return new AppError("forbidden", errorCodes.sessions.notAdmitted, message);
}
