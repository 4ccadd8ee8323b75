import { errorCodes } from "../../core/error-codes.ts";
import type { Caller } from "../../core/policy/caller.ts";
import { invalidBody, invalidIdentifier, notFound } from "../../core/error.ts";
import { insertRow, selectRow, selectRows } from "../../storage/rows.ts";
import { toFlag, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { AccountRow } from "../../storage/schema/accounts.ts";
import type { Context } from "../../operation/context.ts";
import type { Account } from "./schema.ts";
import { selectAccountForReference } from "./store.ts";

export { Account, CreateAccountBody } from "./schema.ts";

interface NewAccount {
  readonly name: string;
  readonly type?: Account["type"] | undefined;
  readonly abuseContactEmail?: string | null | undefined;
  readonly enforcesTwoFactor?: boolean | undefined;
}

/** Adds an account without members in the caller's transaction. */
export async function addAccount(
  { now, newId }: Pick<Context, "now" | "newId">,
  tx: Db,
  { name, type = "standard", abuseContactEmail = null, enforcesTwoFactor = false }: NewAccount,
): Promise<AccountRow> {
  const row: AccountRow = {
    id: newId(),
    name,
    name_folded: name.toLowerCase(),
    type,
    abuse_contact_email: abuseContactEmail,
    enforces_two_factor: toFlag(enforcesTwoFactor),
    created_on: toTimestamp(now()),
  };
  await insertRow(tx, "accounts", row);
  return row;
}

/** Errors: 404 code 1001. */
export async function findAccount(db: Db, id: string): Promise<AccountRow> {
  return (await selectRow(db, "accounts", { id })) ?? unknownAccount();
}

/** Finds an account, which cannot be deleted until the transaction ends. Errors as of `findAccount`. */
export async function findAccountForReference(tx: Db, id: string): Promise<AccountRow> {
  return (await selectAccountForReference(tx, id)) ?? unknownAccount();
}

/**
 * The account of an id, or of a name in any case. Errors: 404 code 1001, also where several accounts have the
 * name.
 */
export async function findAccountCalled(db: Db, idOrName: string): Promise<AccountRow> {
  const byId = await selectRow(db, "accounts", { id: idOrName });
  if (byId !== undefined) return byId;
  const [row, ...others] = await selectRows(db, "accounts", { name_folded: idOrName.toLowerCase() });
  if (row === undefined) throw notFound(errorCodes.accounts.unknown, `There is no account \`${idOrName}\``);
  if (others.length === 0) return row;
  throw notFound(errorCodes.accounts.unknown, `More than one account is called \`${idOrName}\`: give its id`);
}

export function toAccount(row: Omit<AccountRow, "name_folded">): Account {
  return {
    id: row.id,
    name: row.name,
    type: row.type ?? "standard",
    settings: {
      enforce_twofactor: row.enforces_two_factor === 1,
      api_access_enabled: null,
      access_approval_expiry: null,
      use_account_custom_ns_by_default: false,
      default_nameservers: "cloudflare.standard",
      abuse_contact_email: row.abuse_contact_email,
    },
    created_on: row.created_on,
  };
}

/**
 * Only a user with a second factor may require one of all members, as others would lock themselves out, or
 * lift that.
 * Errors: 400 code 1003.
 */
export async function refuseWithoutSecondFactor(db: Db, { user }: Pick<Caller, "user">): Promise<void> {
  const row = user && (await selectRow(db, "users", { id: user.id }));
  if (row !== undefined && row.second_factor_since !== null) return;
  throw invalidBody(
    "/settings/enforce_twofactor",
    "can be changed only by a member who has set up two-factor sign-in",
  );
}

function unknownAccount(): never {
  throw invalidIdentifier("account");
}
