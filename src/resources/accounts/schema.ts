import { Type, type Static } from "@sinclair/typebox";

import { EmailAddress, Line, Nullable, OneOf, OptionalNullable } from "../../operation/schema.ts";

/** Settings of features that do not exist here have one permitted value. */
const AccountSettings = Type.Object({
  enforce_twofactor: Type.Boolean({
    description: "Whether the account is closed to members who sign in without a second factor.",
  }),
  api_access_enabled: Type.Null(),
  access_approval_expiry: Type.Null(),
  use_account_custom_ns_by_default: Type.Literal(false),
  default_nameservers: Type.Literal("cloudflare.standard"),
  abuse_contact_email: Nullable(EmailAddress({ maxLength: 320 })),
});

const accountTypes = ["standard", "enterprise"] as const;

/** An account: what zones belong to (docs/contract/members.md#accounts). */
export const Account = Type.Object({
  id: Type.String({ description: "Identifier of the account, 32 hexadecimal characters." }),
  name: Type.String(),
  type: OneOf(accountTypes),
  settings: AccountSettings,
  created_on: Type.String({ format: "date-time" }),
});
export type Account = Static<typeof Account>;

const name = Line({ minLength: 1, maxLength: 100 });
/** Settings left out stay as they are. */
const settings = OptionalNullable(Type.Partial(AccountSettings));

export const CreateAccountBody = Type.Object({
  name,
  type: Type.Optional(OneOf(accountTypes)),
  settings,
  unit: Type.Optional(Type.Null({ description: "Not supported: there are no organizations." })),
});
export type CreateAccountBody = Static<typeof CreateAccountBody>;

const sameType = Type.Optional(
  OneOf(accountTypes, { description: "As the account was created: it cannot be changed." }),
);

/** An account as clients send it back. */
export const ReplaceAccountBody = Type.Object({ name, type: sameType, settings });
export const EditAccountBody = Type.Partial(ReplaceAccountBody);
export type EditAccountBody = Static<typeof EditAccountBody>;

export const ListAccountsQuery = Type.Object({
  name: Type.Optional(Type.String({ description: "Name of the account; case does not matter." })),
});
export type ListAccountsQuery = Static<typeof ListAccountsQuery>;
