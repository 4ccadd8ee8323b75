import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import { emailPattern, foldEmail } from "../../core/email.ts";
import { defaultRoleId, findRoleCalled } from "../../core/policy/roles.ts";
import { newGlobalApiKey, hashSecret } from "../../secrets/secrets.ts";
import { insertRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import { lockAccount } from "../../operation/scope.ts";
import { findAccountCalled } from "../accounts/accounts.ts";
import { recordChanges, type Actor, type Change } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { addMembership } from "../memberships/memberships.ts";
import { selectFirstUser } from "./store.ts";

interface NewUser {
  readonly email: string;
  /** The account that the user joins at once. */
  readonly membership?: {
    /** Id or name. */
    readonly account: string;
    /** Id or name; read-only unless given. */
    readonly role?: string;
  };
}

/** The key is not stored. */
interface CreatedUser {
  readonly id: string;
  readonly email: string;
  readonly key: string;
  readonly account: { readonly id: string; readonly name: string; readonly role: string } | undefined;
}

/**
 * Creates a further user with a Global API Key; invites to its e-mail become its own.
 * Errors: 400 code 1001 for an invalid e-mail, an unknown role or a store without an owner, 400 code 1004 for
 * an e-mail in use, 404 code 1001 for an unknown account.
 */
export async function createUser(context: Context, actor: Actor, user: NewUser): Promise<CreatedUser> {
  const { email, membership } = user;
  if (!new RegExp(emailPattern).test(email)) {
    throw invalidRequest(errorCodes.users.invalid, `\`${email}\` is not an e-mail address`);
  }
  const key = newGlobalApiKey();
  return context.db.transaction(async (tx, publication) => {
    const row = newUserRow(context, email, key);
    const created = await addUser(tx, row);
    const account = membership && (await join(context, tx, row, membership));
    const entries = account ? [created, joined(row, account)] : [created];
    await recordChanges(context, { tx, publication }, actor, entries);
    return { id: row.id, email, key, account };
  });
}

/** A further user that nobody has a Global API Key of, for `addUser`. */
export function newUser(context: Pick<Context, "now" | "newId">, email: string): UserRow {
  return newUserRow(context, email, newGlobalApiKey());
}

/**
 * Stores a further user, in the caller's transaction, and answers what to log.
 * Errors: 400 code 1001 for a store without an owner, 400 code 1004 for an e-mail in use.
 */
export async function addUser(tx: Db, row: UserRow): Promise<Change> {
  const { id, email } = row;
  // The first user is the owner, who is created with an account at the first start.
  const owner = await selectFirstUser(tx);
  if (owner === undefined) {
    throw invalidRequest(errorCodes.users.invalid, "The store has no owner yet: start the server first");
  }
  await insertRow(tx, "users", youngerThan(owner, row), () =>
    invalidRequest(errorCodes.users.exists, `There is already a user with the e-mail ${email}`),
  );
  return {
    action: "user_create",
    owner: { userId: id },
    id,
    after: { id, email },
  };
}

/** The owner is the oldest user, so others must be younger even if the clock stands still. */
function youngerThan(owner: UserRow, row: UserRow): UserRow {
  if (row.created_on > owner.created_on) return row;
  return { ...row, created_on: toTimestamp(new Date(Date.parse(owner.created_on) + 1)) };
}

type Joined = NonNullable<CreatedUser["account"]>;

async function join(
  context: Context,
  tx: Db,
  user: { readonly id: string; readonly email: string },
  { account, role: roleCalled = defaultRoleId }: NonNullable<NewUser["membership"]>,
): Promise<Joined> {
  const role = findRoleCalled(roleCalled);
  if (role === undefined)
    throw invalidRequest(errorCodes.users.invalid, `There is no role \`${roleCalled}\``);
  const { id, name } = await findAccountCalled(tx, account);
  await lockAccount(tx, id);
  await addMembership(context, tx, { accountId: id, user, roleIds: [role.id] });
  return { id, name, role: role.name };
}

function joined(user: { readonly id: string; readonly email: string }, { id, role }: Joined): Change {
  return {
    action: "member_add",
    owner: { accountId: id },
    id: user.id,
    after: { email: user.email, roles: [role] },
  };
}

/** The fields that users edit themselves. */
type Profile = Pick<UserRow, "first_name" | "last_name" | "telephone" | "country" | "zipcode">;
type Parts = { readonly [Name in keyof Profile]?: Profile[Name] | undefined };

const names = ["first_name", "last_name", "telephone", "country", "zipcode"] as const;

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
