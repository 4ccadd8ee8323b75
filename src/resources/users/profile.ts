import { foldEmail } from "../../core/email.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import type { Context } from "../../operation/context.ts";

/** The fields that users edit themselves. */
type Profile = Pick<UserRow, "first_name" | "last_name" | "telephone" | "country" | "zipcode">;
type Parts = { readonly [Name in keyof Profile]?: Profile[Name] | undefined };

const names = ["first_name", "last_name", "telephone", "country", "zipcode"] as const;

/** The given fields of a profile. */
export function toProfile(source: Parts): Partial<Profile> {
  const given = names.flatMap((name) => (source[name] === undefined ? [] : [[name, source[name]] as const]));
  return Object.fromEntries(given);
}

/** A user with an empty profile. */
export function newUserRow(
  { now, newId }: Pick<Context, "now" | "newId">,
  email: string,
  key: string,
): UserRow {
  const created_on = toTimestamp(now());
  return {
    id: newId(),
    email,
    email_folded: foldEmail(email),
    username: newId(),
    first_name: null,
    last_name: null,
    telephone: null,
    country: null,
    zipcode: null,
    key_hash: hashSecret(key),
    second_factor_since: null,
    created_on,
    modified_on: created_on,
  };
}
