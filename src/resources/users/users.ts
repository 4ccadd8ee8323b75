import { foldEmail } from "../../core/email.ts";
import { invalidIdentifier } from "../../core/error.ts";
import { superAdministratorId } from "../../core/policy/roles.ts";
import { hashSecret, newGlobalApiKey } from "../../secrets/secrets.ts";
import { insertRow, selectRow, updateRow, findRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import { addAccount } from "../accounts/accounts.ts";
import type { Context } from "../../operation/context.ts";
import { addMembership, listOrganizationsOfUser, listRightsOfUser } from "../memberships/memberships.ts";
import { isTwoFactorLocked, type TwoFactorTerms } from "../two-factor/two-factor.ts";
import { findPlansOfAccounts } from "../zones/zones.ts";
import { newUserRow } from "./create-user.ts";
import { selectFirstUser, selectUserByEmail } from "./store.ts";

export { addUser, createUser, newUser } from "./create-user.ts";

/** The user in answers, with the plans of its accounts. Errors: 404 code 1001. */
export async function describeUser(
  db: Db,
  id: string,
  { accountIds, twoFactor }: { readonly accountIds: readonly string[]; readonly twoFactor: TwoFactorTerms },
) {
  const row = await knownUser(db, id);
  const plans = await findPlansOfAccounts(db, accountIds);
  return {
    id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    username: row.username,
    telephone: row.telephone,
    country: row.country,
    zipcode: row.zipcode,
    two_factor_authentication_enabled: row.second_factor_since !== null,
    two_factor_authentication_locked: await isTwoFactorLocked(db, twoFactor, id),
    created_on: row.created_on,
    modified_on: row.modified_on,
    organizations: await listOrganizationsOfUser(db, row.email),
    has_pro_zones: plans.has("pro"),
    has_business_zones: plans.has("business"),
    has_enterprise_zones: plans.has("enterprise"),
    suspended: false,
    betas: [],
  };
}

/** The user with this e-mail, in any case, and Global API Key. */
export async function findUserByKey(db: Db, email: string, key: string): Promise<UserRow | undefined> {
  const user = await selectRow(db, "users", { key_hash: hashSecret(key) });
  return user?.email_folded === foldEmail(email) ? user : undefined;
}

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return selectRow(db, "users", { id });
}

/** The e-mail may have any case. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return selectUserByEmail(db, email);
}

/** The user that the first start created; undefined in an empty store. */
export async function findOwner(db: Db): Promise<UserRow | undefined> {
  return selectFirstUser(db);
}

interface OwnerPresets {
  readonly email: string;
  readonly accountName: string;
  readonly key: string | undefined;
}

/** The owner of a store, for the banner. */
export interface Owner {
  readonly userId: string;
  readonly email: string;
  readonly accountId: string;
  /** Whether the store was empty. */
  readonly isNew: boolean;
  /** In clear, only if it was just generated: it is not stored. */
  readonly newKey: string | undefined;
}

/**
 * Creates the owner of an empty store with an account and a Global API Key. On any other store only the key
 * is replaced, if it is preset.
 */
export async function ensureOwner(context: Context, tx: Db, presets: OwnerPresets): Promise<Owner> {
  const existing = await selectFirstUser(tx);
  if (existing === undefined) return createOwner(context, tx, presets);

  if (presets.key !== undefined && hashSecret(presets.key) !== existing.key_hash) {
    await updateRow(tx, "users", existing.id, {
      key_hash: hashSecret(presets.key),
      modified_on: toTimestamp(context.now()),
    });
  }
  const [first] = await listRightsOfUser(tx, existing.id);
  const accountId = first?.accountId ?? "";
  return { userId: existing.id, email: existing.email, accountId, isNew: false, newKey: undefined };
}

async function createOwner(context: Context, tx: Db, presets: OwnerPresets): Promise<Owner> {
  const newKey = presets.key === undefined ? newGlobalApiKey() : undefined;
  const user = newUserRow(context, presets.email, presets.key ?? newKey ?? "");
  await insertRow(tx, "users", user);
  const { id: accountId } = await addAccount(context, tx, { name: presets.accountName });
  await addMembership(context, tx, { accountId, user, roleIds: [superAdministratorId] });
  return { userId: user.id, email: user.email, accountId, isNew: true, newKey };
}

/** Errors: 404 code 1001. */
export async function knownUser(db: Db, id: string): Promise<UserRow> {
  return findRow(db, "users", { id }, () => invalidIdentifier("user"));
}

/** Replaces the user's Global API Key and returns the new one. Errors: 404 code 1001. */
export async function replaceGlobalApiKey(
  { now }: Pick<Context, "now">,
  tx: Db,
  userId: string,
): Promise<string> {
  if ((await selectRow(tx, "users", { id: userId })) === undefined) {
    throw invalidIdentifier("user");
  }
  const key = newGlobalApiKey();
  await updateRow(tx, "users", userId, { key_hash: hashSecret(key), modified_on: toTimestamp(now()) });
  return key;
}

/** Whether it is the user's current key. */
export async function isGlobalApiKeyOf(db: Db, userId: string, key: string): Promise<boolean> {
  return (await selectRow(db, "users", { id: userId }))?.key_hash === hashSecret(key);
}
